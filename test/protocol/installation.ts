import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The repository. Tests run from dist/test/protocol. */
const ROOT = resolve(__dirname, "../../..");

/** Reads a package.json below the repository. */
export function manifestOf(folder = "."): { version: string } & Record<string, Readonly<Record<string, string>>> {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
}

/** A version of the SDK, by the name under which it is in node_modules. */
export interface Sdk {
  readonly alias: string;
  readonly version: string;
}

const sdk = (alias: string): Sdk => ({ alias, version: manifestOf(join("node_modules", alias)).version });

export const OLDEST = sdk("@pulumi/pulumi-oldest");
export const LOCKED = sdk("@pulumi/pulumi");
export const NEWEST = sdk("@pulumi/pulumi-newest");

/** The versions of this run: the locked one for `npm test`, the others for `npm run test:long`. */
const { TEST_SDKS = "locked" } = process.env;
const SDKS = { oldest: OLDEST, locked: LOCKED, newest: NEWEST };

/** The native plugin, which contains the messages of the locked SDK. */
export const PLUGIN: Sdk = { ...LOCKED, alias: "plugin" };

/** Describes tests that run in Pulumi's host of dynamic resources with every version of the SDK. */
export function describeWithEachSdk(title: string, tests: (sdk: Sdk) => void): void {
  const chosen = Object.entries(SDKS).filter(([name]) => TEST_SDKS.split(",").includes(name));
  for (const [, sdk] of chosen) describe(`${title}, with SDK ${sdk.version}`, () => tests(sdk));
}

/** Describes tests that run in each host: the plugin, and that of dynamic resources with every version of the SDK. */
export function describeWithEachHost(title: string, tests: (sdk: Sdk) => void): void {
  describeWithEachSdk(title, tests);
  if (TEST_SDKS.split(",").includes("locked")) describe(`${title}, in the native plugin`, () => tests(PLUGIN));
}

/**
 * A user's project: a temporary folder with this package and one version of the SDK, so that host and provider load the
 * same SDK. The compiled provider is copied, because Node resolves imports from the real place of a file.
 */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "solar-charging-installation-"));

  constructor(sdk: Sdk) {
    const own = join(this.folder, "node_modules", "pulumi-solar-charging");
    mkdirSync(own, { recursive: true });
    cpSync(join(ROOT, "package.json"), join(own, "package.json"));
    for (const part of ["provider", "measure/sky"]) {
      cpSync(join(ROOT, "dist", part), join(own, "dist", part), { recursive: true });
    }
    this.#link("@pulumi/pulumi", sdk.alias);
    for (const dependency of Object.keys(manifestOf().dependencies ?? {})) this.#link(dependency, dependency);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #link(name: string, target: string): void {
    const link = join(this.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", target), link);
  }
}
