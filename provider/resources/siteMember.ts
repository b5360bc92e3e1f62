import * as pulumi from "@pulumi/pulumi";
import { typeName } from "../settings/explain";
import type { SiteDevice } from "../settings/readiness";
import { type DeviceKind, keysOf, pick } from "../settings/setting";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { bareValue } from "./bareValue";
import { declaredBy, isResourceOf } from "./settingsResource";
import { userError } from "./userError";

/** A device of a site. */
export interface SiteMember<Given> {
  readonly key: string;
  readonly given: Given;
  /** The arguments that declare it, of the site or of the resource; nothing where the program only reads it. */
  readonly declared: pulumi.Inputs;
  /** Whether the site declares its policy. */
  readonly takesPolicy: boolean;
  readonly device: Promise<SiteDevice>;
}

/** The members of one kind. @throws pulumi.RunError where they are not an object of arguments or resources, by key */
export function siteMembersOf<Given extends object>(
  site: string,
  kind: DeviceKind,
  given: Readonly<Record<string, Given>> | undefined,
): SiteMember<Given>[] {
  const name = `${kind.name}s`;
  const isPlain = given === undefined || (given !== null && Object.getPrototypeOf(given) === Object.prototype);
  if (!isPlain) {
    throw userError(`${name} of site '${site}' has to be an object of ${name} by key, not ${typeName(given)}`);
  }
  return Object.entries(given ?? {}).map(([key, member]) =>
    memberOf(`${name}.${key} of site '${site}'`, kind, key, member),
  );
}

function memberOf<Given extends object>(place: string, kind: DeviceKind, key: string, given: Given): SiteMember<Given> {
  const isResource = pulumi.Resource.isInstance(given);
  if (typeof given !== "object" || given === null || (isResource && !isResourceOf(kind, given))) {
    const found = isResource ? "another resource" : typeName(given);
    throw userError(`${place} has to be the arguments of a ${kind.resource}, or a ${kind.resource}, not ${found}`);
  }
  if (!isResource && "policy" in given && given.policy !== undefined) {
    throw userError(
      `${place} gives a policy, which the site sets: leave it out, or pass a ${kind.resource} that declares it`,
    );
  }
  const declared: pulumi.Inputs | undefined = isResource ? declaredBy(given) : given;
  const takesPolicy = kind === vehicle && declared !== undefined && declared.policy === undefined;
  const policy = takesPolicy && { policy: ChargePolicy.ChargeByForecast };
  // In a preview, the output of a setting that is not reported is unknown; what is reported, as a whole, is known.
  const settings: pulumi.Inputs | undefined = declared
    ? pick<unknown>({ ...declared, ...policy }, keysOf(kind))
    : (given as pulumi.Inputs).reported;
  const isOnlyRead = declared === undefined;
  const label = `${kind.name}/${key}`;
  const device = bareValue(settings).then((values = {}) => ({ kind, label, values, isOnlyRead }));
  return { key, given, declared: declared ?? {}, takesPolicy, device };
}
