import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { journalVariables } from "../../../provider/ledger/logs";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import type { EngineRun } from "../../../provider/run";
import { inverter } from "../../../provider/settings/inverter";
import type { Properties } from "../../../provider/settings/objects";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, COMPLETE, contextOf, type FakeService, fleet, runOf } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

/**
 * The accidents of docs/recovery.md that this tier can test. Other files test:
 * - another name and another provider in one update, two providers that declare one setting: test/long/twoProviders.test.ts;
 * - a lost state, a move to another stack or door: test/long/importFile.test.ts;
 * - `ignoreChanges` of any path: test/unit/laws/ignoreChanges.test.ts;
 * - everything in any order, with kills: test/unit/laws/lives.test.ts;
 * - messages of the engine that are too large, too deep, or have `__proto__`: test/unit/plugin/rpc.test.ts;
 * - a setting that is declared later, an inverter's id in the place of a car's: test/unit/lifecycle/device/apply.test.ts;
 * - an answer about another device: test/unit/service/client.identity.test.ts.
 */
describe("no harm is done", () => {
  const path = temporaryFolder();
  const HERE = contextOf("urn:pulumi:dev::home::solar-charging:index:VehicleSettings::car");
  const declared = { ...CAR, maxCapacity: 77_000, onDelete: "restore" };

  /** Starts a provider process. */
  const start = (service: FakeService, environment: NodeJS.ProcessEnv = {}) => {
    const run = runOf({ ...COMPLETE, SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS: "0", ...environment }, service);
    return {
      run,
      car: deviceOperations(vehicle, () => run as EngineRun),
      site: siteOperations(() => run as EngineRun),
    };
  };
  const capacity = (service: FakeService) => service.get(CAR)?.max_capacity;
  const patches = ({ sent }: FakeService) => sent.splice(0);

  it("by a device that moves from a site to another one, which declares a setting of it later", async () => {
    const service = fleet({ max_capacity: 40_021 });
    const environment = { SOLAR_CHARGING_LEDGER_FILE: path("ledger.jsonl") };
    const siteOf = (values: object) => ({
      businessId: "acme",
      solar: false,
      onDelete: "restore",
      vehicles: { car: { deviceId: "car", ...values } },
    });
    const [north, south] = ["north", "south"].map((name) =>
      contextOf(`urn:pulumi:dev::home::solar-charging:index:SiteSettings::${name}`),
    ) as [typeof HERE, typeof HERE];
    const first = await start(service, environment).site.create(north, siteOf({ maxCapacity: 70_000 }));
    const second = start(service, environment);
    const { outputs } = await second.site.create(south, siteOf({ policy: "CHARGE BY" }));
    await second.site.delete(north, { ...first.outputs, onDelete: "retain" });
    const later = await start(service, environment).site.update(south, outputs, siteOf({ maxCapacity: 80_000 }));
    await start(service, environment).site.delete(south, later);
    expect(capacity(service)).to.equal(40_021);
  });

  it("by a cache that is behind: a device that one resource gives up and another one declares is as declared", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const { outputs } = await start(service).car.create(HERE, declared);
    service.staleReads = 1;
    const { car } = start(service);
    await car.delete(HERE, outputs);
    await car.create(contextOf(`${HERE.urn}-again`), declared);
    expect(capacity(service)).to.equal(77_000);
  });

  const ledgers: Record<string, () => string> = {
    "is a folder": () => {
      mkdirSync(path("folder"), { recursive: true });
      return path("folder");
    },
    "is a manifest": () => {
      writeFileSync(path("fleet.yaml"), "fleet: acme\n");
      return path("fleet.yaml");
    },
    "is below a file": () => {
      writeFileSync(path("file"), "");
      return path("file/ledger.jsonl");
    },
  };
  for (const [what, make] of Object.entries(ledgers)) {
    it(`by a ledger that cannot be read: one that ${what} is an error, and nothing is sent`, async () => {
      for (const environment of [{ SOLAR_CHARGING_LEDGER_FILE: make() }, journalVariables([make()])]) {
        const service = fleet({ max_capacity: 60_000 });
        const { car } = start(service, environment);
        await failureOf(car.create(HERE, declared));
        expect(patches(service), Object.keys(environment).join()).to.deep.equal([]);
      }
    });
  }

  for (const outOfRange of [999_999_999, -1, "77 kWh", 1e308]) {
    it(`by a file of a checkout: a baseline ${outOfRange} is never sent, and does not block a delete`, async () => {
      const service = fleet({ max_capacity: 77_000 });
      const line = {
        ...{ time: "2026-11-21T14:03:07.412Z", run: "1", by: "somebody", operation: "create", ...CAR },
        ...{ changes: [{ key: "maxCapacity", old: outOfRange, new: 77_000 }], outcome: "planned" },
      };
      writeFileSync(path("baselines.jsonl"), `${JSON.stringify(line)}\n`);
      const environment = journalVariables([path("baselines.jsonl")]);
      const { outputs } = await start(service, environment).car.create(HERE, declared);
      await start(service, environment).car.delete(HERE, outputs);
      expect(patches(service)).to.deep.equal([]);
      expect(capacity(service)).to.equal(77_000);
    });
  }

  it("by a text of 200 KB in any setting: it is refused before anything looks at it", async () => {
    const { run, site } = start(fleet());
    const texts = ["9", " ", "9 ", "1,", "-", "SSW ", "9.9.", "\t"].map((text) => text.repeat(200_000 / text.length));
    for (const kind of [vehicle, inverter]) {
      const { check } = deviceOperations(kind, () => run as EngineRun);
      for (const key of Object.keys(kind.settings)) {
        for (const text of texts) {
          const { problems } = await check(HERE, {}, { ...CAR, [key]: text });
          expect(problems.map(({ property }) => property)).to.include(key);
          expect(JSON.stringify(problems)).to.have.lengthOf.below(2000);
        }
      }
    }
    const [text] = texts;
    const { problems } = await site.check(HERE, {}, { vehicles: { car: { deviceId: "car", maxCapacity: text } } });
    expect(problems.map(({ property }) => property)).to.deep.equal(["vehicles.car.maxCapacity"]);
  });

  for (const name of ["__proto__", "constructor", "toString"]) {
    it(`by a device that is called ${name}: objects cannot hold it, and it is refused`, async () => {
      const vehicles = JSON.parse(`{ ${JSON.stringify(name)}: { "deviceId": "car", "maxCapacity": 77000 } }`);
      const { problems } = await start(fleet()).site.check(HERE, {}, { vehicles });
      expect(problems.map(({ property }) => property)).to.deep.equal([`vehicles.${name}`]);
    });
  }

  it("by a state that was deleted: with a ledger the baseline comes back", async () => {
    const service = fleet({ max_capacity: 60_000 });
    const environment = { SOLAR_CHARGING_LEDGER_FILE: path("deleted.jsonl") };
    await start(service, environment).car.create(HERE, declared);
    const { outputs } = await start(service, environment).car.create(HERE, declared);
    await start(service, environment).car.delete(HERE, outputs);
    expect(capacity(service)).to.equal(60_000);
  });

  it("by a baseline that leaves unrestored: it is printed, and with a ledger the message names the file", async () => {
    for (const ledger of [undefined, path("left.jsonl")]) {
      const service = fleet({ max_capacity: 60_000 });
      const environment = ledger === undefined ? {} : { SOLAR_CHARGING_LEDGER_FILE: ledger };
      const { outputs } = await start(service, environment).car.create(HERE, declared);
      const { car, run } = start(service, environment);
      const kept: Properties = await car.update(HERE, outputs, { ...CAR });
      expect(kept.settings).to.have.nested.property("maxCapacity.status", "unmanaged");
      const [text = "", ...others] = run.shown;
      expect(others).to.deep.equal([]);
      expect(text).to.contain("maxCapacity was 60 kWh");
      if (ledger !== undefined) expect(text).to.contain(ledger);
    }
  });
});
