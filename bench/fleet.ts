import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { capacityOf, type Operation, type Prepared, type Setting } from "./contestant";
import { environmentOf, PROJECT, ROOT, stateBytesIn } from "./pulumi";
import { BUSINESS, sitesOf } from "./workload";

const SUBCOMMANDS: Record<Operation, readonly string[]> = {
  "first preview": ["preview"],
  "first up": ["up", "--yes"],
  preview: ["preview"],
  "preview, reading": ["preview", "--refresh"],
  refresh: ["refresh"],
  "one change": ["up", "--yes", "--no-refresh"],
  "one change, reading": ["up", "--yes"],
  "drift repair": ["up", "--yes"],
};

const COMMAND = join(ROOT, "dist/bin/solar-charging");

/** Exit code of `fleet preview` if something would change. */
const CHANGES = 2;

/** Prepares the sites in a manifest for our command line, as users run it. @param options more options */
export async function fleet(setting: Setting, options: readonly string[] = []): Promise<Prepared> {
  const { folder, sites } = setting;
  const manifest = join(folder, "fleet.json");
  const env = environmentOf(setting);
  return {
    command(operation) {
      writeFileSync(manifest, manifestOf(sites, capacityOf(operation)));
      return {
        command: process.execPath,
        args: [COMMAND, "fleet", ...SUBCOMMANDS[operation], "--manifest", manifest, ...options],
        cwd: folder,
        env,
        exitCode: operation === "first preview" ? CHANGES : 0,
      };
    },
    stateBytes: () => stateBytesIn(setting),
  };
}

function manifestOf(count: number, capacity: number): string {
  return JSON.stringify({ fleet: PROJECT, businessId: BUSINESS, sites: sitesOf(count, capacity) });
}
