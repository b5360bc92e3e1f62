import * as pulumi from "@pulumi/pulumi";
import { inverter } from "../settings/inverter";
import type { LintName } from "../settings/lints";
import { missingFor, type SiteDevice } from "../settings/readiness";
import { type DeviceKind, keysOf, pick } from "../settings/setting";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { InverterSettings, type InverterSettingsArgs } from "./inverterSettings";
import { holdBack } from "./program";
import { declaredBy, isResourceOf, type SettingsArgs, type SettingsResource } from "./settingsResource";
import { VehicleSettings, type VehicleSettingsArgs } from "./vehicleSettings";

/** The metadata of a vehicle of a site. Its policy is the site's. */
export type SiteVehicleArgs = Omit<VehicleSettingsArgs, "policy">;

/** The devices of one site. Each has a key, which names it in reasons and in the names of its resources. */
export interface SolarReadinessArgs {
  /** A resource in place of arguments stays as it is; the site declares the policy of one that declares none. */
  vehicles: Readonly<Record<string, SiteVehicleArgs | VehicleSettings>>;
  /** A resource in place of arguments stays as it is. */
  inverters: Readonly<Record<string, InverterSettingsArgs | InverterSettings>>;
  /** Latitude of the site in degrees, -90 to 90, north positive. It is not sent: with it, azimuths are looked at. */
  latitude?: pulumi.Input<number>;
  /** Whether a site that is not ready fails the preview, and an update before it sends anything. Default: false. */
  requireReady?: pulumi.Input<boolean>;
}

/**
 * Makes a site ready for solar-aware charging: declares the inverters' metadata first, then the vehicles', and last the
 * policy CHARGE BY FORECAST, of each vehicle that lacks nothing it needs. A delete goes the other way round.
 */
export class SolarReadiness extends pulumi.ComponentResource {
  /** Whether nothing is missing. Known in a preview when the arguments are. */
  readonly ready: pulumi.Output<boolean>;
  /** What is missing, such as `vehicle/car: maxCapacity not declared`. Known in a preview when the arguments are. */
  readonly missing: pulumi.Output<string[]>;
  /** What was accepted and is not seen, such as `vehicle/car: maxCapacity accepted, not reported`. */
  readonly unverified: pulumi.Output<string[]>;

  constructor(name: string, args: SolarReadinessArgs, opts?: pulumi.ComponentResourceOptions) {
    super("solar-charging:index:SolarReadiness", name, {}, opts);
    const inverters = Object.entries(args.inverters ?? {}).map(([key, given]) => memberOf(inverter, key, given));
    const vehicles = Object.entries(args.vehicles ?? {}).map(([key, given]) => memberOf(vehicle, key, given));
    this.missing = missingAmong([...vehicles, ...inverters]);
    this.ready = this.missing.apply((missing) => missing.length === 0);
    holdBack(this, this.#refusal(name, args.requireReady));

    const unverified: pulumi.Output<string[]>[] = [];
    const roofs = inverters.map((member) => {
      const { key, given } = member;
      const latitude = args.latitude !== undefined && { latitude: args.latitude };
      const roof = InverterSettings.isInstance(given)
        ? given
        : new InverterSettings(
            `${name}-${key}`,
            { ...latitude, ...given, ignoreLints: ignoring("incomplete-inverter", given) },
            { parent: this },
          );
      unverified.push(unseen(member, roof));
      return roof;
    });
    for (const member of vehicles) {
      const { key, given } = member;
      const car = VehicleSettings.isInstance(given)
        ? given
        : new VehicleSettings(
            `${name}-${key}`,
            { ...given, ignoreLints: ignoring("ignored-metadata", given) },
            { parent: this, dependsOn: roofs },
          );
      unverified.push(unseen(member, car));
      if (!member.takesPolicy) continue;
      const policy = missingAmong([member, ...inverters]).apply((missing) =>
        missing.length === 0 ? ChargePolicy.ChargeByForecast : undefined,
      );
      const { deviceId, businessId, onDelete } = member.declared;
      const policyOnly = new VehicleSettings(
        `${name}-${key}-policy`,
        { deviceId, businessId, onDelete, policy, ignoreLints: ["forecast-without-metadata"] },
        { parent: this, dependsOn: [...roofs, car] },
      );
      unverified.push(unseen(member, policyOnly));
    }
    this.unverified = pulumi.all(unverified).apply((lists) => lists.flat());
    this.registerOutputs({ ready: this.ready, missing: this.missing, unverified: this.unverified });
  }

  /** Tells what is missing, and gives the reason to hold everything back where the site has to be ready. */
  #refusal(name: string, requireReady: pulumi.Input<boolean> = false): pulumi.Output<string | undefined> {
    return pulumi.all([this.missing, requireReady]).apply(([missing, isRequired]) => {
      if (missing.length === 0) return undefined;
      const reason = `site '${name}' is not ready for solar-aware charging: ${missing.join("; ")}`;
      if (!isRequired) {
        pulumi.log.warn(reason, this);
        return undefined;
      }
      pulumi.log.error(`${reason}. Declare what is missing, or leave out requireReady`, this);
      return `nothing is sent, because site '${name}' is not ready and requireReady is set`;
    });
  }
}

/** A device of a site. */
interface Member<Given> {
  readonly key: string;
  readonly given: Given;
  /** The arguments that declare it, of here or of the resource; nothing where the program only reads it. */
  readonly declared: pulumi.Inputs;
  /** Whether the site declares its policy. */
  readonly takesPolicy: boolean;
  /** Its key, with its kind. */
  readonly label: string;
  readonly device: pulumi.Output<SiteDevice>;
}

function memberOf<Given extends object>(kind: DeviceKind, key: string, given: Given): Member<Given> {
  const isResource = pulumi.Resource.isInstance(given);
  if (isResource && !isResourceOf(kind, given)) {
    throw new pulumi.RunError(`'${key}' among the ${kind.name}s of a site is a resource, but no ${kind.resource}`);
  }
  const declared: pulumi.Inputs | undefined = isResource ? declaredBy(given) : given;
  const takesPolicy = kind === vehicle && declared !== undefined && declared.policy === undefined;
  const label = `${kind.name}/${key}`;
  const policy = takesPolicy && { policy: ChargePolicy.ChargeByForecast };
  // In a preview, the output of a setting that is not reported is unknown; what is reported, as a whole, is known.
  const settings: pulumi.Inputs | undefined = declared
    ? pick<unknown>({ ...declared, ...policy }, keysOf(kind))
    : (given as pulumi.Inputs).reported;
  const isOnlyRead = declared === undefined;
  const device = pulumi.output(settings).apply((values = {}) => ({ kind, label, values, isOnlyRead }));
  return { key, given, declared: declared ?? {}, takesPolicy, label, device };
}

function missingAmong(members: readonly Member<unknown>[]): pulumi.Output<string[]> {
  return pulumi.all(members.map(({ device }) => device)).apply(missingFor);
}

/** What a resource declares, was accepted, and is not seen. */
function unseen({ label }: Member<unknown>, resource: SettingsResource): pulumi.Output<string[]> {
  const words = {
    pending: "accepted, another value is shown",
    notReported: "accepted, not reported",
    verified: undefined,
  };
  return resource.verification.apply((verification = {}) =>
    Object.entries(verification).flatMap(([setting, is]) => (words[is] ? [`${label}: ${setting} ${words[is]}`] : [])),
  );
}

/** The lints that a program ignores, and one that would miss what the site declares elsewhere. */
function ignoring(lint: LintName, { ignoreLints }: SettingsArgs): pulumi.Output<LintName[]> {
  return pulumi.output(ignoreLints).apply((ignored = []) => [...ignored, lint]);
}
