// A host of programs in Go, Python or TypeScript for the tests, with the generators of the current engine. Pulumi publishes the
// generators as modules, but only old versions of its hosts, which generate no SDK. This program starts the old host of the language in
// its own name. It passes on all calls but three, which it answers with the current generators.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/python/toolchain"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The host of one language.
type host struct {
	rpc.UnimplementedLanguageRuntimeServer
	language
	published *grpc.ClientConn
}

// What differs between languages.
type language struct {
	sdk     func(*schema.Package, *rpc.GeneratePackageRequest, schema.ReferenceLoader) (map[string][]byte, error)
	program func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	// Adds a generated SDK to a project. Returns the line that imports it.
	link func(ctx context.Context, project *rpc.ProgramInfo, path string, sdk *schema.Package) (string, error)
}

var languages = map[string]language{
	"go": {
		func(sdk *schema.Package, request *rpc.GeneratePackageRequest, _ schema.ReferenceLoader) (map[string][]byte, error) {
			return golang.GeneratePackage("pulumi", sdk, request.LocalDependencies)
		},
		golang.GenerateProgram,
		func(ctx context.Context, project *rpc.ProgramInfo, path string, sdk *schema.Package) (string, error) {
			replacement := golang.ExtractModulePath(sdk.Reference()) + "=./" + filepath.ToSlash(path)
			return fmt.Sprintf("import %q", sdk.Language["go"].(golang.GoPackageInfo).ImportBasePath),
				run(ctx, project, "go", "mod", "edit", "-replace", replacement)
		},
	},
	"nodejs": {
		func(sdk *schema.Package, request *rpc.GeneratePackageRequest, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return nodejs.GeneratePackage("pulumi", sdk, request.ExtraFiles, request.LocalDependencies, request.Local, loader)
		},
		nodejs.GenerateProgram,
		func(ctx context.Context, project *rpc.ProgramInfo, path string, sdk *schema.Package) (string, error) {
			name := sdk.Language["nodejs"].(nodejs.NodePackageInfo).PackageName
			return fmt.Sprintf("import * as %s from %q", strings.ReplaceAll(sdk.Name, "-", "_"), name),
				run(ctx, project, "npm", "pkg", "set", fmt.Sprintf("dependencies[%s]=file:%s", name, filepath.ToSlash(path)))
		},
	},
	"python": {
		func(sdk *schema.Package, request *rpc.GeneratePackageRequest, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return python.GeneratePackage("pulumi", sdk, request.ExtraFiles, loader)
		},
		python.GenerateProgram,
		func(ctx context.Context, project *rpc.ProgramInfo, path string, sdk *schema.Package) (string, error) {
			tools, err := toolchain.ResolveToolchain(toolchain.PythonOptions{
				Root: project.RootDirectory, ProgramDir: project.ProgramDirectory,
			})
			if err != nil {
				return "", err
			}
			name := sdk.Language["python"].(python.PackageInfo).PackageName
			return "import " + name, tools.LinkPackages(ctx, map[string]string{name: path})
		},
	},
}

var importers = map[string]schema.Language{"go": golang.Importer, "nodejs": nodejs.Importer, "python": python.Importer}

func main() {
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

func serve() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	name := filepath.Base(self)
	published := exec.Command(filepath.Join(filepath.Dir(self), "published", name), append(virtualenv(), os.Args[1:]...)...)
	published.Stderr = os.Stderr
	stdout, err := published.StdoutPipe()
	if err != nil {
		return err
	}
	if err := published.Start(); err != nil {
		return err
	}
	output := bufio.NewReader(stdout)
	port, err := output.ReadString('\n')
	if err != nil {
		return err
	}
	connection, err := grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port),
		grpc.WithTransportCredentials(insecure.NewCredentials()), rpcutil.GrpcChannelOptions())
	if err != nil {
		return err
	}
	ours := &host{language: languages[strings.TrimPrefix(name, "pulumi-language-")], published: connection}
	server, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init:    func(server *grpc.Server) error { server.RegisterService(&calls, ours); return nil },
		Options: []grpc.ServerOption{grpc.UnknownServiceHandler(ours.passOn)},
	})
	if err != nil {
		return err
	}
	fmt.Println(server.Port)
	// The old host ends with the engine, and this one with the old host.
	if _, err := io.Copy(os.Stdout, output); err != nil {
		return err
	}
	return published.Wait()
}

// The option of a project in Python that the old host expects as an argument. The current engine sends it with each call.
func virtualenv() []string {
	path, err := workspace.DetectProjectPath()
	if err != nil {
		return nil
	}
	project, err := workspace.LoadProject(path)
	if err != nil {
		return nil
	}
	folder, ok := project.Runtime.Options()["virtualenv"].(string)
	if !ok {
		return nil
	}
	return []string{"-root", filepath.Dir(path), "-virtualenv", folder}
}

// The calls that are answered here.
var calls = func() grpc.ServiceDesc {
	service := rpc.LanguageRuntime_ServiceDesc
	service.Streams = nil
	service.Methods = slices.DeleteFunc(slices.Clone(service.Methods), func(method grpc.MethodDesc) bool {
		return !slices.Contains([]string{"GeneratePackage", "GenerateProgram", "Link"}, method.MethodName)
	})
	return service
}()

// Passes a call on to the old host. An empty message keeps the fields that it does not know.
func (h *host) passOn(_ any, engine grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(engine)
	published, err := h.published.NewStream(engine.Context(), &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	var request emptypb.Empty
	if err := engine.RecvMsg(&request); err != nil {
		return err
	}
	if err := published.SendMsg(&request); err != nil {
		return err
	}
	if err := published.CloseSend(); err != nil {
		return err
	}
	for {
		var answer emptypb.Empty
		err := published.RecvMsg(&answer)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := engine.SendMsg(&answer); err != nil {
			return err
		}
	}
}

func (h *host) GeneratePackage(
	_ context.Context, request *rpc.GeneratePackageRequest,
) (*rpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	sdk, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	response := &rpc.GeneratePackageResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)}
	if diagnostics.HasErrors() {
		return response, nil
	}
	files, err := h.sdk(sdk, request, loader)
	if err != nil {
		return nil, err
	}
	for name, content := range files {
		file := filepath.Join(request.Directory, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return nil, err
		}
	}
	return response, nil
}

func (h *host) GenerateProgram(
	_ context.Context, request *rpc.GenerateProgramRequest,
) (*rpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	parser := syntax.NewParser()
	for path, text := range request.Source {
		if err := parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	// An imported resource may refer to a parent or a provider that is not among the imported ones.
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader, pcl.NonStrictBindOptions()...)
	if err != nil {
		return nil, err
	}
	files, more, err := h.program(program)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(parser.Diagnostics, diagnostics, more)
	return &rpc.GenerateProgramResponse{Source: files, Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(all)}, nil
}

func (h *host) Link(ctx context.Context, request *rpc.LinkRequest) (*rpc.LinkResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	instructions := []string{"Import the SDK:"}
	for _, dependency := range request.Packages {
		version := semver.MustParse(dependency.Package.Version)
		reference, err := loader.LoadPackageReference(dependency.Package.Name, &version)
		if err != nil {
			return nil, err
		}
		sdk, err := reference.Definition()
		if err != nil {
			return nil, err
		}
		if err := sdk.ImportLanguages(importers); err != nil {
			return nil, err
		}
		line, err := h.link(ctx, request.Info, dependency.Path, sdk)
		if err != nil {
			return nil, err
		}
		instructions = append(instructions, line)
	}
	return &rpc.LinkResponse{ImportInstructions: strings.Join(instructions, "\n  ")}, nil
}

func run(ctx context.Context, project *rpc.ProgramInfo, name string, args ...string) error {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = project.ProgramDirectory
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, output)
	}
	return nil
}
