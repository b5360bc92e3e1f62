import { CONFIGURATION_KEYS, type ConfigurationKey } from "../configuration/configurationKeys";
import { inverter } from "../settings/inverter";
import { keysOf } from "../settings/setting";
import { SECRET_KEYS } from "./configuration";

type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: "string" };

/** The configuration by key. No value says which environment variable holds it: SDKs would write a token into state. */
const CONFIGURATION: Readonly<Record<ConfigurationKey, Schema>> = {
  baseUrl: { ...TEXT, description: "Address of the service: https, or http on loopback. A path in it is kept." },
  businessId: { ...TEXT, description: "The business of devices that name none." },
  accessToken: { ...TEXT, description: "Backend access token, or `file:` and the path of the file that holds it." },
  tokenCommand: { ...TEXT, description: "Shell command that prints the access token." },
  oauthTokenUrl: { ...TEXT, description: "OAuth 2.0 token endpoint: https, or http on loopback." },
  oauthClientId: { ...TEXT, description: "Client of the token endpoint." },
  oauthClientSecret: {
    ...TEXT,
    description: "The client's secret, or `file:` and the path of the file that holds it.",
  },
  oauthScope: { ...TEXT, description: "Scopes, separated by a space." },
  inverterFields: {
    type: "object",
    additionalProperties: TEXT,
    description: `Wire name of each inverter setting: ${keysOf(inverter).join(", ")}. The service does not document them.`,
  },
  maxConcurrency: { type: "integer", description: "Requests in flight at once. Default: 16." },
  requestTimeoutSeconds: { type: "number", description: "Time limit of one request, in seconds. Default: 30." },
  retryTimeoutSeconds: {
    type: "number",
    description: "Time limit of all tries of one request, in seconds; 0 tries once. Default: 120.",
  },
  verifyTimeoutSeconds: {
    type: "number",
    description: "Longest wait for a stale cache after an update, in seconds. Default: 10.",
  },
  livePreview: {
    type: "boolean",
    description:
      "Whether each preview and update reads the declared devices first: it shows what somebody changed, and one update repairs it. Default: false.",
  },
  allowGone: {
    type: "boolean",
    description:
      "Whether devices that the service does not know leave the state even if they are most devices of the run. Default: false.",
  },
  ledgerFile: { ...TEXT, description: "File to which each update of a device is appended as a line." },
};

/** The configuration of the provider, as the schema of a package has it. */
export function configurationSchema(): Schema {
  return Object.fromEntries(
    CONFIGURATION_KEYS.map((key) => [
      key,
      { ...CONFIGURATION[key], ...(SECRET_KEYS.includes(key) && { secret: true }) },
    ]),
  );
}
