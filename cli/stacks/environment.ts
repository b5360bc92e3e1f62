import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { homeOfEngine } from "../../provider/ledger/placeOfRun";
import { fileOf } from "../../provider/service/secret";

const FILES = ["SOLAR_CHARGING_LEDGER_FILE", "PULUMI_CONFIG_PASSPHRASE_FILE", "NODE_EXTRA_CA_CERTS"];
const SECRETS = ["SOLAR_CHARGING_ACCESS_TOKEN", "SOLAR_CHARGING_OAUTH_CLIENT_SECRET"];

/** The variables that name a file, as absolute paths: engines run in other folders than the command. */
export function absolutePaths(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = (names: readonly string[]) =>
    names.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []));
  const { PULUMI_BACKEND_URL: backend } = env;
  const [, state] = /^file:\/\/(\.{1,2}(?:\/.*)?)$/.exec(backend ?? "") ?? [];
  return {
    ...Object.fromEntries(set(FILES).map(([name, file]) => [name, resolve(file)])),
    ...Object.fromEntries(
      set(SECRETS).flatMap(([name, secret]) => {
        const file = fileOf(secret);
        return file === undefined ? [] : [[name, `file:${file}`]];
      }),
    ),
    ...(state !== undefined && { PULUMI_BACKEND_URL: `file://${resolve(state)}` }),
  };
}

/** Host of the service, for people; undefined if none is set. The provider reports an invalid address. */
export function serviceHost({ SOLAR_CHARGING_BASE_URL: url = "" }: NodeJS.ProcessEnv): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** The identity of a rollout besides its manifest: backend, service, business, and names of inverter settings. */
export function destinationOf(env: NodeJS.ProcessEnv): readonly (string | undefined)[] {
  return [
    env.PULUMI_BACKEND_URL,
    env.SOLAR_CHARGING_BASE_URL,
    env.SOLAR_CHARGING_BUSINESS_ID,
    env.SOLAR_CHARGING_INVERTER_FIELDS,
  ];
}

/** The folder of the engine's own logs, in its home. */
const LOGS = "logs";

/** The folders of the engine's home that a run can add to. They must exist, so that the additions reach that home. */
const GROWING = ["plugins", "policies", "schemas", "templates", "workspaces"];

/**
 * A home for the engines of a run, with everything that the user's home of the engine has, but without its log. The
 * engine formats, packs and encrypts each value of each call for that log, whatever the user asked for: a sixth of the
 * time of a preview of 1,000 devices, and a copy of all settings on the disk for seven days. It has no switch, but goes
 * on if it cannot create the folder.
 * @param folder a new folder of the run
 * @returns variables for the engines; none if such a home cannot be made, for example because links are not allowed
 */
export function homeWithoutLog(folder: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const { PULUMI_CREDENTIALS_PATH } = env;
  const original = homeOfEngine(env);
  try {
    for (const name of GROWING) mkdirSync(join(original, name), { recursive: true, mode: 0o700 });
    mkdirSync(folder, { mode: 0o700 });
    for (const name of readdirSync(original)) {
      const isFolder = lstatSync(join(original, name)).isDirectory();
      if (name !== LOGS) symlinkSync(join(original, name), join(folder, name), isFolder ? "dir" : "file");
    }
    // A file in place of the folder.
    writeFileSync(join(folder, LOGS), "");
  } catch {
    return {}; // The engine works in the user's home too, only slower.
  }
  // The engine replaces the file of its logins, which would replace the link.
  return { PULUMI_HOME: folder, PULUMI_CREDENTIALS_PATH: PULUMI_CREDENTIALS_PATH || original };
}
