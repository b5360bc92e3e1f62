import * as pulumi from "@pulumi/pulumi";
import type { FleetManifest } from "../manifest/fleetManifest";
import type { Manifest, Member, Site } from "../manifest/model";
import { didYouMean, typeName } from "../settings/explain";
import { takesPolicy } from "../settings/readiness";
import { InverterSettings, type InverterSettingsArgs } from "./inverterSettings";
import type { SettingsResource } from "./settingsResource";
import { SOLAR_READINESS, SolarReadiness } from "./solarReadiness";
import { unseen } from "./unverified";
import { userError } from "./userError";
import { VehicleSettings, type VehicleSettingsArgs } from "./vehicleSettings";

/** A fleet, or the part of one that is a stack's. */
export interface FleetSettingsArgs {
  /** A file in YAML, JSON or CSV, relative to the program's folder; or what it would have, as an object. */
  manifest: string | FleetManifest;
  /** The shard whose sites are declared, such as `shard-07-of-16`; `pulumi.getStack()` is one. Default: all sites. */
  shard?: string;
}

/**
 * Declares the devices of a fleet's manifest: each solar site as a `SolarReadiness` that is named by the site's id, and
 * all other devices, and vehicles that name a policy, as settings named `<site>-<name of the device>`.
 */
export class FleetSettings extends pulumi.ComponentResource {
  /** Whether nothing is missing at the solar sites. Known when that of every site is. */
  readonly ready: pulumi.Output<boolean>;
  /** What is missing, such as `berlin: vehicle/car: maxCapacity not declared`. */
  readonly missing: pulumi.Output<string[]>;
  /** What was accepted and is not seen, such as `berlin: vehicle/car: maxCapacity accepted, not reported`. */
  readonly unverified: pulumi.Output<string[]>;

  constructor(name: string, args: FleetSettingsArgs, opts?: pulumi.ComponentResourceOptions) {
    const sites = declaredSites(name, args);
    super("solar-charging:index:FleetSettings", name, {}, opts);
    const made = sites.map((site) => ({ site, ...declare(site, this) }));
    const solar = made.flatMap(({ site, readiness }) => (readiness ? [{ site, readiness }] : []));
    this.ready = pulumi.all(solar.map(({ readiness }) => readiness.ready)).apply((all) => all.every(Boolean));
    this.missing = joined(solar.map(({ site, readiness }) => [site, readiness.missing]));
    this.unverified = joined([
      ...solar.map(({ site, readiness }): [Site, pulumi.Output<string[]>] => [site, readiness.unverified]),
      ...made.flatMap(({ site, plain }) =>
        plain.map(([label, one]): [Site, pulumi.Output<string[]>] => [site, unseen(label, one)]),
      ),
    ]);
    this.registerOutputs({ ready: this.ready, missing: this.missing, unverified: this.unverified });
  }
}

interface Declared {
  readonly readiness?: SolarReadiness;
  readonly plain: readonly [label: string, resource: SettingsResource][];
}

function declare(site: Site, parent: FleetSettings): Declared {
  const { id, latitude, requireReady } = site;
  const isPart = (member: Member) => takesPolicy(site, member);
  const vehicles = site.vehicles.filter((member) => !isPart(member));
  const inverters = site.isSolar ? [] : site.inverters;
  const place = latitude === undefined ? {} : { latitude };
  const readiness = site.isSolar && {
    readiness: new SolarReadiness(
      id,
      {
        vehicles: byName(site.vehicles.filter(isPart)),
        inverters: byName(site.inverters),
        requireReady,
        ...place,
      },
      { parent, transformations: [alsoBeneath(parent)] },
    ),
  };
  const plain: [string, SettingsResource][] = [
    ...inverters.map((member): [string, SettingsResource] => [
      `inverter/${member.name}`,
      new InverterSettings(`${id}-${member.name}`, { ...argumentsOf(member), ...place }, { parent }),
    ]),
    ...vehicles.map((member): [string, SettingsResource] => [
      `vehicle/${member.name}`,
      new VehicleSettings(`${id}-${member.name}`, argumentsOf(member), { parent }),
    ]),
  ];
  return { ...readiness, plain };
}

/**
 * Has the engine know the devices of a site under the parent that they have where the site is not solar, so that they stay
 * the same resources, with their baselines, when it becomes solar. The other way round there is no such alias: where the
 * site is no target of an update, the engine (3.259) then writes a state in which children come before their parents.
 */
function alsoBeneath(parent: FleetSettings): pulumi.ResourceTransformation {
  return ({ type, props, opts }) =>
    type === SOLAR_READINESS ? undefined : { props, opts: pulumi.mergeOptions(opts, { aliases: [{ parent }] }) };
}

function byName(members: readonly Member[]): Record<string, InverterSettingsArgs & { policy?: never }> {
  return Object.fromEntries(members.map((member) => [member.name, argumentsOf(member)]));
}

/** What a resource declares of a device. */
function argumentsOf({ name, values, ...device }: Member): VehicleSettingsArgs & { policy?: never } {
  return { ...device, ...values };
}

/** Lists of what is to be said of sites as one, each sentence with its site. */
function joined(lists: readonly [Site, pulumi.Output<string[]>][]): pulumi.Output<string[]> {
  const outputs = pulumi.all(lists.map(([, list]) => list));
  return outputs.apply((all) => all.flatMap((list, index) => list.map((text) => `${lists[index]?.[0].id}: ${text}`)));
}

/**
 * The sites that are to be declared.
 * @throws pulumi.RunError with everything that is wrong with the manifest; and where it has no sites, as one that was cut
 *   short must not let go of a whole fleet
 */
function declaredSites(name: string, args: FleetSettingsArgs): readonly Site[] {
  const { manifest, shard } = knownArguments(name, args);
  const fleet = read(manifest);
  if (fleet.sites.length === 0) {
    throw userError(
      `the manifest of ${fleet.fleet} has no sites, and nothing is done: to let go of all devices of a stack, ` +
        "run 'pulumi destroy', which does not need the manifest",
    );
  }
  if (shard === undefined) return fleet.sites;
  const { shardName, shardNamed, shardsOf, sitesOf } =
    require("../manifest/shards") as typeof import("../manifest/shards");
  const named = shardNamed(shard);
  if (named && named.of === (fleet.shards ?? named.of)) return sitesOf(fleet, named);
  const shards = shardsOf(fleet);
  throw userError(
    `shard of FleetSettings '${name}': ${JSON.stringify(shard)} is none of fleet '${fleet.fleet}', whose shards are ` +
      `called ${shardName(1, shards)} to ${shardName(shards, shards)}`,
  );
}

function read(manifest: string | FleetManifest): Manifest {
  // A program without a fleet does not load the parser; a class cannot wait for an import.
  const { readManifest, toManifest } = require("../manifest/manifest") as typeof import("../manifest/manifest");
  const { ManifestError } = require("../manifest/error") as typeof import("../manifest/error");
  try {
    return typeof manifest === "string" ? readManifest(manifest) : toManifest(manifest);
  } catch (error) {
    if (error instanceof ManifestError) throw userError(error.message);
    throw error;
  }
}

/** @throws pulumi.RunError where an argument is none, or is not what it has to be, as a program in JavaScript may give it */
function knownArguments(name: string, args: FleetSettingsArgs): FleetSettingsArgs {
  const known = ["manifest", "shard"];
  const stranger = Object.keys(args ?? {}).find((key) => !known.includes(key));
  if (stranger !== undefined) {
    throw userError(`${stranger} of FleetSettings '${name}' is not an argument of it${didYouMean(stranger, known)}`);
  }
  const problem = (key: string, what: string, value: unknown) =>
    userError(`${key} of FleetSettings '${name}' has to be ${what}, not ${typeName(value)}`);
  const isManifest =
    typeof args?.manifest === "string" || (typeof args?.manifest === "object" && args.manifest !== null);
  if (!isManifest) throw problem("manifest", "the name of a file, or an object", args?.manifest);
  if (args.shard !== undefined && typeof args.shard !== "string") throw problem("shard", "a name", args.shard);
  return args;
}
