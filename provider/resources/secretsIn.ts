import * as pulumi from "@pulumi/pulumi";

/** The paths of the secrets among the arguments of a resource; undefined if there are none. */
export function secretsIn(args: pulumi.Inputs): Promise<string[] | undefined> | undefined {
  const found = [...outputsIn(args, "")];
  if (found.length === 0) return undefined;
  const secrets = found.map(async ([path, output]) => ((await pulumi.isSecret(output)) ? [path] : []));
  return Promise.all(secrets).then((paths) => (paths.flat().length > 0 ? paths.flat() : undefined));
}

function* outputsIn(value: unknown, path: string): Generator<[path: string, output: pulumi.Output<unknown>]> {
  if (pulumi.Output.isInstance(value)) yield [path, value];
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* outputsIn(inner, path === "" ? key : `${path}.${key}`);
  }
}
