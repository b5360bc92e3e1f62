import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Project, ROOT } from "./project";

/** The compiled plugin, as `node` runs it. */
const MAIN = join(ROOT, "dist", "provider", "plugin", "main.js");

/** Lets the engine of a project find the plugin of this build, on the PATH. */
export function withPlugin({ folder, env }: Project): void {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = join(bin, "pulumi-resource-solar-charging");
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(script, 0o755);
  env.PATH = [bin, env.PATH].join(delimiter);
}

/** A program of the native front: the body of a CommonJS module that has everything it exports in scope. */
export function nativeProgram(project: Project, body: string): void {
  project.write("index.js", `const solar = require("pulumi-solar-charging/native");\n${body}\n`);
}
