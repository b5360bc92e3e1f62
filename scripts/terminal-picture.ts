import { writeFileSync } from "node:fs";
import * as pty from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { terminalSvg } from "./terminal-svg";

const ROWS = 100; // More rows than are shown, so that nothing scrolls away.

/**
 * Draws a terminal after a command has ended in it.
 * @param typed the command as the terminal shows it
 * @param options `codes` are the exit codes of a success; default: 0
 */
export async function drawTerminal(
  file: string,
  typed: string,
  [command, ...args]: readonly [command: string, ...args: string[]],
  { columns, codes = [0], ...options }: { cwd: string; env: NodeJS.ProcessEnv; columns: number; codes?: number[] },
): Promise<void> {
  const terminal = new Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
  terminal.write(`$ ${typed}\r\n`);
  const child = pty.spawn(command, args, { ...options, name: "xterm-256color", cols: columns, rows: ROWS });
  child.onData((data) => terminal.write(data));
  const { exitCode } = await new Promise<{ exitCode: number }>((done) => child.onExit(done));
  await new Promise<void>((done) => terminal.write("", done));
  if (!codes.includes(exitCode)) throw new Error(`${command} ${args[0]} ended with ${exitCode}`);
  writeFileSync(file, terminalSvg(terminal.buffer.active, columns, typed));
  console.log(`Drawn: ${file}`);
}
