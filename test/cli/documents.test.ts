import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { EXPORTS, simulatedCar } from "../support/charging";
import { givenCommandLine } from "../support/commandLine";
import { blocksOf } from "../support/markdown";
import { outputIn } from "../support/output";
import { measuredRoofs } from "../support/roofs";
import { recorded } from "../unit/cli/review/previews";

const ROOF_1 = { type: "inverter", settings: { peak_power: 9800 } } as const;
const commandsOf = (page: string) => blocksOf(page).filter(({ language }) => language === "sh");

describe("documents: commands without an engine", () => {
  const given = givenCommandLine({ businesses: { acme: { "car-1": { type: "vehicle" }, "roof-1": ROOF_1 } } });
  const { path, shell: run } = given;

  it("of docs/troubleshooting.md run as they stand", async () => {
    const script = blocksOf("docs/troubleshooting.md").map(({ text }) => text);
    expect(script).to.have.length(3);
    expect(await run(script.join(""))).to.contain("✓ identity PATCH");
    expect(given.simulator.latestReads).to.equal(0);
  });

  it("of docs/ledger.md show who set what, and name a file for each month", async () => {
    const [example] = blocksOf("docs/ledger.md").filter(({ language }) => language === "json");
    const line = { ...JSON.parse(example?.text ?? ""), time: new Date().toISOString() };
    writeFileSync(path("ledger.jsonl"), `${JSON.stringify(line)}\n`);
    const script = commandsOf("docs/ledger.md").map(({ text }) => text);
    const text = await run(`${script.join("")}echo $SOLAR_CHARGING_LEDGER_FILE`, {
      SOLAR_CHARGING_LEDGER_FILE: path("ledger.jsonl"),
    });
    expect(text).to.contain("60 kWh").and.contain("77 kWh");
    expect(text).to.match(/\/\d{4}-\d{2}\.jsonl\n$/);
  });

  it("of docs/roof.md show the sun of a manifest, and of what a preview does", async () => {
    const roof = "peakPower: 9.8 kWp, azimuth: SSW, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";
    const car = "maxCapacity: 77 kWh, maxChargePower: 11 kW";
    const berlin = `{ latitude: 48.1, inverters: { roof: { deviceId: r, ${roof} } }, vehicles: { c: { deviceId: c, ${car} } } }`;
    const manifest = `fleet: acme\nsites:\n  berlin: ${berlin}\n`;
    writeFileSync(path("fleet.yaml"), manifest);
    writeFileSync(path("preview.json"), recorded("mistakes"));
    const text = await run(
      commandsOf("docs/roof.md")
        .map(({ section, text }) => (section === "Sun" ? text : ""))
        .join(""),
    );
    const [shown] = blocksOf("docs/roof.md").filter(
      ({ section, language }) => section === "Sun" && language === "text",
    );
    for (const line of shown?.text.trim().split("\n") ?? []) expect(text).to.contain(`  ${line}\n`);
    expect(text).to.match(/^berlin\n {2}51 kWh for the cars/);
  });

  it("of docs/roof.md compare a roof with its production, and show the result in a review", async () => {
    const roof = measuredRoofs().find(({ file }) => file.startsWith("21-"));
    const [{ azimuth, tilt, peakPower } = {}] = roof?.planes ?? [];
    const berlin = `{ latitude: 52.5, inverters: { roof: { deviceId: r, azimuth: ${azimuth}, tilt: ${tilt}, peakPower: ${peakPower} } } }`;
    writeFileSync(path("fleet.yaml"), `fleet: acme\nsites:\n  berlin: ${berlin}\n`);
    writeFileSync(path("production.csv"), roof?.text ?? "");
    writeFileSync(path("preview.json"), recorded("mistakes"));
    const [compare] = commandsOf("docs/roof.md").map(({ text }) => text);
    const [, withoutFleet, show] = commandsOf("docs/measuring.md").map(({ text }) => text);
    expect(await run(`${compare?.trim()} --write measured.json`)).to.contain("The declared roof agrees");
    const own = `azimuth=${azimuth} tilt=${tilt} peakPower=${peakPower}`;
    const declared = withoutFleet?.trim().replace(/"azimuth=.*"/, `"${own}"`) ?? "";
    expect(declared).to.contain(own);
    expect(await run(declared)).to.contain("agrees");
    // Only these commands: the others need stacks, and their options are tested with them.
    const review = show?.split("\n").filter((line) => line.includes(" review "));
    expect(await run(review?.join("\n") ?? "")).to.contain("The sun");
  });

  it("of docs/measuring.md compare a car with its sessions", async () => {
    const { capacity, sessions } = simulatedCar(21);
    const car = `{ deviceId: c, maxCapacity: ${Math.round(1.1 * capacity)}, maxChargePower: 125 kW }`;
    writeFileSync(path("fleet.yaml"), `fleet: acme\nsites:\n  berlin: { vehicles: { "van-1": ${car} } }\n`);
    writeFileSync(path("sessions.csv"), EXPORTS.TeslaMate(sessions));
    const [compare] = commandsOf("docs/measuring.md").map(({ text }) => text);
    const [shown] = blocksOf("docs/measuring.md").filter(({ language }) => language === "text");
    expect(await run(`${compare?.trim()} || [ $? = 2 ]`)).to.contain(shown?.text.trim());
  });

  it("of docs/large-fleets.md name backends, show the stacks, and print their programs", async () => {
    const [manifest] = blocksOf("docs/fleets.md").filter(({ language }) => language === "yaml");
    const [shown] = blocksOf("docs/large-fleets.md").filter(({ language }) => language === "json");
    writeFileSync(path("fleet.yaml"), manifest?.text ?? "");
    const commands = commandsOf("docs/large-fleets.md");
    expect(commands).to.have.length(3);
    const [stacks = "", ...others] = commands.map(({ text }) => text);
    expect(outputIn("fleet stacks", await run(`${stacks.trim()} --json`))).to.deep.equal(JSON.parse(shown?.text ?? ""));
    expect(await run(stacks)).to.contain("acme: 1 stack, 6 devices");
    for (const site of ["berlin", "hamburg", "munich"]) expect(await run(others.join(""))).to.contain(`"${site}":`);
  });
});
