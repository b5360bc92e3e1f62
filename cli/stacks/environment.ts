import { resolve } from "node:path";
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
