import { constants } from "node:os";
import { CommandError } from "@pulumi/pulumi/automation";
import { freeing } from "./lock";

/** How the Automation API keeps what became of a process: it has no type for it. */
interface Ended {
  readonly commandResult?: {
    readonly err?: { readonly signal?: NodeJS.Signals; readonly exitCode?: number };
  };
}

/**
 * The signal that has ended an engine; undefined if none has. Behind a launcher, such as that of the npm package `pulumi`,
 * its number is in the exit code.
 */
export function killedBy(problem: unknown): NodeJS.Signals | undefined {
  if (!(problem instanceof CommandError)) return undefined;
  const { signal, exitCode = 0 } = (problem as unknown as Ended).commandResult?.err ?? {};
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return signal ?? names.find(([, number]) => exitCode === 128 + number)?.[0];
}

/** Says that an engine was killed, and what to do. @param folder the fleet's project */
export function killedText(stack: string, folder: string, signal: NodeJS.Signals): string {
  const cause = signal === "SIGKILL" ? ", as the system does if memory is short: then lower --parallel" : "";
  return (
    `the engine was killed (${signal}${cause}). What it has sent last may not be in state. Free the stack with: ` +
    `${freeing(stack, folder)}; then run the same command again`
  );
}
