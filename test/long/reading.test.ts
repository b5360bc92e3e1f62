import { readFileSync } from "node:fs";
import { expect } from "chai";
import { wakesCar } from "../../provider/engine/messages";
import { textOf } from "../../provider/messages/message";
import { givenProject, takeRequests } from "../support/project";

const OWNER = "Ada's canary 4f1d";
const fleet = {
  businesses: { acme: { car: { type: "vehicle", title: OWNER, settings: { max_capacity: 60_000 } } } },
} as const;

describe("engine: a program that reads a device", () => {
  const given = givenProject(fleet, "for all");
  const outputs = () => given.project.outputs();
  beforeEach(() => takeRequests(given.simulator));

  it("has it in previews too, with nothing personal in outputs, logs and state", async () => {
    given.project.program(`
      const device = getDeviceOutput({ deviceId: "car" });
      device.apply((shown) => console.log(shown, JSON.stringify(shown)));
      exports.device = device;
      exports.isNamed = device.apply(({ personal }) => personal.title !== undefined);`);
    const preview = await given.project.succeeds("preview");
    expect(preview).to.match(/maxCapacity: 60000/);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);

    const up = await given.project.up();
    const shown = outputs();
    expect(shown.isNamed).to.equal(true);
    expect(shown.device).to.deep.include({
      businessId: "acme",
      deviceId: "car",
      reported: { maxCapacity: 60_000, policy: "CHARGE BY" },
    });
    const holding = given.project.files().filter((file) => readFileSync(file, "utf8").includes(OWNER));
    expect(holding).to.deep.equal([]);
    expect(preview + up).to.not.contain(OWNER);
  });

  it("fails if there is no such device, without a stack trace", async () => {
    given.project.program(`getDeviceOutput({ deviceId: "nope" }).apply(console.log);`);
    const text = await given.project.fails("preview");
    expect(text).to.match(/error: .*device 'nope' of business 'acme'/);
    expect(text).to.not.match(/^\s+at /m);
  });

  it("reads the latest metrics in an update only, once", async () => {
    given.project.program(`getLatestMetrics({ deviceId: "car", allowWake: true });`);
    expect(await given.project.fails("preview")).to.contain(textOf(wakesCar(true)));
    expect(given.simulator.requests).to.deep.equal([]);

    given.project.program(`exports.metrics = getLatestMetrics({ deviceId: "car", allowWake: true });`);
    await given.project.up();
    expect(given.simulator.latestReads).to.equal(1);
    expect(outputs()).to.deep.equal({ metrics: { plug_status: 1, state_of_charge: 62 } });
  });
});
