import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { setOf, textOfSet } from "../../../../cli/review/approve";
import { digestOf } from "../../../../provider/lifecycle/approval/approved";
import type { Send } from "../../../../provider/lifecycle/approval/sends";
import { guarded } from "../../../../provider/lifecycle/site/approval";
import { MessageError } from "../../../../provider/messages/message";
import { vehicle } from "../../../../provider/settings/vehicle";
import { CAR, COMPLETE, fleet, runOf } from "../../../support/fakes";
import { temporaryFolder } from "../../../support/folder";
import { carStack, roofStack } from "../../../support/sites";

const URN = "urn:pulumi:dev::home::solar-charging:index:VehicleSettings::one";

describe("a run with an approved set", () => {
  const place = temporaryFolder();

  /** Approves these values of the car. @returns the variable of the environment */
  function approve(sends: readonly [field: string, value: number][]): NodeJS.ProcessEnv {
    const all = sends.map(([field, value]): Send => ({ setting: field, field, value, why: "update" }));
    const device = { label: "vehicle/one", ...CAR, sends: all, unknown: [] };
    const resource = { project: "home", stack: "dev", service: "https://api.example.com", devices: [device] };
    const text = textOfSet(setOf([resource], { repair: false }));
    writeFileSync(place("approved.json"), text);
    return { SOLAR_CHARGING_APPROVED: `${place("approved.json")}#${digestOf(text)}` };
  }
  const codeOf = (error: unknown) => (error instanceof MessageError ? error.problem.code : error);

  it("refuses a device's create, update and delete before their first request", async () => {
    const environment = approve([["max_capacity", 77_000]]);
    const car = carStack({ max_capacity: 60_000 }, environment);
    const refused = await car.up({ maxCapacity: 78_000 });
    expect([codeOf(refused.error), refused.requests]).to.deep.equal(["notReviewed", []]);
    const created = await car.up({ maxCapacity: 77_000, onDelete: "restore" });
    expect(created.requests).to.deep.equal(["GET", 'PATCH {"max_capacity":77000}', "GET"]);
    const updated = await car.up({ maxCapacity: 77_000, maxChargePower: 7400, onDelete: "restore" });
    expect([codeOf(updated.error), updated.requests]).to.deep.equal(["notReviewed", []]);
    const deleted = await car.destroy();
    expect([codeOf(deleted.error), deleted.requests]).to.deep.equal(["notReviewed", []]);
    Object.assign(environment, approve([["max_capacity", 60_000]]));
    expect((await car.destroy()).requests).to.deep.equal(["GET", 'PATCH {"max_capacity":60000}']);
  });

  it("advises to approve a repair only for drift, and to look at the stack for a device that nobody has reviewed", async () => {
    const environment = approve([["max_capacity", 77_000]]);
    const car = carStack({ max_capacity: 60_000 }, environment);
    await car.up({ maxCapacity: 77_000 });
    expect((await car.up({ maxCapacity: 78_000 })).error?.message).not.to.contain("--approve-repair");
    car.service.set(CAR, { max_capacity: 50_000 });
    await car.refresh();
    Object.assign(environment, approve([["max_capacity", 60_000]]));
    expect((await car.up({ maxCapacity: 77_000 })).error?.message).to.contain("--approve-repair");
    expect((await roofStack({}, environment).up({ tilt: 30 })).error?.message).to.contain("stack");
  });

  it("sends nothing else, whatever its operations have planned", async () => {
    const service = fleet();
    const run = runOf({ ...COMPLETE, ...approve([["max_capacity", 77_000]]) }, service);
    const { signal } = new AbortController();
    const send = (fields: object, urn = URN) =>
      guarded(run, urn, vehicle)
        .updateDevice(CAR, { ...fields }, signal)
        .catch(codeOf);
    expect(await send({ max_capacity: 77_000, policy: "CHARGE BY" })).to.equal("notReviewed");
    expect(await send({ max_capacity: 77_000 }, URN.replace("dev", "prod"))).to.equal("notReviewed");
    expect(service.requests).to.deep.equal([]);
    expect(await send({ max_capacity: 77_000 })).to.equal(undefined);
    expect(service.sent).to.deep.equal([{ max_capacity: 77_000 }]);
  });

  it("can read and retain devices without a usable set, and names the set in the ledger", async () => {
    const environment: NodeJS.ProcessEnv = {
      ...approve([["max_capacity", 77_000]]),
      SOLAR_CHARGING_LEDGER_FILE: place("ledger.jsonl"),
    };
    const car = carStack({ max_capacity: 60_000 }, environment);
    await car.up({ maxCapacity: 77_000 });
    const lines = readFileSync(place("ledger.jsonl"), "utf8").trim().split("\n");
    const digest = environment.SOLAR_CHARGING_APPROVED?.split("#")[1];
    expect(lines.map((line) => JSON.parse(line).approved)).to.deep.equal(lines.map(() => digest));
    writeFileSync(place("approved.json"), "{}");
    expect((await car.refresh()).requests).to.deep.equal(["GET"]);
    expect(codeOf((await car.up({ maxCapacity: 78_000 })).error)).to.equal("approvalNotUsable");
    expect((await car.destroy()).error).to.equal(undefined);
  });
});
