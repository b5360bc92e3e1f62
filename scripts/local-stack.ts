import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Engine, engineEnvironment } from "./engine";

/** The environment of `pulumi` for stacks with their state in `folder`. Creates the folder. It needs no account. */
export function localStackEnvironment(options: {
  folder: string;
  engine: Pick<Engine, "bin">;
  base?: NodeJS.ProcessEnv;
}): NodeJS.ProcessEnv {
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  return {
    ...engineEnvironment(options.engine, options.base),
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: "local",
  };
}
