import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { ROOT } from "../support/project";
import { call, devicePath, failure, patch, read, temporaryFiles } from "../support/simulators";

const CLI = join(ROOT, "simulator", "bin.js");

describe("simulator: the command line", () => {
  const running: ChildProcess[] = [];
  const temporaryFile = temporaryFiles();

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
  });

  function run(args: string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [CLI, "--port", "0", ...args], { env: { ...process.env, ...env } });
    running.push(child);
    return child;
  }

  /** Runs the simulator until it listens. @returns `end`, which stops it and returns its standard output */
  async function started(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
    const child = run(args, env);
    const stdout = text(child.stdout);
    const lines = createInterface(child.stderr);
    const [line] = (await once(lines, "line")) as [string];
    const exported = (name: string) => new RegExp(`${name}=(\\S+)`).exec(line)?.[1] ?? "";
    return {
      line,
      url: exported("SOLAR_CHARGING_BASE_URL"),
      businessId: exported("SOLAR_CHARGING_BUSINESS_ID"),
      token: exported("SOLAR_CHARGING_ACCESS_TOKEN"),
      end: async (signal: NodeJS.Signals = "SIGTERM") => {
        const exit = once(child, "exit");
        child.kill(signal);
        const [code] = await exit;
        return { code, stdout: await stdout };
      },
    };
  }

  /** Runs the simulator until it ends by itself. */
  async function failed(args: string[]) {
    const child = run(args);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    return { code, stderr };
  }

  it("serves a demo fleet, and says how the provider gets there", async () => {
    const simulator = await started();
    expect(simulator.line).to.match(/^Listening on http:\/\/127\.0\.0\.1:\d+\. .*export /);
    expect(simulator).to.include({ businessId: "acme", token: "simulator-token" });
    expect((await read(simulator, "car")).json()).to.include({ __typename: "Vehicle", max_capacity: 60_000 });
    expect((await read(simulator, "roof")).json()).to.include({ __typename: "Inverter" });
  });

  it("logs each request as a line of JSON, never with a token", async () => {
    const simulator = await started();
    await patch(simulator, "car", { max_capacity: 70_000 });
    await call(simulator, "GET", devicePath("car"), { headers: { authorization: "Bearer wrong-token" } });
    const { stdout } = await simulator.end();
    const entries = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ operation, status }) => [operation, status])).to.deep.equal([
      ["update", 200],
      ["read", 401],
    ]);
    expect(stdout).not.to.match(/simulator-token|wrong-token|authorization|bearer/i);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`ends cleanly on ${signal}, even with a request that is stalled`, async () => {
      const simulator = await started(["--fault", '{"kind":"stall-body"}']);
      const headers = { authorization: `Bearer ${simulator.token}` };
      const response = await fetch(simulator.url + devicePath("car"), { headers });
      const body = failure(response.text());
      expect((await simulator.end(signal)).code).to.equal(0);
      expect(await body).to.equal("UND_ERR_SOCKET");
    });
  }

  it("takes the fleet from a file", async () => {
    const file = temporaryFile("fleet.json");
    writeFileSync(file, JSON.stringify({ token: "t-1", businesses: { b1: { d1: { type: "inverter" } } } }));
    const simulator = await started(["--fleet", file]);
    expect(simulator).to.include({ businessId: "b1", token: "t-1" });
    expect((await call(simulator, "GET", devicePath("d1", "b1"))).status).to.equal(200);
  });

  it("takes the token from --token, else from the environment", async () => {
    const env = { SOLAR_CHARGING_SIMULATOR_TOKEN: "from-env" };
    expect(await started([], env)).to.include({ token: "from-env" });
    expect(await started(["--token", "from-argument"], env)).to.include({ token: "from-argument" });
  });

  it("takes behaviour, inverter fields and several faults", async () => {
    const simulator = await started([
      ...["--reports", "config", "--cache-lag-seconds", "60", "--latency-seconds", "0.001"],
      ...["--inverter-fields", '{"peakPower":"kwp"}'],
      ...["--fault", '{"status":503}', "--fault", '{"status":429}'],
    ]);
    expect((await read(simulator, "car")).status).to.equal(503);
    expect((await read(simulator, "car")).status).to.equal(429);
    expect((await patch(simulator, "roof", { kwp: 10 })).status).to.equal(200);
    expect((await patch(simulator, "car", { max_capacity: 70_000 })).status).to.equal(200);
    expect((await read(simulator, "car")).json().config).to.include({ max_capacity: 60_000 });
  });

  it("keeps the settings in the state file", async () => {
    const state = temporaryFile("state.json");
    const before = await started(["--state", state]);
    await patch(before, "car", { max_capacity: 70_000 });
    await before.end();
    expect((await read(await started(["--state", state]), "car")).json()).to.include({ max_capacity: 70_000 });
  });

  it("ends with an error when the fleet file is missing or broken", async () => {
    const broken = temporaryFile("fleet.json");
    writeFileSync(broken, '{"businesses":{"acme":{"car":{"type":"boat"}}}}');
    const [missing, wrong] = await Promise.all([failed(["--fleet", `${broken}.not`]), failed(["--fleet", broken])]);
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include(`${broken}.not`).and.to.include("no such file");
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.include("businesses.acme.car.type").and.not.to.include("    at ");
  });

  it("ends with an error when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await failed(["--port", String(port)]);
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.include("use --port").and.to.include(String(port)).and.not.to.include("    at ");
  });

  for (const args of [
    ["--latency-seconds", "soon"],
    ["--fault", '{"kind":"explode"}'],
  ]) {
    it(`refuses ${args.join(" ")}`, async () => {
      const { code, stderr } = await failed(args);
      expect(code).to.equal(1);
      expect(stderr)
        .to.match(/^error: /)
        .and.to.include(args[0]);
    });
  }

  it("takes the devices of a manifest, which have no values yet, and shows their statuses", async () => {
    const file = temporaryFile("fleet.yaml");
    const sites =
      "{ home: { vehicles: { car: { deviceId: c } }, inverters: { roof: { deviceId: r, businessId: other } } } }";
    writeFileSync(file, `fleet: acme\nbusinessId: mine\nsites: ${sites}\n`);
    const target = await started(["--manifest", file]);
    const car = (await call(target, "GET", devicePath("c", "mine"))).json();
    expect(car).to.include({ service_status: "active_scheduled", charging_status: "plugged_in_stopped" });
    expect(car).not.to.have.property("max_capacity");
    expect((await call(target, "GET", devicePath("r", "other"))).json()).to.include({ __typename: "Inverter" });
  });
});
