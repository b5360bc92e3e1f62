import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { defaultParallel, engineSettings } from "../cli/fleet/options";
import { planOf } from "../cli/fleet/plan";
import { readManifest } from "../provider/manifest/manifest";
import { membersOf } from "../provider/manifest/model";
import type { Operation, Prepared, Setting } from "./contestant";
import { environmentOf, PROJECT, ROOT, stateBytesIn, writeProgram } from "./project";

/** Vehicles of a site, which never splits (our choice). */
const VEHICLES_OF_SITE = 5;

const SUBCOMMANDS: Record<Operation, readonly string[]> = {
  "first preview": ["preview"],
  "first up": ["up", "--yes"],
  preview: ["preview"],
  refresh: ["refresh"],
  "one change": ["up", "--yes"],
};

/** What `fleet preview` ends with where something would change. */
const CHANGES = 2;

/** The fleet in a manifest, run by our command line as its users have it. */
export async function oursInShards(setting: Setting): Promise<Prepared> {
  const { folder, vehicles } = setting;
  const manifest = join(folder, "fleet.yaml");
  const env = environmentOf(setting);
  return {
    command(operation: Operation) {
      writeManifest(manifest, vehicles, operation === "one change" ? 78_000 : 77_000);
      return {
        command: process.execPath,
        args: [join(ROOT, "dist/cli/main.js"), "fleet", ...SUBCOMMANDS[operation], "--manifest", manifest],
        cwd: folder,
        env,
        exitCode: operation === "first preview" ? CHANGES : 0,
      };
    },
    stateBytes: () => stateBytesIn(folder),
  };
}

/** What the program of our command line does too: without it, the floor would be above us. */
const AS_OURS = 'require("@pulumi/pulumi").log.debug = async () => {};\nError.stackTraceLimit = 0;\n';

/** The floor in as many stacks, with the same vehicles in each, as many at a time. */
export async function floorInShards(setting: Setting): Promise<Prepared> {
  const { folder, vehicles } = setting;
  const manifest = join(folder, "fleet.yaml");
  writeManifest(manifest, vehicles, 77_000);
  const { stacks } = planOf(readManifest(manifest), []);
  const shares = stacks.map(({ name, sites }) => [name, sites.flatMap(membersOf).map(({ deviceId }) => deviceId)]);
  writeFileSync(join(folder, "shares.json"), JSON.stringify(Object.fromEntries(shares)));
  const share = 'require("./shares.json")[require("@pulumi/pulumi").getStack()]';
  writeProgram(folder, "pulumi-floor-charging", share, AS_OURS);
  const env = { ...environmentOf(setting), ...engineSettings(process.env) };
  return {
    command: (operation: Operation) => ({
      command: process.execPath,
      args: [join(__dirname, "floorFleet.js"), operation, String(defaultParallel())],
      cwd: folder,
      env: operation === "one change" ? { ...env, BENCH_CAPACITY: "78000" } : env,
    }),
    stateBytes: () => stateBytesIn(folder),
  };
}

/** @param capacity of the first vehicle, in Wh */
function writeManifest(file: string, vehicles: number, capacity: number): void {
  const car = (index: number) => [
    `car-${index}`,
    {
      deviceId: `car-${index}`,
      maxCapacity: index === 0 ? capacity : 77_000,
      maxChargePower: 11_000,
      policy: "CHARGE BY FORECAST",
    },
  ];
  const cars = Array.from({ length: vehicles }, (_, index) => car(index));
  const sites = Array.from({ length: Math.ceil(vehicles / VEHICLES_OF_SITE) }, (_, index) => [
    `site-${index}`,
    { vehicles: Object.fromEntries(cars.slice(index * VEHICLES_OF_SITE, (index + 1) * VEHICLES_OF_SITE)) },
  ]);
  writeFileSync(file, stringify({ fleet: PROJECT, businessId: "acme", sites: Object.fromEntries(sites) }));
}
