import * as pulumi from "@pulumi/pulumi";

/**
 * The value of an input, without what it depends on and whether it is a secret. In a preview, what is not known in it
 * is `pulumi.unknown`.
 */
export async function bareValue<T>(input: pulumi.Input<T>): Promise<pulumi.Unwrap<T>> {
  // What every version of the SDK takes from the outputs of another version, though it is in no type.
  const output = pulumi.output(input) as unknown as { promise(withUnknowns: true): Promise<pulumi.Unwrap<T>> };
  return await output.promise(true);
}
