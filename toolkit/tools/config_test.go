package tools_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

// What is set up wrongly is said at the start, not by every call.
func TestAWrongSettingIsNamedAtTheStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "x")
	command := func(cfg tools.CommandConfig) func(*toolkit.Kit) {
		return func(k *toolkit.Kit) { toolkit.Wrap(k, tools.RunCommand(cfg)) }
	}
	web := func(cfg tools.HTTPConfig) func(*toolkit.Kit) {
		return func(k *toolkit.Kit) {
			toolkit.Wrap(k, tools.HTTPGet(cfg))
			toolkit.Wrap(k, tools.HTTPPost(cfg))
		}
	}
	for says, wrap := range map[string]func(*toolkit.Kit){
		`CommandConfig.Dir`:                              command(tools.CommandConfig{Dir: filepath.Join(t.TempDir(), "missing")}),
		`CommandConfig.Dir is not a directory`:           command(tools.CommandConfig{Dir: file}),
		`CommandConfig.MaxOutput is negative: -1`:        command(tools.CommandConfig{MaxOutput: -1}),
		`CommandConfig.Timeout is negative`:              command(tools.CommandConfig{Timeout: -1}),
		`CommandConfig.ReadOnly[1] names no program`:     command(tools.CommandConfig{ReadOnly: []string{"ls", " "}}),
		`CommandConfig.Env[0] names no variable`:         command(tools.CommandConfig{Env: []string{"=secret"}}),
		`HTTPConfig.Hosts[0]: "https://api.example.com"`: web(tools.HTTPConfig{Hosts: []string{"https://api.example.com"}}),
		`HTTPConfig.Hosts[1]: "api.example.com:8080"`:    web(tools.HTTPConfig{Hosts: []string{"::1", "api.example.com:8080"}}),
		`HTTPConfig.Hosts[0]: "*.example.com"`:           web(tools.HTTPConfig{Hosts: []string{"*.example.com"}}),
		`HTTPConfig.Hosts[0]: ""`:                        web(tools.HTTPConfig{Hosts: []string{""}}),
		`HTTPConfig.MaxBody is negative: -1`:             web(tools.HTTPConfig{MaxBody: -1}),
		`HTTPConfig.Timeout is negative`:                 web(tools.HTTPConfig{Timeout: -1}),
		`HTTPConfig.ContentType`:                         web(tools.HTTPConfig{ContentType: "json;;"}),
	} {
		kit := toolkit.New(toolkit.Config{})
		wrap(kit)
		_, _, err := kit.Start(t.Context(), runrecord.Task{Name: "x"})
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "secret")
	}
	good := toolkit.New(toolkit.Config{})
	web(tools.HTTPConfig{Hosts: []string{"API.example.com", ".example.com", "127.0.0.1", "::1", "localhost", "my_service"}, ContentType: "application/json; charset=utf-8", MaxRedirects: -1})(good)
	command(tools.CommandConfig{Dir: t.TempDir(), Env: []string{"HOME", "A=", "B=c"}, ReadOnly: []string{"git log"}})(good)
	_, run, err := good.Start(t.Context(), runrecord.Task{Name: "x"})
	require.NoError(t, err)
	run.End()
}

func TestAFailedCommandIsNamedByItsError(t *testing.T) {
	t.Parallel()
	_, err := tools.RunCommand(tools.CommandConfig{}).Call(t.Context(), argv("false"))
	require.ErrorIs(t, err, tools.ErrCommand)
	failed, ok := errors.AsType[*tools.CommandError](err)
	require.True(t, ok)
	require.Equal(t, 1, failed.Code)
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok)
	require.Equal(t, 1, exit.ExitCode())
}

func TestARefusedAddressSaysHowToAllowIt(t *testing.T) {
	t.Parallel()
	res := wrapped(t, tools.HTTPGet(tools.HTTPConfig{}))(tools.HTTPGetIn{URL: "http://127.0.0.1:1/"})
	require.Equal(t, "address_not_public", res.Outcome.Fault.Code)
	require.ErrorContains(t, res.Outcome.Fault.Err, "name its host in HTTPConfig.Hosts")
	require.NotContains(t, res.String(), "HTTPConfig", "that is for the owner, not for the model")
}
