# The commands of this repository. "make" alone lists them.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

GOLANGCI_VERSION := v2.15.0
GOLANGCI := bin/golangci-lint-$(GOLANGCI_VERSION)
FUZZTIME ?= 10s
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# The folder of every module in go.work.
MODULES = $(shell go list -m -f '{{.Dir}}')

.PHONY: help demo test check fmt vet lint tidy cross install-check figures grid crash bench fuzz

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 16

demo: ## the story: an agent whose credential expires, unguarded and guarded
	go run ./examples/invoices

test: ## run the tests of every module, with the race detector and for allocations
	@scripts/prepare
	scripts/with-postgres go test -race work | scripts/summary "tests with the race detector"
	go test -run Alloc work | scripts/summary "allocation bounds, which the race detector would distort"
	@$(MAKE) --no-print-directory figures

check: fmt vet lint tidy cross install-check test ## all that must hold before a change lands

fmt: ## fail on files that gofmt would change
	@files=$$(gofmt -l .); [ -z "$$files" ] || { echo "run gofmt -w on:"; echo "$$files"; exit 1; }

vet: ## go vet on every module
	go vet work

lint: $(GOLANGCI) ## golangci-lint on every module
	@for dir in $(MODULES); do \
		echo "lint: $$dir"; \
		(cd $$dir && $(CURDIR)/$(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...) || exit 1; \
	done

$(GOLANGCI):
	GOWORK=off GOBIN=$(CURDIR)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv bin/golangci-lint $@

tidy: ## fail where a go.mod or go.sum is not what go mod tidy makes
	@for dir in $(MODULES); do \
		echo "tidy: $$dir"; \
		(cd $$dir && GOWORK=off go mod tidy -diff) || exit 1; \
	done

cross: ## compile every module for every platform
	@for platform in $(PLATFORMS); do \
		echo "build: $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go build work || exit 1; \
	done

install-check: ## prove that go install …/cmd/failloud@version works
	@scripts/check-install

figures: ## measure the library on the case files (FAILLOUD_CASES)
	@scripts/figures

grid: ## every cell of the grid of failures FAILLOUD_GRID_RUNS times, by default 1000
	FAILLOUD_GRID_RUNS=$${FAILLOUD_GRID_RUNS:-1000} go test -count=1 -v -timeout 2h ./tests/grid | grep -E '^(figure|ok|FAIL|--- FAIL|panic)|want none'

crash: ## kill agents at every point of a call CRASH_KILLS times, by default 2000
	@scripts/prepare
	CRASH_KILLS=$${CRASH_KILLS:-2000} scripts/with-postgres go test -count=1 -v -timeout 6h -run '^Test(Kill|TheJudgeNotices)$$' \
		./store/crash | grep -vE '^(=== |ok |PASS$$)'

bench: ## measure what the library costs, and write the table of the README
	cd benchmarks && go test -run '^$$' -bench . -benchtime 1s -count 5 . | go run ./table ../README.md
	cd benchmarks && go test -run '^$$' -bench . -benchtime 3s -count 3 -timeout 1h ./durable

fuzz: ## every fuzz target for FUZZTIME
	@scripts/fuzz $(FUZZTIME)
