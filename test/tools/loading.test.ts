import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect } from "chai";

const PROVIDER = resolve(__dirname, "../../provider");

/** The files, including ES modules, that a process has loaded after it ran a script. */
function loadedBy(script: string, environment: NodeJS.ProcessEnv = {}): string[] {
  const watched = `
    const { Session } = require("node:inspector");
    const session = new Session();
    const files = [];
    session.connect();
    session.on("Debugger.scriptParsed", ({ params: { url } }) => files.push(url));
    session.post("Debugger.enable");
    (async () => { ${script} })().then(() => console.log(JSON.stringify(files)));`;
  const output = execFileSync(process.execPath, ["-e", watched], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  return JSON.parse(output);
}

const namesOf = (files: readonly string[], pattern: RegExp) =>
  [...new Set(files.map((file) => pattern.exec(file)?.[1]).filter((name) => name !== undefined))].sort();

const CLIENT = /provider\/service\/(client|credentials|http|route)\.js$|node_modules\/node-fetch\//;
// The pattern matches only the top level, because Pulumi has its own https-proxy-agent deeper down.
const ON_DEMAND = /^(?:(?!node_modules).)*\/node_modules\/(oauth4webapi|https-proxy-agent|proxy-from-env)\//;

const PARSER = /provider\/manifest\/|node_modules\/(yaml|zod)\//;

describe("loaded modules", () => {
  it("by a program that declares devices is nothing that calls the service, and no parser of manifests", () => {
    const program = `require(${JSON.stringify(join(PROVIDER, "index.js"))})`;
    const files = loadedBy(program);
    expect(namesOf(files, /provider\/(index)\.js$/)).to.deep.equal(["index"]);
    expect(files.filter((file) => CLIENT.test(file) || ON_DEMAND.test(file) || PARSER.test(file))).to.deep.equal([]);
    const ofFleet = loadedBy(
      `const { FleetSettings } = ${program}; try { new FleetSettings("a", { manifest: {} }) } catch {}`,
    );
    expect(ofFleet.filter((file) => PARSER.test(file))).to.not.deep.equal([]);
  });

  it("by the command line for its help are the names of its commands, and for a command that command", () => {
    const CACHE = `import Module from "node:module"; process.on("exit", () => console.error(JSON.stringify(Object.keys(Module._cache))));`;
    const loaded = (...args: string[]) => {
      const node = [
        "--import",
        `data:text/javascript,${encodeURIComponent(CACHE)}`,
        join(PROVIDER, "../cli/main.js"),
        ...args,
      ];
      const { stderr } = spawnSync(process.execPath, node, { encoding: "utf8" });
      return namesOf(JSON.parse(stderr), /dist\/(?:cli|provider)\/([\w/]+)\.js$/);
    };
    expect(loaded("--help")).to.deep.equal([
      "command/commander",
      "engine/shortLived",
      "main",
      "package",
      "program/program",
      "terminal",
    ]);
    expect(loaded("doctor", "--help")).to.include("doctor/command").and.not.include("sun/command");
  });

  const NOWHERE = "http://127.0.0.1:1";
  const PROXY = { HTTPS_PROXY: NOWHERE, NO_PROXY: "", no_proxy: "" };
  const token = { accessToken: "t0ken" };
  const oauth = { oauthTokenUrl: `${NOWHERE}/token`, oauthClientId: "a", oauthClientSecret: "b" };
  const cases: [string, object, string, string[]][] = [
    ["a token", token, NOWHERE, []],
    ["an OAuth client", oauth, NOWHERE, ["oauth4webapi"]],
    ["a proxy", token, "https://api.solar.test", ["https-proxy-agent", "proxy-from-env"]],
    ["a service on loopback, for which a proxy is no matter", token, "https://127.0.0.1:1", []],
  ];
  for (const [what, credentials, baseUrl, expected] of cases) {
    it(`by a read with ${what} is ${expected.join(" and ") || "no more than the client"}`, () => {
      const options = { credentials, baseUrl, maxConcurrency: 1, requestTimeoutSeconds: 60, retryTimeoutSeconds: 0 };
      const files = loadedBy(
        `const { connect } = require(${JSON.stringify(join(PROVIDER, "service/client.js"))});
         const service = connect({ ...${JSON.stringify(options)}, onRetry: () => {} });
         await service.readDevice({ businessId: "b", deviceId: "d" }, new AbortController().signal).catch(() => {});`,
        PROXY,
      );
      expect(namesOf(files, CLIENT)).to.include.members(["client", "credentials"]);
      expect(namesOf(files, ON_DEMAND)).to.deep.equal(expected);
    });
  }
});
