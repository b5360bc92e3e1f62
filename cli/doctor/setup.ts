import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { misspelled } from "../../provider/configuration/configurationKeys";
import { kindsOf } from "../../provider/configuration/credentials";
import { LineFile, reasonOf } from "../../provider/ledger/lineFile";
import { textOf } from "../../provider/messages/message";
import type { EngineRun } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { proxyFor } from "../../provider/service/route";
import { fileOf, problemOfSecret } from "../../provider/service/secret";
import { idSchema } from "../../provider/settings/schema";
import { configurationProblems } from "../environment";
import { type Check, failed, failedBy, ok, skipped } from "./check";

/** Whether the `engines` of package.json allow this version of Node. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}

export function nodeCheck(version: string): Check {
  if (isSupported(version)) return ok("Node", version);
  return failed(
    "Node",
    `${version} is not supported`,
    "Install Node 22.12 or later. Of Node 20, 20.19 or later works too",
  );
}

/**
 * Checks the configuration without a request. Shows no secret.
 * @param meant the device in the command line, whose business replaces the configured one
 */
export async function configurationChecks(run: EngineRun, meant: Partial<DeviceRef>): Promise<Check[]> {
  const wrong = misspelled([], process.env).map(({ finding }) =>
    failed("environment", finding, "Correct the name of the variable"),
  );
  const { names } = run.report;
  const problems = configurationProblems(run);
  if (problems.length > 0) {
    const advice =
      "Set it in the environment. In the folder of a Pulumi project, the configuration of its stack counts too";
    return [...wrong, ...problems.map((problem) => failed("configuration", textOf(problem, run.report), advice))];
  }
  const { baseUrl = "", inverterFields, ledgerFile } = run.configuration();
  return [
    ...wrong,
    ok("configuration", `the service is at ${baseUrl}`),
    ...pathChecks(baseUrl, names.of("baseUrl")),
    businessCheck(run, meant),
    await credentialCheck(run),
    inverterFields
      ? ok("inverter names", `set to ${JSON.stringify(inverterFields)}`)
      : skipped(
          "inverter names",
          "not set: the provider uses guesses, because the service does not document the names",
          "If you have inverters, check one with --device",
        ),
    ledgerCheck(ledgerFile),
    ...(await networkChecks(baseUrl)),
  ];
}

/** Checks the business. It is no failure that none is configured: each device of the program may declare its own. */
function businessCheck({ configuration, report: { names } }: EngineRun, meant: Partial<DeviceRef>): Check {
  const { deviceId, businessId = configuration().businessId } = meant;
  if (businessId === undefined) {
    const check = deviceId === undefined ? skipped : failed;
    const advice = `Give --device business/device, or set ${names.allOf("businessId")}`;
    return check("business", "none is configured, so a device or site without a businessId is refused", advice);
  }
  const [issue] = idSchema.safeParse(businessId).error?.issues ?? [];
  return issue ? failed("business", issue.message, "Correct --device") : ok("business", businessId);
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  accessToken: "an access token",
  tokenCommand: "a command that prints the token",
  oauthTokenUrl: "OAuth 2.0 client credentials",
};

/** Reads the file of a secret in the same way as a run. */
async function credentialCheck(run: EngineRun): Promise<Check> {
  const configuration = run.configuration();
  const [[kind = ""] = []] = kindsOf(configuration);
  const credential = CREDENTIALS[kind] as string;
  const key = configuration.accessToken === undefined ? "oauthClientSecret" : "accessToken";
  const secret = configuration[key];
  const file = secret && fileOf(secret);
  if (!file) return ok("credential", credential);
  const problem = await problemOfSecret(key, secret);
  if (problem) return failedBy("credential", problem, run.report);
  return ok("credential", `${credential}, its secret from the file ${file}`);
}

/** Checks the ledger, which each run opens before it sends anything. Does not create it. */
function ledgerCheck(file: string | undefined): Check {
  if (file === undefined) return skipped("ledger", "SOLAR_CHARGING_LEDGER_FILE is not set");
  const path = resolve(file);
  try {
    new LineFile(path).tryOut();
    return ok("ledger", path);
  } catch (error) {
    const advice =
      "Until the ledger can be written, the provider sends nothing. Check SOLAR_CHARGING_LEDGER_FILE, the file and its folder";
    return failed("ledger", `${path} cannot be written (${reasonOf(error)})`, advice);
  }
}

/**
 * Warns of paths in the base URL. A gateway may need one, but users often append a path that the provider adds
 * itself.
 */
function pathChecks(baseUrl: string, place: string): Check[] {
  const [added] = /\/api(\/v\d+)?$/.exec(new URL(baseUrl).pathname) ?? [];
  if (added === undefined) return [];
  return [
    skipped(
      "path",
      `the address ends in ${added}, and the provider adds /api/v1 to it`,
      `Remove it from ${place}, unless your service really has this path`,
    ),
  ];
}

/** Checks the proxy and the certificates for connections to the service. */
async function networkChecks(baseUrl: string): Promise<Check[]> {
  const { origin } = new URL(baseUrl);
  const proxy = await proxyFor(origin);
  const proxied = URL.canParse(proxy) ? new URL(proxy).origin : undefined;
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  return [
    proxied ? ok("proxy", proxied) : skipped("proxy", "none for this address"),
    certificates ? certificateCheck(certificates) : skipped("private CA", "NODE_EXTRA_CA_CERTS is not set"),
  ];
}

function certificateCheck(file: string): Check {
  try {
    accessSync(file, constants.R_OK);
    return ok("private CA", file);
  } catch {
    // Node warns once and continues without the certificate.
    return failed(
      "private CA",
      `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read`,
      "Correct the path or the permissions",
    );
  }
}
