import { expect } from "chai";
import { apply } from "../../../../provider/lifecycle/device/apply";
import { remove } from "../../../../provider/lifecycle/device/delete";
import { refresh } from "../../../../provider/lifecycle/device/read";
import type { Records } from "../../../../provider/lifecycle/device/record";
import type { State } from "../../../../provider/lifecycle/device/state";
import { problemOf } from "../../../../provider/messages/message";
import { inverter } from "../../../../provider/settings/inverter";
import type { DeviceKind, Values } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { failureOf } from "../../../support/failure";
import { CAR, callOf, ROOF } from "../../../support/fakes";
import { servers } from "../../../support/server";
import { serviceAt } from "../../../support/service";

/** A kind of device, a declaration, and the records after it was accepted. */
const KINDS: readonly { kind: DeviceKind; ref: typeof CAR; values: Values; settings: Records }[] = [
  {
    kind: vehicle,
    ref: CAR,
    values: { maxCapacity: 77_000 },
    settings: { maxCapacity: { status: "verified", value: 77_000, baseline: 60_000 } },
  },
  {
    kind: inverter,
    ref: ROOF,
    values: { tilt: 35 },
    settings: { tilt: { status: "verified", value: 35, baseline: 30 } },
  },
];

describe("an answer that is not the device", () => {
  const serve = servers();

  /** A server that answers every request with this object, and the operations on a device there. */
  async function at(stranger: object, kind: DeviceKind) {
    const server = await serve({ body: JSON.stringify(stranger) });
    const call = callOf(kind, serviceAt(server.url, { inverterFields: ["peak_power", "tilt"] }));
    const sent = () => server.received.filter(({ method }) => method === "PATCH").length;
    return { call, sent };
  }

  for (const stranger of [{ message: "Welcome" }, { code: 404 }, { data: { id: "x", dev_type: "Electric vehicle" } }]) {
    for (const { kind, ref, values, settings } of KINDS) {
      const name = `${JSON.stringify(stranger)} for ${kind.expects}`;
      const before: State = { ...ref, onDelete: "restore", settings };

      it(`stops a create before anything is sent: ${name}`, async () => {
        const { call, sent } = await at(stranger, kind);
        expect(problemOf(await failureOf(apply(call, undefined, { ...ref, values })))).to.include({
          code: "notTheService",
        });
        expect(sent()).to.equal(0);
      });

      it(`stops a refresh and a delete, which keep state and baselines: ${name}`, async () => {
        const { call, sent } = await at(stranger, kind);
        for (const work of [refresh, remove] as const) {
          expect(problemOf(await failureOf(work(call, before)))).to.include({ code: "notTheService" });
        }
        expect(sent()).to.equal(0);
      });

      it(`makes the outcome of an update unknown, even if the update was answered with 200: ${name}`, async () => {
        const { call } = await at(stranger, kind);
        const [key = ""] = Object.keys(values);
        const error = await failureOf(apply(call, before, { ...ref, values: { [key]: 50 } }));
        expect(error).to.have.property("name", "UncertainError");
        expect(error).to.have.nested.property(`state.settings.${key}.status`, "uncertain");
      });
    }
  }

  it("may be an inverter that has never shown anything of itself", async () => {
    const { call } = await at({ nominal: 9800 }, inverter);
    const silent: State = { ...ROOF, settings: { tilt: { status: "notReported", value: 35 } } };
    expect(await refresh(call, silent)).to.have.nested.property("settings.tilt.status", "notReported");
  });
});
