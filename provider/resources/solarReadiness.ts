import * as pulumi from "@pulumi/pulumi";
import { didYouMean } from "../settings/explain";
import { inverter } from "../settings/inverter";
import type { LintName } from "../settings/lints";
import { missingFor, policyName, type SiteDevice } from "../settings/readiness";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { bareValue } from "./bareValue";
import { InverterSettings, type InverterSettingsArgs } from "./inverterSettings";
import { tellOfChildren } from "./program";
import type { SettingsArgs, SettingsResource } from "./settingsResource";
import { type SiteMember, siteMembersOf } from "./siteMember";
import { unseen } from "./unverified";
import { resourceError, userError } from "./userError";
import { VehicleSettings, type VehicleSettingsArgs } from "./vehicleSettings";

/** The metadata of a vehicle of a site. Its policy is the site's. */
export type SiteVehicleArgs = Omit<VehicleSettingsArgs, "policy"> & { policy?: never };

/** The devices of one site. Each has a key, which names it in reasons and in the names of its resources. */
export interface SolarReadinessArgs {
  /** A resource in place of arguments stays as it is; the site declares the policy of one that declares none. */
  vehicles: Readonly<Record<string, SiteVehicleArgs | VehicleSettings>>;
  /** A resource in place of arguments stays as it is. */
  inverters: Readonly<Record<string, InverterSettingsArgs | InverterSettings>>;
  /** Latitude of the site in degrees, -90 to 90, north positive. It is not sent: with it, azimuths are looked at. */
  latitude?: pulumi.Input<number | undefined>;
  /** Whether a site that is not ready fails the preview, and an update before it sends anything. Default: false. */
  requireReady?: pulumi.Input<boolean | undefined>;
}

/** Type token of a site. */
export const SOLAR_READINESS = "solar-charging:index:SolarReadiness";

/**
 * Makes a site ready for solar-aware charging: declares the inverters' metadata first, then the vehicles', and last the
 * policy CHARGE BY FORECAST, of each vehicle that lacks nothing it needs. A delete goes the other way round.
 */
export class SolarReadiness extends pulumi.ComponentResource {
  /**
   * Whether nothing is missing. Known in a preview when the arguments are; in an update, once the service has accepted
   * all of it.
   */
  readonly ready: pulumi.Output<boolean>;
  /** What is missing, such as `vehicle/car: maxCapacity not declared`. Known in a preview when the arguments are. */
  readonly missing: pulumi.Output<string[]>;
  /** What was accepted and is not seen, such as `vehicle/car: maxCapacity accepted, not reported`. */
  readonly unverified: pulumi.Output<string[]>;

  constructor(name: string, args: SolarReadinessArgs, opts?: pulumi.ComponentResourceOptions) {
    super(SOLAR_READINESS, name, {}, opts);
    const { vehicles, inverters, latitude, requireReady } = knownArguments(name, args);
    const roofs = siteMembersOf(name, inverter, inverters);
    const cars = siteMembersOf(name, vehicle, vehicles);
    const policies = policyNames(name, cars);
    this.missing = missingAmong([...cars, ...roofs]);
    const refusal = this.#refusal(name, requireReady);
    const heldBack = requireReady === undefined ? undefined : bareValue(refusal);
    // The policy alone: a vehicle's own resource may have declared one before the site did, and lets go of it.
    tellOfChildren(this, (child) => ({ heldBack, ...(policies.has(child) && { keeps: ["policy"] }) }));

    const declared: [label: string, resource: SettingsResource][] = [];
    const roofSettings = roofs.map(({ key, given }) => {
      const settings = InverterSettings.isInstance(given)
        ? given
        : new InverterSettings(
            `${name}-${key}`,
            {
              ...(latitude !== undefined && { latitude }),
              ...given,
              ignoreLints: ignoring("incomplete-inverter", given),
            },
            { parent: this },
          );
      declared.push([`inverter/${key}`, settings]);
      return settings;
    });
    for (const car of cars) {
      const { key, given } = car;
      const metadata = VehicleSettings.isInstance(given)
        ? given
        : new VehicleSettings(
            `${name}-${key}`,
            { ...given, ignoreLints: ignoring("ignored-metadata", given) },
            { parent: this, dependsOn: roofSettings },
          );
      declared.push([`vehicle/${key}`, metadata]);
      if (!car.takesPolicy) continue;
      const policy = missingAmong([car, ...roofs]).apply((missing) =>
        missing.length === 0 ? ChargePolicy.ChargeByForecast : undefined,
      );
      const { deviceId, businessId, onDelete } = car.declared;
      const policyOnly = new VehicleSettings(
        policyName(`${name}-${key}`),
        { deviceId, businessId, onDelete, policy, ignoreLints: ["forecast-without-metadata"] },
        { parent: this, dependsOn: [...roofSettings, metadata] },
      );
      declared.push([`vehicle/${key}`, policyOnly]);
    }
    // A URN is there once the preview has checked the resource, or the update has applied it.
    const accepted = pulumi.all(declared.map(([, { urn }]) => urn));
    this.ready = pulumi.all([this.missing, accepted]).apply(([missing]) => missing.length === 0);
    this.unverified = pulumi.all(declared.map((one) => unseen(...one))).apply((lists) => lists.flat());
    this.registerOutputs({ ready: this.ready, missing: this.missing, unverified: this.unverified });
  }

  /** Tells what is missing. @returns why nothing may be sent, where the site has to be ready; the program fails then too */
  #refusal(name: string, requireReady: pulumi.Input<boolean | undefined> = false): pulumi.Output<string | undefined> {
    const problem = pulumi.all([this.missing, requireReady]).apply(([missing, isRequired]) => {
      if (missing.length === 0) return undefined;
      const reason = `site '${name}' is not ready for solar-aware charging: ${missing.join("; ")}`;
      if (isRequired) return reason;
      pulumi.log.warn(reason, this);
      return undefined;
    });
    problem.apply((reason) => {
      if (reason) throw resourceError(`${reason}. Declare what is missing, or leave out requireReady`, this);
    });
    return problem.apply((reason) => reason && `not sent, because site '${name}' has to be ready and is not`);
  }
}

/** @throws pulumi.RunError where there is an argument that is none: in JavaScript, a misspelled one would have no effect */
function knownArguments(name: string, args: SolarReadinessArgs = {} as SolarReadinessArgs): SolarReadinessArgs {
  const known = ["vehicles", "inverters", "latitude", "requireReady"];
  const stranger = Object.keys(args).find((key) => !known.includes(key));
  if (stranger === undefined) return args;
  throw userError(`${stranger} of site '${name}' is not an argument of SolarReadiness${didYouMean(stranger, known)}`);
}

/** Names of the resources that declare policies. @throws pulumi.RunError where another vehicle's would have the same name */
function policyNames(site: string, cars: readonly SiteMember<object>[]): ReadonlySet<string> {
  const taking = cars.filter(({ takesPolicy }) => takesPolicy);
  for (const { key } of taking) {
    const other = cars.find((car) => car.key === `${key}-policy` && !VehicleSettings.isInstance(car.given));
    if (!other) continue;
    throw userError(
      `vehicles.${other.key} of site '${site}' would be called ${policyName(`${site}-${key}`)}, as the policy of ` +
        `vehicles.${key} is: give one of them another key`,
    );
  }
  return new Set(taking.map(({ key }) => policyName(`${site}-${key}`)));
}

/** What is missing. In a preview, what is surely missing, or unknown where nothing is and something is not known. */
function missingAmong(members: readonly SiteMember<unknown>[]): pulumi.Output<string[]> {
  const decided = Promise.all(members.map(({ device }) => device)).then((devices) => {
    const missing = missingFor(devices.map(supposed));
    const isDecided = missing.length > 0 || !pulumi.containsUnknowns(devices.map(({ values }) => values));
    return isDecided ? missing : (pulumi.unknown as unknown as string[]);
  });
  return pulumi.output(decided);
}

/** A device whose values that are not known yet are supposed to be right. */
function supposed(device: SiteDevice): SiteDevice {
  const values = Object.entries(device.values).map(([setting, value]) => [
    setting,
    pulumi.isUnknown(value) ? ChargePolicy.ChargeByForecast : value,
  ]);
  return { ...device, values: Object.fromEntries(values) };
}

/** The lints that a program ignores, and one that would miss what the site declares elsewhere. */
function ignoring(lint: LintName, { ignoreLints }: SettingsArgs): pulumi.Output<LintName[]> {
  return pulumi.output(ignoreLints).apply((ignored = []) => [...ignored, lint]);
}
