package policy_test

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/failloud/failloud/policy"
)

// editor is what an editor makes of the schema.
func editor(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(policy.Schema()))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("failloud.schema.json", doc))
	schema, err := compiler.Compile("failloud.schema.json")
	require.NoError(t, err)
	return schema
}

// plain is a YAML text as an editor shows it to the schema.
func plain(t testing.TB, data []byte) any {
	t.Helper()
	var n yaml.Node
	if len(strings.TrimSpace(string(data))) == 0 || yaml.Load(data, &n) != nil {
		return nil
	}
	return value(t, &n)
}

func value(t testing.TB, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.DocumentNode:
		return value(t, n.Content[0])
	case yaml.AliasNode:
		return value(t, n.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, value(t, item))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			m[key.Value] = value(t, n.Content[i+1])
		}
		return m
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		require.NoError(t, n.Decode(&b))
		return b
	case "!!int", "!!float":
		var f float64
		if n.Decode(&f) != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return n.Value
		}
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return n.Value
}

// Whatever can be said in a file an editor knows, and the reverse.
func TestTheSchemaHasTheKeysOfTheFile(t *testing.T) {
	t.Parallel()
	var root map[string]any
	require.NoError(t, json.Unmarshal([]byte(policy.Schema()), &root))
	got := map[string][]string{}
	collect(t, root, root, "", got)
	require.Equal(t, policy.Shape(), got)
	require.Contains(t, got["tools.*.rules"], "soft_error", "the walk reaches the bottom")
	require.Contains(t, got["tasks.*.require[]"], "for_each")
}

// collect lists the properties of a schema by their paths.
func collect(t *testing.T, root, at map[string]any, path string, into map[string][]string) {
	if ref, ok := at["$ref"].(string); ok {
		collect(t, root, root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), path, into)
	}
	if properties, ok := at["properties"].(map[string]any); ok {
		require.Equal(t, false, at["additionalProperties"], "%s takes any key", path)
		into[path] = slices.Sorted(maps.Keys(properties))
		for key, below := range properties {
			p := key
			if path != "" {
				p = path + "." + key
			}
			require.NotEmpty(t, below.(map[string]any)["description"], "%s is not explained", p)
			collect(t, root, below.(map[string]any), p, into)
		}
		return
	}
	if each, ok := at["additionalProperties"].(map[string]any); ok {
		collect(t, root, each, path+".*", into)
	}
	if item, ok := at["items"].(map[string]any); ok {
		collect(t, root, item, path+"[]", into)
	}
}

func TestTheSchemaHasTheWrittenFormsOfTheFile(t *testing.T) {
	t.Parallel()
	for what, pattern := range map[string]string{"rates": policy.RatePattern, "durations": policy.DurationPattern} {
		text, err := json.Marshal(pattern)
		require.NoError(t, err)
		require.Contains(t, policy.Schema(), `"pattern": `+string(text), what)
	}
	packed := strings.Join(strings.Fields(policy.Schema()), "")
	for what, names := range policy.Choices {
		text, err := json.Marshal(names)
		require.NoError(t, err)
		require.Contains(t, packed, `"enum":`+string(text), what)
	}
}

func TestTheExampleUsesEveryKeyAndIsValid(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/failloud.yaml")
	require.NoError(t, err)
	_, err = policy.Parse("failloud.yaml", data)
	require.NoError(t, err)
	require.NoError(t, editor(t).Validate(plain(t, data)))
	for path, keys := range policy.Shape() {
		for _, key := range keys {
			require.Contains(t, string(data), key+":", "%s.%s", path, key)
		}
	}
}
