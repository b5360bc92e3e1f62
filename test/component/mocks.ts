import * as pulumi from "@pulumi/pulumi";
import type { MockCallArgs, MockResourceArgs } from "@pulumi/pulumi/runtime";

/** The outputs with which the mocked engine answers. */
export type Answer = (asked: MockResourceArgs) => Record<string, unknown>;

export interface MockedEngine {
  /** The resources that the program registered or, with an id, read. */
  readonly asked: readonly MockResourceArgs[];
  /** The functions of the plugin that were called. */
  readonly invoked: readonly MockCallArgs[];
  /** The engine's request for this resource, after its answer. */
  askedFor(resource: pulumi.Resource): Promise<MockResourceArgs>;
  /** Sets the answers of the engine. Default: the inputs. */
  answers(answer: Answer): void;
  /** Sets the results of the plugin's functions. Default: none. */
  returns(result: (call: MockCallArgs) => object): void;
}

/** Runs the classes of each test with a new mocked engine. It has no stack resource. */
export function mockedEngine({ isPreview = false } = {}): MockedEngine {
  const asked: MockResourceArgs[] = [];
  const echo: Answer = ({ inputs }) => inputs;
  let answer = echo;
  const invoked: MockCallArgs[] = [];
  let result: (call: MockCallArgs) => object = () => ({});
  beforeEach(async () => {
    asked.length = 0;
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
  });
  return {
    asked,
    invoked,
    async askedFor(resource) {
      const urn = await resolved(resource.urn);
      const [found, ...others] = asked.filter(({ name }) => urn.endsWith(`::${name}`));
      if (!found || others.length > 0) throw new Error(`the engine was not asked once for ${urn}`);
      return found;
    },
    answers(given) {
      answer = given;
    },
    returns(given) {
      result = given;
    },
  };
}

/** The value of an output, once it is known. */
export async function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return await new Promise((resolve) => {
    output.apply(resolve);
  });
}

/** Whether the value of an output is known. In a preview, it may be unknown. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return await (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
}

/** The resource, after the engine has answered and no work for it is left. */
export async function registered<R extends pulumi.Resource>(resource: R): Promise<R> {
  await resolved(resource.urn);
  return resource;
}
