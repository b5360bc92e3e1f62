import { accessSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { nativeType } from "../../provider/engine/tokens";
import { argumentsOf, type Site } from "../../provider/manifest/model";
import { listed } from "../../provider/settings/explain";
import { isObject } from "../../provider/settings/objects";
import { notWritten, replaceFile } from "../files";
import { PACKAGE, version } from "../package";
import { makeWorkFolder } from "./workFolder";

/** The folder with the native plugin of this package. */
const PLUGIN = join(PACKAGE, "dist", "plugin");

/** The keys that the engine itself writes into a stack's file, for the encryption of secrets. */
const WRITTEN_BY_ENGINE = ["encryptionsalt", "encryptedkey", "secretsprovider"];

/** The stacks of a fleet as folders: each is a program in Pulumi's YAML, which plain `pulumi` runs too. */
export class StackFolders {
  /** The folder of the fleet's stacks and of the record of its runs, beside the manifest. */
  readonly root: string;

  /** @throws Error if it cannot be written, as on a full disk, or if a folder in it has its own settings */
  constructor(
    manifestFile: string,
    readonly fleet: string,
  ) {
    const root = join(dirname(resolve(manifestFile)), ".solar-charging", fleet);
    this.root = root;
    writing(() => {
      makeWorkFolder(dirname(root));
      mkdirSync(root, { recursive: true });
      // Without this, a project in a parent folder would choose the backend. This file names no runnable program, so
      // nobody can delete a stack's sites with it by mistake.
      keep(join(root, "Pulumi.yaml"), `${header(fleet)}main: "each stack is a folder"\n`);
    });
    refuseForeignSettings(root);
    for (const entry of readdirSync(root, { withFileTypes: true })) {
      if (entry.isDirectory()) refuseForeignSettings(this.of(entry.name), entry.name);
    }
  }

  of(stack: string): string {
    return join(this.root, stack);
  }

  has(stack: string): boolean {
    return existsSync(join(this.of(stack), "Pulumi.yaml"));
  }

  /**
   * Writes the complete program of a stack.
   * @returns the folder of the program
   * @throws Error if it cannot be written
   */
  write(stack: string, sites: readonly Site[]): string {
    return this.#write(this.of(stack), sites);
  }

  /**
   * Writes a complete program of a stack for a single run. Without this, `pulumi up` in the stack's own folder would
   * apply a manifest that was only previewed.
   * @param scratch a folder that the run removes
   * @returns the folder of the program
   * @throws Error if it cannot be written
   */
  writeAside(stack: string, sites: readonly Site[], scratch: string): string {
    const folder = this.#write(join(scratch, stack), sites);
    const settings = `Pulumi.${stack}.yaml`;
    const own = join(this.of(stack), settings);
    if (existsSync(own)) writing(() => copyFileSync(own, join(folder, settings)));
    return folder;
  }

  #write(folder: string, sites: readonly Site[]): string {
    writing(() => {
      mkdirSync(folder, { recursive: true });
      keep(join(folder, "Main.yaml"), programOf(sites));
      keep(join(folder, "Pulumi.yaml"), projectOf(this.fleet));
    });
    return folder;
  }

  /**
   * Whether an `up` of a stack started and its end is not known: devices can then have values of ours that are not in
   * state.
   */
  isUnfinished(stack: string): boolean {
    return existsSync(join(this.of(stack), UNFINISHED));
  }

  /** @throws Error if it cannot be written */
  begin(stack: string): void {
    writing(() => keep(join(this.of(stack), UNFINISHED), ""));
  }

  finish(stack: string): void {
    rmSync(join(this.of(stack), UNFINISHED), { force: true });
  }

  remove(stack: string): void {
    rmSync(this.of(stack), { recursive: true, force: true });
  }
}

function writing(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(`the fleet's project cannot be written: ${notWritten(error)}`);
  }
}

/** Writes a file unless it has this content. Another run, of another part of the fleet, may be using it. */
function keep(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) replaceFile(file, text);
}

/** The file that marks a running `up` in the folder of a stack. */
const UNFINISHED = "unfinished";

const COMMENT = `# Written by "solar-charging fleet" from the manifest of the fleet. Change the manifest, not this file.\n`;

/** The beginning of a project's file. */
function header(fleet: string): string {
  return `${COMMENT}name: ${JSON.stringify(fleet)}\nruntime: yaml\n`;
}

/**
 * The project of a stack. Its program is in a file of its own, because the engine reads this file several times in each
 * run. Its `resources` are not a map, so that the host of YAML fails if the program is missing. Without this, the
 * engine would delete all sites.
 */
function projectOf(fleet: string): string {
  return `${header(fleet)}plugins:
  providers:
    - { name: solar-charging, ${versionWithSchema()}path: ${JSON.stringify(PLUGIN)} }
resources: "in Main.yaml"
`;
}

/**
 * The version of the plugin, for which the host of YAML keeps the schema in a file. Without it, each run would start the
 * plugin once more, only for the schema: 0.16 s of CPU time. The file is beside the plugin's folder, and the host fails
 * if it cannot write it, as in a package that another user has installed.
 */
function versionWithSchema(): string {
  try {
    accessSync(dirname(PLUGIN), constants.W_OK);
    return `version: ${version}, `;
  } catch {
    return "";
  }
}

/** The program of a stack: one resource for each site, and one line for each device. */
export function programOf(sites: readonly Site[]): string {
  const text = (value: unknown) => JSON.stringify(escaped(value)); // JSON is valid YAML.
  const resources = sites.map((site) => {
    const { id } = site;
    const properties = Object.entries(argumentsOf(site)).map(([key, value]) => {
      if (!isObject(value)) return `      ${key}: ${text(value)}\n`;
      const call = Object.keys(value).find((name) => /^fn::/i.test(name));
      if (call !== undefined)
        throw new Error(
          `${id}: ${key}: ${call} needs another name, because Pulumi's YAML would call a function of this name`,
        );
      const devices = Object.entries(value).map(([name, device]) => `        ${text(name)}: ${text(device)}\n`);
      return devices.length === 0 ? `      ${key}: {}\n` : `      ${key}:\n${devices.join("")}`;
    });
    // The language host of YAML reserves the name `pulumi`. The new key cannot clash, because no site id has a space.
    const [key, name] = id === "pulumi" ? ["site pulumi", `    name: ${id}\n`] : [id, ""];
    return `  ${text(key)}:\n    type: ${nativeType("SiteSettings")}\n${name}    properties:\n${properties.join("")}`;
  });
  return `${COMMENT}resources:${resources.length === 0 ? " {}\n" : `\n${resources.join("")}`}`;
}

/**
 * A program of a fleet that fails if it runs, because its configuration is never set. Without this, an engine that does
 * not name its stack would delete a stack's sites, or declare those of all stacks in it.
 */
export function programWithoutStack(): string {
  return `${COMMENT}config:\n  name-of-the-stack-in-PULUMI_STACK: { type: string }\nresources: {}\n`;
}

/** A value in the syntax of the YAML host. Without this, it would read `${` in a text as a reference. */
function escaped(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("$", () => "$$");
  if (Array.isArray(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [String(escaped(key)), escaped(one)]));
}

/**
 * Refuses configuration of a fleet outside of the environment. Without this, a stack's file from a checkout could
 * send the environment's token to a foreign address.
 * @throws Error if Pulumi's files in the folder of a stack have settings of their own
 */
export function refuseForeignSettings(folder: string, stack?: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^pulumi\./i.test(name) || name === "Pulumi.yaml") continue;
    const settings = name === `Pulumi.${stack}.yaml` ? settingsIn(join(folder, name)) : undefined;
    if (settings?.length === 0) continue;
    const what = settings ? `${listed(settings)} in ${join(folder, name)}` : join(folder, name);
    throw new Error(
      `${what} is not the fleet's: only the environment configures a fleet. Remove it, and set SOLAR_CHARGING_* variables instead`,
    );
  }
}

/** The keys of a stack's file that the engine did not write. */
function settingsIn(file: string): string[] {
  const found: unknown = parse(readFileSync(file, "utf8"));
  if (found === null || found === undefined) return [];
  if (!isObject(found)) return ["the text"];
  return Object.keys(found).filter((key) => !WRITTEN_BY_ENGINE.includes(key));
}
