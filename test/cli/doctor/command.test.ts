import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";
import { expectFacts } from "../../support/facts";
import { outputIn } from "../../support/output";
import { takeRequests } from "../../support/project";
import { runFileMade, runLinesIn } from "../../support/runFile";
import { fleet, OWNER } from "./fleet";

const UNSET = { SOLAR_CHARGING_BASE_URL: "", SOLAR_CHARGING_ACCESS_TOKEN: "" };

describe("cli: doctor", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;
  const doctor = (...args: string[]) => given.run(["doctor", ...args]);

  it("checks the configuration without a request", async () => {
    const { code, stdout, stderr } = await doctor();
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^✓ Node: \d+\./);
    expectFacts(stdout, [`${given.simulator.url}\n✓ business: acme\n`, "✓ credential: "]);
    expect(stdout).to.match(/✓ configuration: .*\n(.*\n)*– service: .*\n {4}.*--device ID/);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("checks the configuration of the stack in the folder of a project, and the environment if there is none", async () => {
    writeFileSync(path("Pulumi.yaml"), "name: home\nruntime: yaml\n");
    const engine = `#!/bin/sh
[ "$1 $2" != "stack ls" ] || echo '[{"name":"dev","current":true}]'
[ "$1" != config ] || echo '{"solar-charging:baseUrl":{"value":"${given.simulator.url}"},"solar-charging:acessToken":{"value":"x"}}'
`;
    writeFileSync(path("pulumi"), engine, { mode: 0o755 });
    const env = { ...UNSET, PATH: `${path("")}:/usr/bin:/bin` };
    const { code, stdout } = await given.run(["doctor"], { env });
    expect(code, stdout).to.equal(1);
    expect(stdout).to.match(
      /✓ stack: dev.*\n✗ stack: .*:acessToken .*:accessToken\?\n.*\n✗ configuration: .*accessToken /,
    );
    const set = await given.run(["doctor"], { env: { ...env, SOLAR_CHARGING_ACCESS_TOKEN: "x" } });
    expect(set.stdout).to.contain(`✓ configuration: the service is at ${given.simulator.url}\n`);
    writeFileSync(path("pulumi"), "#!/bin/sh\necho 'error: no login' >&2; exit 3\n");
    const none = await doctor();
    expect(none.code, none.stdout).to.equal(0);
  });

  describe("in the folder of a project", () => {
    /** The doctor, with the stack's configuration in place of the environment's. */
    const withStack = (config: Record<string, string>, env: NodeJS.ProcessEnv = {}, args: readonly string[] = []) => {
      writeFileSync(path("Pulumi.yaml"), "name: home\nruntime: yaml\n");
      const values = Object.entries(config).map(([key, value]) => [`solar-charging:${key}`, { value }]);
      writeFileSync(path("config.json"), JSON.stringify(Object.fromEntries(values)));
      const engine = `#!/bin/sh
[ "$1 $2" != "stack ls" ] || echo '[{"name":"dev","current":true}]'
[ "$1" != config ] || cat ${path("config.json")}
`;
      writeFileSync(path("pulumi"), engine, { mode: 0o755 });
      const variables = { ...UNSET, SOLAR_CHARGING_BUSINESS_ID: "", PATH: `${path("")}:/usr/bin:/bin`, ...env };
      return given.run(["doctor", ...args], { env: variables });
    };
    const url = "http://127.0.0.1:1";
    const all = { baseUrl: url, accessToken: "x", businessId: "acme" };

    it("has nothing wrong in a whole configuration", async () => {
      const { code, stdout } = await withStack(all);
      expect(code, stdout).to.equal(0);
    });

    it("says what is refused without a business, which each device may declare, or the option gives", async () => {
      const { code, stdout } = await withStack({ baseUrl: url, accessToken: "x" });
      expect(code, stdout).to.equal(0);
      expectFacts(stdout, [
        "– business: ",
        "without a businessId is refused",
        "solar-charging:businessId",
        " SOLAR_CHARGING_BUSINESS_ID",
      ]);
      const named = await withStack({ baseUrl: url, accessToken: "x" }, {}, ["--device", "acme/car"]);
      expect(named.stdout).to.contain("✓ business: acme\n");
    });

    it("names the key that has the value, of a service that is not there or an address that is doubted", async () => {
      const variable = { SOLAR_CHARGING_BASE_URL: `${url}/api/v1` };
      const args = ["--device", "car"];
      const address = ({ stdout }: { stdout: string }) =>
        stdout.match(/solar-charging:baseUrl|SOLAR_CHARGING_BASE_URL/g);
      const { baseUrl: _, ...rest } = all;
      const [ofStack, overridden, ofEnvironment] = [
        await withStack({ ...all, baseUrl: `${url}/api/v1` }, {}, args),
        await withStack({ ...all, baseUrl: `${url}/api/v1` }, variable, args),
        await withStack(rest, variable, args),
      ];
      for (const found of [ofStack, overridden]) {
        expect([...new Set(address(found))], found.stdout).to.deep.equal(["solar-charging:baseUrl"]);
        expect(found.stdout).to.match(/✗ service: .*ECONNREFUSED/);
      }
      expect([...new Set(address(ofEnvironment))]).to.deep.equal(["SOLAR_CHARGING_BASE_URL"]);
      const refused = await withStack({ ...all, baseUrl: "ftp://x" }, variable);
      expect(refused.stdout).to.contain("✗ configuration: solar-charging:baseUrl ");
    });

    it("fails for a misspelled key, also beside the right one, as a preview warns of it", async () => {
      const { code, stdout } = await withStack({ ...all, baseURL: url });
      expect(code, stdout).to.equal(1);
      expect(stdout).to.contain("✗ stack: solar-charging:baseURL ");
    });

    it("leaves keys alone that may be those of a project with our name", async () => {
      const { code, stdout } = await withStack({ ...all, roofPower: "9" });
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(/– stack: solar-charging:roofPower .*\n {4}\w/);
    });
  });

  it("names all that is wrong with the configuration, never a secret", async () => {
    const secret = "canary two words";
    const unset = await given.run(["doctor"], { env: UNSET });
    expect(unset.code).to.equal(1);
    expect(unset.stdout).to.match(/✗ configuration: SOLAR_CHARGING_BASE_URL .*\n.*\n✗ .*ACCESS_TOKEN /);
    const { code, stdout, stderr } = await given.run(["doctor"], { env: { SOLAR_CHARGING_ACCESS_TOKEN: secret } });
    expect(code).to.equal(1);
    expect(stdout).to.match(/✗ configuration: SOLAR_CHARGING_ACCESS_TOKEN .*'Bearer '/);
    const misspelt = await given.run(["doctor"], { env: { ...UNSET, SOLAR_CHARGING_BASEURL: given.simulator.url } });
    expect(misspelt.stdout).to.match(/✗ environment: SOLAR_CHARGING_BASEURL .*SOLAR_CHARGING_BASE_URL\?\n {4}\w/);
    expect(stdout + stderr).to.not.contain("canary");
  });

  it("tells of the kind of credential, of a proxy without its password, and of a file of certificates", async () => {
    const { stdout } = await given.run(["doctor"], {
      env: {
        SOLAR_CHARGING_BASE_URL: "https://api.example.com",
        SOLAR_CHARGING_ACCESS_TOKEN: "",
        SOLAR_CHARGING_TOKEN_COMMAND: "echo canary",
        HTTPS_PROXY: "http://ada:canary@proxy.example.com:3128",
        NO_PROXY: "",
        no_proxy: "",
        NODE_EXTRA_CA_CERTS: path("nope.pem"),
      },
    });
    expect(stdout).to.match(/✓ credential: .*command/);
    expect(stdout).to.contain("✓ proxy: http://proxy.example.com:3128\n");
    expect(stdout).to.match(/✗ private CA: NODE_EXTRA_CA_CERTS .*nope\.pem/);
    expect(stdout).to.not.contain("canary");
  });

  it("reads the file of a secret like a run, and reports its mistake without its content", async () => {
    const told = async (env: NodeJS.ProcessEnv) => (await given.run(["doctor"], { env })).stdout;
    const token = `file:${path("token")}`;
    const env = { SOLAR_CHARGING_ACCESS_TOKEN: token };
    const missing = await given.run(["doctor", "--device", "car"], { env });
    expect(missing.code).to.equal(1);
    expect(missing.stdout).to.match(/✗ credential: .*SOLAR_CHARGING_ACCESS_TOKEN .*token, .*\(ENOENT\)\n {4}\w/);
    expect(missing.stdout).to.not.contain("✗ token");
    writeFileSync(path("token"), "Bearer canary\n");
    const more = await told({
      SOLAR_CHARGING_ACCESS_TOKEN: "",
      SOLAR_CHARGING_OAUTH_TOKEN_URL: "https://id.example.com/token",
      SOLAR_CHARGING_OAUTH_CLIENT_ID: "id",
      SOLAR_CHARGING_OAUTH_CLIENT_SECRET: token,
    });
    expect(more).to.match(/✗ credential: .*OAUTH_CLIENT_SECRET .*token.*\n {4}.*'Bearer '/);
    writeFileSync(path("token"), "canary\n");
    const right = await told({ SOLAR_CHARGING_ACCESS_TOKEN: token });
    expect(right).to.match(/✓ credential: .*token\n/);
    expect(more + right).to.not.contain("canary");
    execFileSync("mkfifo", [path("pipe")]);
    const pipe = await told({ SOLAR_CHARGING_ACCESS_TOKEN: `file:${path("pipe")}` });
    expect(pipe).to.match(/✗ credential: .*pipe, .*pipe\n {4}.*file/);
  });

  it("reports whether the ledger can be written, without creating it", async () => {
    const told = (file: string) => given.run(["doctor"], { env: { SOLAR_CHARGING_LEDGER_FILE: file }, cwd: path("") });
    const wrong = await told(path("no/ledger.jsonl"));
    expect(wrong.code).to.equal(1);
    expect(wrong.stdout).to.match(/✗ ledger: .*no\/ledger\.jsonl .*\(ENOENT\)\n {4}\w/);
    expect((await told("ledger.jsonl")).stdout).to.match(/✓ ledger: \/.*\/ledger\.jsonl\n/);
    expect(existsSync(path("ledger.jsonl"))).to.equal(false);
    expect((await doctor()).stdout).to.contain("– ledger: SOLAR_CHARGING_LEDGER_FILE ");
  });

  it("checks service, token and device by one cached read, and shows nothing personal", async () => {
    const { code, stdout, stderr } = await doctor("--device", "car");
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/✓ service: .*\n✓ token: .*\n✓ device: .*'car'\n(.*\n)*✓ fields: /);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
    for (const secret of [OWNER, given.simulator.token, "60000", "07:00"])
      expect(stdout + stderr).to.not.contain(secret);
  });

  it("reports a missing business or an impossible id, without a request", async () => {
    const { code, stdout } = await given.run(["doctor", "--device", ".."], { env: { SOLAR_CHARGING_BUSINESS_ID: "" } });
    expect(code).to.equal(1);
    expect(stdout).to.match(/✗ device: .*'\.\.'.*\n {4}.*--device\n/);
    expect(stdout).to.match(/✗ business: .*\n {4}.*--device business.*SOLAR_CHARGING_BUSINESS_ID/);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("accepts a device with its business in the form of summaries and of resource ids, and names the business", async () => {
    for (const device of ["a b/é e", "a%20b/%C3%A9%20e", "a%20b/c%2Fd"]) {
      const { code, stdout } = await doctor("--device", device);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.contain("✓ business: a b\n").and.not.contain("acme");
    }
  });

  it("doubts a base URL that has what is added to it, and counts its reads for who asks", async () => {
    const env = {
      SOLAR_CHARGING_BASE_URL: `${given.simulator.url}/api/v1/`,
      ...runFileMade(path("calls")).environment,
    };
    const { stdout } = await given.run(["doctor", "--device", "car"], { env });
    expect(stdout).to.match(/– path: .*\/api\/v1, .*\/api\/v1 .*\n {4}.*SOLAR_CHARGING_BASE_URL/);
    expect(runLinesIn(path("calls")).map(({ request }) => request)).to.deep.equal(["GET"]);
  });

  it("tells a refused token, a missing device and a failing service apart, each after one request", async () => {
    const refused = await given.run(["doctor", "--device", "car"], { env: { SOLAR_CHARGING_ACCESS_TOKEN: "wrong" } });
    expect(refused.stdout).to.match(/✓ service: .*\n✗ token: .*HTTP 401.*\n {4}.*SOLAR_CHARGING_ACCESS_TOKEN/);
    const missing = await doctor("--device", "nope");
    expect(missing.stdout).to.match(/✗ device: .*'nope'.*'acme'\n/);
    given.simulator.fail({ status: 503 });
    const failing = await doctor("--device", "car");
    expect(failing.stdout).to.match(/✗ service: .*HTTP 503.*\n.*\n– token: /);
    expect([refused.code, missing.code, failing.code]).to.deep.equal([1, 1, 1]);
    expect(takeRequests(given.simulator)).to.have.length(3);
  });

  it("tells a service that is not there", async () => {
    const { code, stdout } = await given.run(["doctor", "--device", "car"], {
      env: { SOLAR_CHARGING_BASE_URL: "http://127.0.0.1:1" },
    });
    expect(code).to.equal(1);
    expect(stdout).to.match(/✗ service: .*ECONNREFUSED/);
  });

  it("suggests names for an inverter's settings", async () => {
    const { stdout } = await doctor("--device", "roof");
    expect(stdout).to.contain(`SOLAR_CHARGING_INVERTER_FIELDS='{"peakPower":"peak_power"}'`);
  });

  it("gives all of it to a machine", async () => {
    const { stdout } = await doctor("--device", "car", "--json");
    const { checks } = outputIn("doctor", stdout);
    expect(checks[0]).to.include({ name: "Node", outcome: "ok" });
  });

  it("never asks the car itself", async () => {
    await doctor("--device", "car", "--identity-patch", "policy", "-y");
    expect(given.simulator.latestReads).to.equal(0);
    expect(given.simulator.requests).to.have.length(3);
  });
});
