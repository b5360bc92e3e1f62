import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { shardNamed } from "../../../provider/manifest/shards";
import { isObject } from "../../../provider/settings/setting";

/** The keys that the engine itself writes into a stack's file: about the encryption of secrets. */
const WRITTEN_BY_ENGINE = ["encryptionsalt", "encryptedkey", "secretsprovider"];

/**
 * The environment is the only source of a fleet's configuration. Without this, a stack's file that a checkout brings along,
 * or that somebody left there, would send the environment's token to an address of its own.
 * @param folder the fleet's project
 * @throws Error if files of Pulumi there say anything of their own
 */
export function refuseForeignSettings(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^pulumi\./i.test(name) || name === "Pulumi.yaml") continue;
    const [, stack = ""] = /^Pulumi\.(.+)\.yaml$/.exec(name) ?? [];
    const settings = shardNamed(stack) ? settingsIn(join(folder, name)) : undefined;
    if (settings?.length === 0) continue;
    const what = settings ? `${settings.join(", ")} in ${join(folder, name)}` : join(folder, name);
    throw new Error(
      `${what} is not the fleet's: only the environment configures a fleet. Remove it, and set SOLAR_CHARGING_* variables instead`,
    );
  }
}

/** The keys of a stack's file that the engine did not write. */
function settingsIn(file: string): string[] {
  const said: unknown = parse(readFileSync(file, "utf8"));
  if (said === null || said === undefined) return [];
  if (!isObject(said)) return ["what stands"];
  return Object.keys(said).filter((key) => !WRITTEN_BY_ENGINE.includes(key));
}
