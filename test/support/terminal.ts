import { spawn } from "@lydell/node-pty";
import { Terminal as Screen } from "@xterm/headless";

const COLUMNS = 120;
const ROWS = 30;

/** `node` in a terminal of its own. */
export class Terminal {
  text = "";
  readonly code: Promise<number>;
  readonly #pty;
  #onText = () => {};

  /** @param env the whole environment of the process. `TERM` names the abilities of the terminal */
  constructor(args: string[], env: NodeJS.ProcessEnv) {
    const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
    this.#pty = spawn(process.execPath, args, { cols: COLUMNS, rows: ROWS, env: set });
    this.#pty.onData((data) => {
      this.text += data;
      this.#onText();
    });
    this.code = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  /** Resolves once this text has been shown. */
  async shown(text: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onText = () => {
        if (text.test(this.text)) resolve();
      };
      this.#onText();
    });
  }

  /** Types keys once this question has been shown. */
  async answer(question: RegExp, keys: string): Promise<void> {
    await this.shown(question);
    this.#pty.write(keys);
  }

  /** What a person sees at the end, after all movements of the cursor. */
  async screen(): Promise<string> {
    const screen = new Screen({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
    await new Promise<void>((done) => screen.write(this.text, done));
    const { active } = screen.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true)).join("\n");
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pty.pid, signal);
  }
}
