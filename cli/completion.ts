import type { Command } from "commander";

/** Adds the command that prints what a shell completes commands and options by. All other commands are there already. */
export async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import("@bomb.sh/tab/commander");
  tab(program, { completionCommandName: "completion" });
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
