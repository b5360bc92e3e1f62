import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "chai";
import { startSimulator } from "solar-charging-simulator";
import { FLEET, patch, read, simulators, temporaryFiles } from "../../support/simulators";

describe("simulator: the state file", () => {
  const start = simulators();
  const temporaryFile = temporaryFiles();

  it("keeps what was set over a restart", async () => {
    const stateFile = temporaryFile("state.json");
    const before = await start({ stateFile });
    await patch(before, "car", { policy: "CHARGE BY FORECAST" });
    before.appUserSets("acme", "roof", { tilt: 30 });
    await before.close();

    const after = await start({ stateFile });
    expect((await read(after, "car")).json()).to.include({ policy: "CHARGE BY FORECAST", max_capacity: 60_000 });
    expect(after.device("acme", "roof")).to.deep.equal({ peak_power: 9_800, tilt: 30 });
  });

  it("is written when the PATCH is answered, and leaves no other file", async () => {
    const stateFile = temporaryFile("state.json");
    await patch(await start({ stateFile }), "car", { max_capacity: 70_000 });
    expect(JSON.parse(readFileSync(stateFile, "utf8")).acme.car).to.include({ max_capacity: 70_000 });
    expect(readdirSync(dirname(stateFile))).to.deep.equal(["state.json"]);
  });

  it("is replaced rather than written over, so that nobody reads half of it", async () => {
    const stateFile = temporaryFile("state.json");
    const simulator = await start({ stateFile });
    await patch(simulator, "car", { max_capacity: 70_000 });
    const opened = openSync(stateFile, "r");
    await patch(simulator, "car", { max_capacity: 80_000 });
    expect(readFileSync(opened, "utf8")).to.include("70000");
    closeSync(opened);
    expect(readFileSync(stateFile, "utf8")).to.include("80000");
  });

  it("is not written before something changes", async () => {
    const stateFile = temporaryFile("state.json");
    await read(await start({ stateFile }), "car");
    expect(existsSync(stateFile)).to.equal(false);
  });

  it("forgets a device that was removed", async () => {
    const stateFile = temporaryFile("state.json");
    const before = await start({ stateFile });
    await patch(before, "car", { max_capacity: 70_000 });
    before.remove("acme", "car");
    await before.close();
    expect((await start({ stateFile })).device("acme", "car")).to.include({ max_capacity: 60_000 });
  });

  for (const [what, content, problem] of [
    ["no JSON", "{", "not valid JSON"],
    ["something else", '{"acme":[]}', "acme"],
  ] as const) {
    it(`is refused at the start when it has ${what}`, async () => {
      const stateFile = temporaryFile("state.json");
      writeFileSync(stateFile, content);
      const error = await startSimulator({ fleet: FLEET, stateFile }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.include(stateFile).and.to.include(problem);
    });
  }
});
