import * as pulumi from "@pulumi/pulumi";
import type { MockCallArgs, MockResourceArgs } from "@pulumi/pulumi/runtime";

/** Outputs that the mocked engine answers with. */
export type Answer = (asked: MockResourceArgs) => Record<string, unknown>;

export interface Logged {
  readonly severity: "warning" | "error";
  readonly message: string;
  readonly resource: pulumi.Resource | undefined;
}

export interface MockedEngine {
  /** Everything that the engine was asked to register or, with an id, to read. */
  readonly asked: readonly MockResourceArgs[];
  /** The functions of the plugin that were called. */
  readonly invoked: readonly MockCallArgs[];
  /** What the program logged. */
  readonly logged: readonly Logged[];
  /** What the engine was asked for this resource, once it has answered. */
  askedFor(resource: pulumi.Resource): Promise<MockResourceArgs>;
  /** The names of the resources that the one of this name was registered to depend on. */
  dependenciesOf(name: string): readonly string[];
  /** Sets what the engine answers with; until then the inputs. */
  answers(answer: Answer): void;
  /** Sets what functions of the plugin give; until then nothing. */
  returns(result: (call: MockCallArgs) => object): void;
}

/** Runs the classes of each test against a mocked engine of its own. There is no stack resource in it. */
export function mockedEngine({ isPreview = false } = {}): MockedEngine {
  const asked: MockResourceArgs[] = [];
  const logged: Logged[] = [];
  const dependencies = new Map<string, readonly string[]>();
  const echo: Answer = ({ inputs }) => inputs;
  let answer = echo;
  const invoked: MockCallArgs[] = [];
  let result: (call: MockCallArgs) => object = () => ({});
  const { warn, error } = pulumi.log;
  beforeEach(async () => {
    asked.length = 0;
    logged.length = 0;
    dependencies.clear();
    answer = echo;
    invoked.length = 0;
    result = () => ({});
    const mocks = {
      call(args: MockCallArgs) {
        invoked.push(args);
        return result(args);
      },
      newResource(args: MockResourceArgs) {
        asked.push(args);
        return { id: args.id || `id of ${args.name}`, state: answer(args) };
      },
    };
    await pulumi.runtime.setMocks(mocks, "project", "stack", isPreview);
    listenTo(pulumi.runtime.getMonitor() as unknown as Monitor, dependencies);
    const log = (severity: Logged["severity"]) => async (message: string, resource?: pulumi.Resource) => {
      logged.push({ severity, message, resource });
    };
    Object.assign(pulumi.log, { warn: log("warning"), error: log("error") });
  });
  afterEach(() => {
    Object.assign(pulumi.log, { warn, error });
  });
  return {
    asked,
    invoked,
    logged,
    async askedFor(resource) {
      const urn = await resolved(resource.urn);
      const [found, ...others] = asked.filter(({ name }) => urn.endsWith(`::${name}`));
      if (!found || others.length > 0) throw new Error(`the engine was not asked once for ${urn}`);
      return found;
    },
    dependenciesOf: (name) => dependencies.get(name) ?? [],
    answers(given) {
      answer = given;
    },
    returns(given) {
      result = given;
    },
  };
}

interface RegisterRequest {
  getName(): string;
  getDependenciesList(): string[];
}

interface Monitor {
  registerResource(request: RegisterRequest, done: unknown): Promise<void>;
}

/** Keeps the dependencies of each resource, which the mocks are not told. */
function listenTo(monitor: Monitor, dependencies: Map<string, readonly string[]>): void {
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = async (request, done) => {
    dependencies.set(
      request.getName(),
      request.getDependenciesList().map((urn) => urn.split("::").at(-1) ?? ""),
    );
    await register(request, done);
  };
}

/** The value of an output, once it is known. */
export async function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return await new Promise((resolve) => {
    output.apply(resolve);
  });
}

/** Whether the value of an output is known, as in a preview it may not be. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return await (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}

/** The resource, once the engine has answered: nothing of it is under way any more. */
export async function registered<R extends pulumi.Resource>(resource: R): Promise<R> {
  await resolved(resource.urn);
  return resource;
}
