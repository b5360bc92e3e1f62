import { readdirSync } from "node:fs";
import type { Command } from "commander";
import { readManifest } from "../../provider/manifest/manifest";
import { membersOf, type Site } from "../../provider/manifest/model";

/** The possible values of an option, for the shell's completion. */
type CompletionValues = (offer: (value: string, description: string) => void) => void;

/** Options with known values, for every command that has them. */
const VALUES: Readonly<Record<string, CompletionValues>> = {
  manifest: (offer) => {
    for (const file of manifestFiles(typed())) offer(file, "");
  },
  canary: (offer) => {
    for (const site of sites()) offer(site.id, `${membersOf(site).length} devices`);
  },
};

/**
 * Adds the command that prints a shell's script of completions. Call it after all other commands are added.
 */
export async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import("@bomb.sh/tab/commander");
  const { commands } = tab(program, { completionCommandName: "completion" });
  for (const { options } of commands.values()) {
    for (const [name, values] of Object.entries(VALUES)) {
      const option = options.get(name);
      if (option) option.handler = values;
    }
  }
  program.commands
    .find((command) => command.name() === "completion")
    ?.addHelpText(
      "after",
      `
Examples:
  $ source <(solar-charging completion bash)
  $ solar-charging completion zsh > "\${fpath[1]}/_solar-charging"
  $ solar-charging completion fish > ~/.config/fish/completions/solar-charging.fish`,
    );
}

/** The word to complete: the last one that the shell passes; after `--option=`, the value. */
function typed(): string {
  return (process.argv.at(-1) ?? "").replace(/^--[\w-]+=/, "");
}

/** Files that can be manifests, and folders, in the folder that the word names. */
function manifestFiles(word: string): string[] {
  const folder = word.slice(0, word.lastIndexOf("/") + 1);
  try {
    return readdirSync(folder || ".", { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules")
      .filter((entry) => entry.isDirectory() || /\.(ya?ml|json)$/i.test(entry.name))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`);
  } catch {
    return []; // The folder does not exist: nothing to complete.
  }
}

/** The sites of the manifest that the command line names. */
function sites(): readonly Site[] {
  const words = process.argv.flatMap((word) => word.replace(/^--manifest=/, "--manifest\n").split("\n"));
  const option = words.findIndex((word) => word === "--manifest" || word === "-m");
  const file = option < 0 ? undefined : words[option + 1];
  if (file === undefined) return [];
  try {
    return readManifest(file).sites;
  } catch {
    return []; // A completion cannot show an error.
  }
}
