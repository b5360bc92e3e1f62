import { accessSync, constants } from "node:fs";
import { getProxyForUrl } from "proxy-from-env";
import { misspelled } from "../../provider/handlers/configurationKeys";
import { kindsOf } from "../../provider/handlers/credentials";
import type { Run } from "../../provider/handlers/run";
import { isLoopback } from "../../provider/service/route";
import { isFile, pathOf } from "../../provider/service/secret";
import { configurationProblems } from "../environment";
import { type Check, failed, ok, skipped } from "./check";

/** Whether package.json's `engines` admits this version of Node. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}

export function nodeCheck(version: string): Check {
  if (isSupported(version)) return ok("Node", version);
  return failed("Node", `${version} is not supported`, "Install Node 20.19 or later of 20, or 22.12 or later");
}

/** What can be said of the configuration without a request. Never a secret. */
export function configurationChecks(run: Run): Check[] {
  const advice = "Correct the name of the variable";
  return [...misspelled([], process.env).map((finding) => failed("environment", finding, advice)), ...valueChecks(run)];
}

function valueChecks(run: Run): Check[] {
  const problems = configurationProblems(run);
  if (problems.length > 0) {
    const advice = "Set it in the environment: solar-charging knows no stack";
    return problems.map((problem) => failed("configuration", problem, advice));
  }
  const { baseUrl = "", businessId, inverterFields } = run.configuration();
  return [
    ok("configuration", `the service is at ${baseUrl}`),
    ...pathChecks(baseUrl),
    businessId === undefined
      ? skipped("business", "none is configured", "Give --business, or set SOLAR_CHARGING_BUSINESS_ID")
      : ok("business", businessId),
    credentialCheck(run),
    inverterFields
      ? ok("inverter names", `${JSON.stringify(inverterFields)} are set`)
      : skipped(
          "inverter names",
          "not confirmed: the service does not document them",
          "For inverters, look at one with --device",
        ),
    ...networkChecks(baseUrl),
  ];
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  accessToken: "an access token",
  tokenCommand: "a command that prints the token",
  oauthTokenUrl: "OAuth 2.0 client credentials",
};

function credentialCheck(run: Run): Check {
  const configuration = run.configuration();
  const [[kind = ""] = []] = kindsOf(configuration);
  const secret = configuration.accessToken ?? configuration.oauthClientSecret;
  const from = secret !== undefined && isFile(secret) ? `, its secret from the file ${pathOf(secret)}` : "";
  return ok("credential", `${CREDENTIALS[kind]}${from}`);
}

/** A base URL may have a path, as behind a gateway, and is often given with what the provider adds to it. */
function pathChecks(baseUrl: string): Check[] {
  const [added] = /\/api(\/v\d+)?$/.exec(new URL(baseUrl).pathname) ?? [];
  if (added === undefined) return [];
  const advice = "Take it out of SOLAR_CHARGING_BASE_URL, unless the service is behind a path that is called so";
  return [skipped("path", `${added} is at the end, and /api/v1 is added to it`, advice)];
}

/** How the environment leads to the service. */
function networkChecks(baseUrl: string): Check[] {
  const { origin, hostname } = new URL(baseUrl);
  const proxy = isLoopback(hostname) ? "" : getProxyForUrl(origin);
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
    // Node warns once and goes on without it.
    return failed("private CA", `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read`, "Correct the path");
  }
}
