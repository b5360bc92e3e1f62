import * as pulumi from "@pulumi/pulumi";
import type { Manifest, Site } from "../manifest/model";
import { didYouMean, typeName } from "../settings/explain";
import type { FleetManifest } from "./fleetManifest";
import { userError } from "./privateHooks";
import { SiteSettings } from "./siteSettings";

/** The arguments of `FleetSettings`: a manifest, and which part of it this stack declares. */
export interface FleetSettingsArgs {
  /** A file in YAML or JSON, relative to the program's folder; or an object of the same form. */
  manifest: string | FleetManifest;
  /**
   * The shard whose sites are declared, such as `shard-07-of-16`. In a stack of a fleet, pass `pulumi.getStack()`.
   * Default: all sites.
   */
  shard?: string;
}

/**
 * Declares a fleet: one `SiteSettings` for each site of its manifest, with the site's id as its name. The whole manifest is
 * checked first; a problem is an error with its line, column and path.
 * @example
 * const fleet = new FleetSettings("fleet", {
 *   manifest: {
 *     fleet: "acme",
 *     sites: { berlin: { vehicles: { van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: "11 kW" } } } },
 *   },
 * });
 * export const { ready, missing } = fleet;
 */
export class FleetSettings extends pulumi.ComponentResource {
  /** @internal */
  static readonly site: typeof SiteSettings = SiteSettings;

  /** Whether every solar site is ready. */
  readonly ready: pulumi.Output<boolean>;
  /** The gaps of these sites in words, such as `berlin: vehicle/car: maxCapacity is not declared`. */
  readonly missing: pulumi.Output<string[]>;
  /**
   * Settings that the service accepted and does not report as declared, such as `berlin: vehicle/car: maxCapacity
   * accepted, not reported`.
   */
  readonly unverified: pulumi.Output<string[]>;

  constructor(name: string, args: FleetSettingsArgs, opts?: pulumi.ComponentResourceOptions) {
    const sites = declaredSites(name, args);
    super("solar-charging:index:FleetSettings", name, {}, opts);
    const { argumentsOf, isSolarManifestSite: isSolar } = ofManifests();
    const { site: Site } = new.target;
    const made = sites.map((site) => ({
      ...{ id: site.id, site },
      settings: new Site(site.id, argumentsOf(site), { parent: this }),
    }));
    const solar = made.filter(({ site }) => isSolar(site));
    // In an update with --target, a site outside of the targets has no outputs yet: it is neither ready nor known to
    // lack anything.
    this.ready = pulumi.all(solar.map(({ settings }) => settings.ready)).apply((all) => all.every(Boolean));
    this.missing = joined(solar.map(({ id, settings }) => [id, settings.missing]));
    this.unverified = joined(made.map(({ id, settings }) => [id, settings.unverified]));
    this.registerOutputs({ ready: this.ready, missing: this.missing, unverified: this.unverified });
  }
}

/** The texts of several sites as one list, each with the id of its site. */
function joined(lists: readonly [id: string, pulumi.Output<string[]>][]): pulumi.Output<string[]> {
  const outputs = pulumi.all(lists.map(([, list]) => list));
  return outputs.apply((all) => all.flatMap((list = [], index) => list.map((text) => `${lists[index]?.[0]}: ${text}`)));
}

/**
 * The sites to declare.
 * @throws pulumi.RunError with all problems of the manifest
 * @throws pulumi.RunError if it has no sites: a truncated manifest must not delete a whole fleet
 */
function declaredSites(name: string, args: FleetSettingsArgs): readonly Site[] {
  const { manifest, shard } = knownArguments(name, args);
  const fleet = read(manifest);
  if (fleet.sites.length === 0) {
    throw userError(
      `the manifest of ${fleet.fleet} has no sites, so nothing is done. To stop managing all devices of a stack, ` +
        "run 'pulumi destroy', which does not need the manifest",
    );
  }
  if (shard === undefined) return fleet.sites;
  const { shardName, shardNamed, shardsOf, sitesByShard } = ofManifests();
  const named = shardNamed(shard);
  if (named && named.of === (fleet.shards ?? named.of)) {
    return sitesByShard(fleet, named.of).find(({ name }) => name === shard)?.sites ?? [];
  }
  const shards = shardsOf(fleet);
  throw userError(
    `shard of FleetSettings '${name}': fleet '${fleet.fleet}' has no shard ${JSON.stringify(shard)}. Its shards are ` +
      `${shardName(1, shards)} to ${shardName(shards, shards)}`,
  );
}

/** The functions of manifests, which only fleets load. */
function ofManifests() {
  return require("../manifest/model") as typeof import("../manifest/model");
}

function read(manifest: string | FleetManifest): Manifest {
  // Loads the parser only for fleets. A class cannot wait for a dynamic import.
  const { readManifest, toManifest } = require("../manifest/manifest") as typeof import("../manifest/manifest");
  try {
    return typeof manifest === "string" ? readManifest(manifest) : toManifest(manifest);
  } catch (error) {
    if (error instanceof Error && error.name === "ManifestError") throw userError(error.message);
    throw error;
  }
}

/** @throws pulumi.RunError for an unknown argument, or one of a wrong type, which a program in JavaScript can pass */
function knownArguments(name: string, args: FleetSettingsArgs): FleetSettingsArgs {
  const known = ["manifest", "shard"];
  const stranger = Object.keys(args ?? {}).find((key) => !known.includes(key));
  if (stranger !== undefined) {
    throw userError(`${stranger} is not an argument of FleetSettings '${name}'${didYouMean(stranger, known)}`);
  }
  const problem = (key: string, what: string, value: unknown) =>
    userError(`${key} of FleetSettings '${name}' must be ${what}, not ${typeName(value)}`);
  const isManifest =
    typeof args?.manifest === "string" || (typeof args?.manifest === "object" && args.manifest !== null);
  if (!isManifest) throw problem("manifest", "the name of a file, or an object", args?.manifest);
  if (args.shard !== undefined && typeof args.shard !== "string") throw problem("shard", "a name", args.shard);
  return args;
}
