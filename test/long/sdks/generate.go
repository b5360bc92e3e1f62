// Writes the SDK of a language from the schema of a package, as `pulumi package gen-sdk` does where the host of that language is
// installed: the generators are published as a module, the hosts that call them are not.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"go": func(pkg *schema.Package) (files, error) {
		return golang.GeneratePackage("test", pkg, nil)
	},
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage("test", pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage("test", pkg, nil, nil)
	},
}

func main() {
	schemaFile, folder := os.Args[1], os.Args[2]
	for language, generate := range generators {
		made := must(generate(bind(schemaFile)))
		for name, content := range made {
			file := filepath.Join(folder, language, name)
			check(os.MkdirAll(filepath.Dir(file), 0o755))
			check(os.WriteFile(file, content, 0o644))
		}
	}
}

// A generator changes the package that it gets, so each gets its own.
func bind(file string) *schema.Package {
	var spec schema.PackageSpec
	check(json.Unmarshal(must(os.ReadFile(file)), &spec))
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	check(err)
	if diagnostics.HasErrors() {
		log.Fatal(diagnostics)
	}
	return pkg
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
