import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type OptionsOf, rare, text, withDefault } from "../command/record";
import { USUAL_MANIFEST } from "../command/shared";
import { startCommandRun } from "../environment";
import { configurationOf, selectedStack } from "./backend";
import type { ProjectFolder } from "./pulumi";

/** The optional fleet of a command. */
const ANY_MANIFEST = text("<file>", "the fleet, in YAML or JSON", { short: "m" });

/** The fleet of a command. */
export const MANIFEST = withDefault(ANY_MANIFEST, USUAL_MANIFEST);

/** The options of a command about a fleet or a stack. */
export const SUBJECT_OPTIONS = {
  manifest: {
    ...ANY_MANIFEST,
    description: `this fleet, in YAML or JSON (default: ${USUAL_MANIFEST}, if the folder has no Pulumi project)`,
    conflicts: ["stack"],
  },
  stack: text("<name>", "this stack of the Pulumi project (default: the selected one)", { short: "s" }),
  cwd: rare(withDefault(text("<folder>", "the folder of the manifest or of the Pulumi project", { short: "C" }), ".")),
};

type SubjectOptions = OptionsOf<typeof SUBJECT_OPTIONS>;

/** The fleet or the stack that a command is about. */
type Subject = { readonly manifest: string } | { readonly folder: string; readonly stack?: string | undefined };

/** @returns undefined if neither is named, and the folder has neither */
export function subjectOf({ manifest, stack, cwd: folder }: SubjectOptions): Subject | undefined {
  if (manifest !== undefined) return { manifest };
  if (stack !== undefined || isProject(folder)) return { folder, stack };
  const usual = join(folder, USUAL_MANIFEST);
  if (existsSync(usual)) return { manifest: usual };
  return parentsOf(resolve(folder)).some(isProject) ? { folder, stack } : undefined;
}

function isProject(folder: string): boolean {
  return ["yaml", "yml", "json"].some((form) => existsSync(join(folder, `Pulumi.${form}`)));
}

/** The folders above, in which Pulumi searches for a project too. */
function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

/**
 * @param advice what else the user can do
 * @throws Error if neither is named, and the folder has neither, or if the named manifest does not exist
 */
export function neededSubject(options: SubjectOptions, advice = ""): Subject {
  const subject = subjectOf(options);
  const { manifest, cwd } = options;
  if (subject && existsSync(manifest ?? cwd)) return subject;
  const missing = manifest
    ? `${manifest}: there is no such file`
    : `${cwd === "." ? "this folder" : cwd} has no ${USUAL_MANIFEST} and no Pulumi.yaml`;
  throw new Error(
    `${missing}. Give --manifest for a fleet, or --cwd for the folder of a Pulumi project${advice && `. ${advice}`}`,
  );
}

/**
 * A run with the configuration of a stack and of the environment, and the stack's keys. Warnings go to standard error.
 * @param name default: the selected stack
 * @param options `isOffline`: whether to leave out the stack's configuration, which needs the passphrase or a request
 */
export async function runOfStack(place: ProjectFolder, name: string | undefined, { isOffline = false } = {}) {
  const stack = await selectedStack(place, name);
  const configuration = isOffline ? new Map<string, string>() : await configurationOf(place, stack);
  const run = startCommandRun({}, configuration);
  return { stack, run, keys: [...configuration.keys()] };
}
