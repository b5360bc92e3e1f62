import crypto from "node:crypto";
import { expect } from "chai";
import { SecretInputs } from "../../../../provider/lifecycle/run/secretInputs";
import { siteOperations } from "../../../../provider/lifecycle/siteOperations";
import type { EngineRun } from "../../../../provider/run";
import { COMPLETE, contextOf, FakeService, runOf } from "../../../support/fakes";
import { refOf, urnOf } from "../../../support/sites";

const SLOW = ["scrypt", "scryptSync", "pbkdf2", "pbkdf2Sync"] as const;

describe("200 secret values of a site", () => {
  const real = { ...crypto };
  const called: string[] = [];
  before(() => {
    for (const name of SLOW) {
      const noted = (...args: unknown[]) => {
        called.push(name);
        return (real[name] as (...given: unknown[]) => unknown)(...args);
      };
      Object.assign(crypto, { [name]: noted });
    }
  });
  after(() => Object.assign(crypto, Object.fromEntries(SLOW.map((name) => [name, real[name]]))));

  it("cost no slow hash in check, diff, create, read and delete, which would block the plugin for seconds", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `car-${index}`);
    const service = new FakeService();
    for (const id of names) service.put(refOf(id), { id, dev_type: "Electric vehicle", max_capacity: 60_000 });
    const values = { maxCapacity: 77_000, maxChargePower: 11_000, onDelete: "restore" };
    const vehicles = Object.fromEntries(names.map((deviceId) => [deviceId, { deviceId, ...values }]));
    const paths = names.flatMap((name) => ["maxCapacity", "maxChargePower"].map((key) => `vehicles.${name}.${key}`));
    const context = { ...contextOf(urnOf("home")), secrets: new SecretInputs(paths) };
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0" }, service) as EngineRun;
    const site = siteOperations(() => run);
    const { inputs, problems } = await site.check(context, {}, { businessId: "acme", vehicles });
    expect(problems).to.deep.equal([]);
    const { outputs } = await site.create(context, inputs);
    await site.diff(context, outputs, inputs);
    await site.read(context, "home", outputs);
    await site.delete(context, outputs);
    expect(service.sent).to.have.length(100);
    expect(called).to.deep.equal([]);
  });
});
