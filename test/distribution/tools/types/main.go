// Prints JSON Schemas of the custom resources of the chart, from the Go types of the projects that define them.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type schema map[string]any

var definitions = map[string]schema{}
var marshaler = reflect.TypeFor[json.Marshaler]()

func main() {
	objects := map[string]schema{
		"keda.sh/v1alpha1/ScaledObject":           schemaOf(reflect.TypeFor[keda.ScaledObject]()),
		"monitoring.coreos.com/v1/ServiceMonitor": schemaOf(reflect.TypeFor[monitoring.ServiceMonitor]()),
		"monitoring.coreos.com/v1/PrometheusRule": schemaOf(reflect.TypeFor[monitoring.PrometheusRule]()),
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"objects": objects, "definitions": definitions}); err != nil {
		panic(err)
	}
}

func schemaOf(t reflect.Type) schema {
	switch t {
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString]():
		return schema{"type": []string{"string", "number"}}
	}
	// The JSON of types with a custom marshaler can have any form.
	if t.Kind() != reflect.Pointer && (t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)) {
		return schema{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return schema{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return schema{"type": "integer"}
	case reflect.Slice, reflect.Array:
		return schema{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	}
	return schema{}
}

func structSchema(t reflect.Type) schema {
	name := t.PkgPath() + "." + t.Name()
	reference := schema{"$ref": "#/definitions/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)}
	if _, known := definitions[name]; known {
		return reference
	}
	properties := map[string]schema{}
	definitions[name] = schema{"type": "object", "properties": properties, "additionalProperties": false}
	addFields(t, properties)
	return reference
}

func addFields(t reflect.Type, properties map[string]schema) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && (field.Anonymous || strings.Contains(options, "inline")) && of.Kind() == reflect.Struct:
			addFields(of, properties)
		case name != "":
			properties[name] = schemaOf(field.Type)
		default:
			properties[field.Name] = schemaOf(field.Type)
		}
	}
}
