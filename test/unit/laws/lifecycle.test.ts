import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { type DeviceKind, toPatch } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { refOf } from "../../support/sites";
import { anyNumbers, anything, DEVICES, numbered } from "./commands";
import { Ledger } from "./ledger";

/** Number of random histories: `LAW_RUNS=20000 npx mocha dist/test/unit/laws` is a long run. */
const { LAW_RUNS = "300" } = process.env;

const KINDS: Readonly<Record<string, { kind: DeviceKind; deviceType: string }>> = {
  vehicles: { kind: vehicle, deviceType: "Electric vehicle" },
  inverters: { kind: inverter, deviceType: "Inverter" },
};

for (const [title, { kind, deviceType }] of Object.entries(KINDS)) {
  describe(`a stack of ${title}, whatever is declared, edited, lost and in doubt`, () => {
    it("holds every law after every step", async () => {
      const beginning = fc.record({ numbers: fc.tuple(anyNumbers, anyNumbers), hidden: fc.subarray([0, 1, 2, 3, 4]) });
      const life = fc.commands(anything, { maxCommands: 30, size: "max" });
      await fc.assert(
        fc.asyncProperty(beginning, life, async ({ numbers, hidden }, commands) => {
          const ledger = new Ledger(kind);
          for (const [index, deviceId] of DEVICES.entries()) {
            const settings = numbered(kind, numbers[index] ?? []);
            ledger.service.put(refOf(deviceId), { dev_type: deviceType, ...toPatch(kind, settings) });
          }
          const wireNames = Object.values(kind.settings).map(({ wireName }) => wireName);
          for (const name of wireNames.filter((_, index) => hidden.includes(index))) ledger.service.hidden.add(name);
          await fc.asyncModelRun(() => ({ model: {}, real: ledger }), commands);
        }),
        { numRuns: Number(LAW_RUNS) },
      );
    });
  });
}
