import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { blocksOf } from "../support/markdown";
import { givenProject, outputOf, ROOT, takeRequests } from "../support/project";

const programsOf = (page: string) => blocksOf(page).filter(({ language }) => language === "ts" || language === "js");

describe("engine: programs in docs/", () => {
  const devices = { ...DEMO_FLEET.businesses.acme, gable: { type: "inverter" } } as const;
  const given = givenProject({ ...DEMO_FLEET, businesses: { acme: devices } }, "for all");
  before(() => given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" })));

  for (const page of ["docs/concepts.md", "docs/drift.md", "docs/resources.md", "docs/settings.md"]) {
    for (const { section, text } of programsOf(page)) {
      it(`can be applied: ${page}, "${section}"`, async () => {
        given.project.write("index.ts", text);
        await given.project.up();
      });
    }
  }

  it("send a latest read only if they say so", () => {
    expect(given.simulator.latestReads).to.equal(1);
    expect(takeRequests(given.simulator)).to.not.be.empty;
  });

  it("test a program with the simulator: docs/reviewing.md", async () => {
    const [{ text } = { text: "" }] = programsOf("docs/reviewing.md");
    given.project.write("try.js", text);
    const output = await outputOf(spawn(process.execPath, ["try.js"], { cwd: given.project.folder }));
    expect(output).to.deep.include({ code: 0 });
    expect(output.text).to.contain("max_capacity: 70000");
  });
});

describe("engine: commands in docs/", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("of docs/configuration.md run, and set the keys that the page lists", async () => {
    const script = blocksOf("docs/configuration.md").map(({ text }) => text);
    const text = await given.project.shell(`${script.join("")}export -p | grep SOLAR_CHARGING; pulumi config`);
    expect(text).to.match(/inverterFields\s+{"peakPower":"peak_power",.*\n.*oauthClientId\s+pipeline/);
    const variables = [...text.matchAll(/(SOLAR_CHARGING_\w+)=/g)].map(([, name]) => name);
    expect(variables).to.include.members(["SOLAR_CHARGING_TOKEN_COMMAND", "SOLAR_CHARGING_OAUTH_CLIENT_SECRET"]);
    const page = readFileSync(join(ROOT, "docs", "configuration.md"), "utf8");
    for (const name of variables) expect(page).to.contain(`\`${name}\` |`);
  });

  it("of docs/reviewing.md run: a review; a preview with refresh fails if something has drifted, and a live one reads", async () => {
    const blocks = blocksOf("docs/reviewing.md").filter(({ section }) => section !== "Approvals");
    const [review = "", failing = "", check = "", live = ""] = blocks.map(({ text }) => text.trim());
    expect(check.startsWith("pulumi ") && live.startsWith("pulumi ")).to.equal(true);
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    expect(await given.project.shell(review))
      .to.contain("1 new · 1 warning")
      .and.to.contain("car: new, maxCapacity 77 kWh");
    await given.project.shell(failing);
    await given.project.shell(`${failing.replace(/ready-lost/, "devices=1")} || test $? = 2`);
    await given.project.up();
    await given.project.succeeds(...check.split(" ").slice(1));
    given.simulator.appUserSets("acme", "car", { max_capacity: 70_000 });
    await given.project.fails(...check.split(" ").slice(1));

    takeRequests(given.simulator);
    await given.project.succeeds(...live.split(" ").slice(1));
    await given.project.succeeds("preview");
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
  });
});

describe("engine: approvals in docs/reviewing.md", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("approve a change in one job, and apply it in another with the digest of the file", async () => {
    const blocks = blocksOf("docs/reviewing.md").filter(({ section }) => section === "Approvals");
    const [review = "", apply = ""] = blocks.map(({ text }) => text);
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    const text = await given.project.shell(`${review}\nsha256sum approved.json`);
    const [, sum] = /^([0-9a-f]{64}) {2}approved.json$/m.exec(text) ?? [];
    expect(text).to.contain(`sha256:${sum} allows 1 value for 1 device`);
    const DIGEST = `sha256:${sum}`;
    await given.project.shell(apply, { DIGEST });
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 78000 });`);
    await given.project.shell(`${apply.trim()} || test $? != 0`, { DIGEST });
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
  });
});

describe("engine: docs/fleets.md", () => {
  const vehicle = { type: "vehicle" } as const;
  const roofs = { "roof-1": { type: "inverter" }, "roof-2": { type: "inverter" } } as const;
  const devices = { "van-1": vehicle, "van-2": vehicle, "car-1": vehicle, "van-3": vehicle, ...roofs };
  const given = givenProject({ businesses: { acme: devices } }, "for each");

  it("has a manifest that its commands preview, roll out, and find without drift", async () => {
    const blocks = blocksOf("docs/fleets.md");
    const [manifest] = blocks.filter(({ language }) => language === "yaml");
    const [commands] = blocks.filter(({ section, language }) => section === "Rolling out" && language === "sh");
    given.project.write("fleet.yaml", manifest?.text ?? "");
    const [preview, up, drift] = commands?.text.trim().split("\n") ?? [];
    const script = [
      `${preview} || test $? = 2`, // Exit code 2 means changes.
      up,
      drift,
    ];
    await given.project.shell(script.join("\n"));
    expect(given.simulator.device("acme", "van-2")).to.deep.equal({
      max_capacity: 60_000,
      max_charge_power: 7_400,
      policy: "CHARGE BY FORECAST",
    });
  });
});
