import * as pulumi from "@pulumi/pulumi";
import type { MockResourceArgs } from "@pulumi/pulumi/runtime";

/** Outputs that the mocked engine answers with. */
export type Answer = (asked: MockResourceArgs) => Record<string, unknown>;

export interface MockedEngine {
  /** Everything that the engine was asked to register or, with an id, to read. */
  readonly asked: readonly MockResourceArgs[];
  /** What the engine was asked for this resource, once it has answered. */
  askedFor(resource: pulumi.CustomResource): Promise<MockResourceArgs>;
  /** Sets what the engine answers with; until then the inputs. */
  answers(answer: Answer): void;
}

/** Runs the classes of each test against a mocked engine of its own. There is no stack resource in it. */
export function mockedEngine(): MockedEngine {
  const asked: MockResourceArgs[] = [];
  const echo: Answer = ({ inputs }) => inputs;
  let answer = echo;
  beforeEach(async () => {
    asked.length = 0;
    answer = echo;
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource(args) {
        asked.push(args);
        return { id: args.id || `id of ${args.name}`, state: answer(args) };
      },
    });
  });
  return {
    asked,
    async askedFor(resource) {
      const urn = await resolved(resource.urn);
      const [found, ...others] = asked.filter(({ name }) => urn.endsWith(`::${name}`));
      if (!found || others.length > 0) throw new Error(`the engine was not asked once for ${urn}`);
      return found;
    },
    answers(given) {
      answer = given;
    },
  };
}

/** The value of an output, once it is known. */
export async function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return await new Promise((resolve) => {
    output.apply(resolve);
  });
}

/** The resource, once the engine has answered: nothing of it is under way any more. */
export async function registered<R extends pulumi.Resource>(resource: R): Promise<R> {
  await resolved(resource.urn);
  return resource;
}
