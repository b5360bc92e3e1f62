import { expect } from "chai";
import { baselinesByValue, writtenIn } from "../../../provider/ledger/events";
import { storeUnusable } from "../../../provider/ledger/messages";
import { RUN_FILE, RunFile, type RunLine, type SharedLines, writeClaims } from "../../../provider/ledger/runFile";
import { Store } from "../../../provider/ledger/store";
import { MessageError } from "../../../provider/messages/message";
import type { DeviceRef } from "../../../provider/service/device";
import { inverter } from "../../../provider/settings/inverter";
import type { DeviceKind } from "../../../provider/settings/setting";
import { CAR, COMPLETE, claimed, type Owner, ownerOf, ROOF, runOf, writerOf } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

describe("the declarations of a run", () => {
  const path = temporaryFolder();

  it("are known by device and key", () => {
    const store = new Store();
    claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf());
    claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf());
    claimed(store, ROOF, { tilt: 30 }, ownerOf());
    expect(store.declared(CAR, "policy")?.values.policy).to.equal("CHARGE BY");
    expect(store.declared(CAR, "maxCapacity")?.values.maxCapacity).to.equal(77_000);
    expect(store.declared(CAR, "tilt")).to.equal(undefined);
    expect(store.declared(ROOF, "tilt")?.values.tilt).to.equal(30);
    expect(store.declared({ ...CAR, businessId: "other" }, "policy")).to.equal(undefined);
  });

  /** The owner of a key, as a second resource that declares it would get it. */
  const declarerOf = (store: Store, device: DeviceRef, key: string, kind?: DeviceKind) =>
    claimed(store, device, { [key]: 1 }, ownerOf("urn:probe", kind))[key];

  it("know the resource that declares a key, if it is known, and some resource of the program", () => {
    const store = new Store();
    claimed(store, ROOF, { tilt: 30 }, ownerOf());
    expect(store.urnOfRun).to.equal(undefined);
    claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    const declarers = ["policy", "maxCapacity", "maxChargePower"].map((key) => declarerOf(store, CAR, key));
    expect(declarers).to.deep.equal([ownerOf("urn:policy").words, ownerOf("urn:car").words, undefined]);
    expect(declarerOf(store, ROOF, "tilt", inverter)).to.equal(undefined);
    expect(store.urnOfRun).to.equal("urn:policy");
  });

  it("forget what one resource declares, and keep what others declare of the same device", () => {
    const store = new Store();
    claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    claimed(store, ROOF, { tilt: 30 }, ownerOf("urn:car", inverter));
    store.forget("urn:car");
    const values = () => [
      store.declared(CAR, "policy")?.values.policy,
      store.declared(CAR, "maxCapacity")?.values.maxCapacity,
      store.declared(ROOF, "tilt")?.values.tilt,
    ];
    expect(values()).to.deep.equal(["CHARGE BY", undefined, undefined]);
    store.forget("urn:car");
    store.forget("urn:other");
    store.forget(undefined);
    expect(values()).to.deep.equal(["CHARGE BY", undefined, undefined]);
  });

  it("let a device change its kind only after no resource declares it", () => {
    const store = new Store();
    claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claimed(store, CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    const roof = ownerOf("urn:roof", inverter);
    expect(claimed(store, CAR, { tilt: 30 }, roof)).to.deep.equal({ deviceId: ownerOf("urn:policy").words });
    store.forget("urn:policy");
    expect(claimed(store, CAR, { tilt: 30 }, roof)).to.have.property("deviceId");
    store.forget("urn:car");
    claimed(store, ROOF, { tilt: 30 }, ownerOf("urn:once", inverter));
    store.forget("urn:once");
    expect(claimed(store, ROOF, { policy: "CHARGE BY" }, ownerOf("urn:again"))).to.deep.equal({});
  });

  it("are of two owners if the resources differ, or the devices of one site do, and never of one that is not known", () => {
    const declare = (first: Owner, second: Owner) => {
      const store = new Store();
      claimed(store, CAR, { policy: "CHARGE BY" }, first);
      return claimed(store, CAR, { policy: "CHARGE BY" }, second);
    };
    const of = (urn: string | undefined, words: string): Owner => ({ ...ownerOf(urn), words });
    const other = { policy: "vehicle/a of SiteSettings 'home'" };
    const first = of("urn:home", other.policy);
    expect(declare(first, of("urn:home", "vehicle/b of SiteSettings 'home'"))).to.deep.equal(other);
    expect(declare(first, of("urn:north", first.words))).to.deep.equal(other);
    expect(declare(first, first)).to.deep.equal({});
    expect(declare(first, of(undefined, "VehicleSettings 'car'"))).to.deep.equal({});
    expect(declare(of(undefined, "VehicleSettings 'car'"), first)).to.deep.equal({});
  });

  it("have the values that were sent after a restore in place of the restored ones", async () => {
    const store = new Store();
    store.updated(CAR, { maxCapacity: 77_000 });
    await store.restored(CAR, { maxCapacity: 60_000, policy: "CHARGE BY" }, writerOf());
    expect(writtenIn(store.eventsOfRun(CAR))).to.deep.equal({ maxCapacity: 60_000, policy: "CHARGE BY" });
    store.updated(CAR, { maxCapacity: 77_000 });
    expect(writtenIn(store.eventsOfRun(CAR))).to.deep.equal({ maxCapacity: 77_000, policy: "CHARGE BY" });
  });

  it("do not confuse ids that look alike when joined", () => {
    const store = new Store();
    claimed(store, { businessId: "a/b", deviceId: "c" }, { policy: "CHARGE BY" }, ownerOf());
    expect(store.declared({ businessId: "a", deviceId: "b/c" }, "policy")).to.equal(undefined);
  });

  it("knows another stack's declarations from its driver, but not its resources", () => {
    const file = path("store.jsonl");
    const odd = { businessId: "a/b", deviceId: "__proto__" };
    writeClaims(file, [
      [CAR, { maxCapacity: 77_000 }],
      [odd, { policy: "CHARGE BY" }],
      [CAR, { policy: "CHARGE BY" }],
    ]);
    const store = new Store({ shared: new RunFile(() => file, { own: process.pid + 1, isAlive: () => true }) });
    const declared = { maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
    expect(claimed(store, CAR, declared, ownerOf("urn:car"))).to.deep.equal({});
    const keys = ["maxCapacity", "policy", "maxChargePower", "tilt", "constructor"];
    const by = (device: DeviceRef) => keys.map((key) => store.declared(device, key)?.words);
    const [other, own] = by(CAR);
    expect(other).to.not.equal(own);
    expect(by(CAR)).to.deep.equal([other, own, own, undefined, undefined]);
    expect(by(odd)).to.deep.equal([undefined, other, undefined, undefined, undefined]);
    expect(by(ROOF)).to.deep.equal(keys.map(() => undefined));
    expect(store.declared(CAR, "policy")?.values.policy).to.equal("CHARGE BY FORECAST");
  });

  it("lets nothing be restored if the file of the fleet is not there, because another stack may have set it", () => {
    const environment = { ...COMPLETE, [RUN_FILE]: path("no/such/file") };
    expect(() => runOf(environment).store.declared(CAR, "policy")).to.throw(path("no/such/file"));
  });
});

/** Two provider processes of a run. */
function twoProcesses(file: string) {
  const alive = new Set([11, 12]);
  const [first, second] = [11, 12].map((own) => {
    const shared = new RunFile(() => file, { own, isAlive: (pid) => alive.has(pid) });
    return new Store({ shared, service: () => "https://north" });
  }) as [Store, Store];
  return { alive, first, second };
}

describe("the stores of two provider processes", () => {
  const path = temporaryFolder();

  it("refuse what the other one declares, and one of both sees it at least", () => {
    const { first, second } = twoProcesses(path("store.jsonl"));
    expect(claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:one"))).to.deep.equal({});
    expect(claimed(second, CAR, { policy: "CHARGE BY" }, ownerOf("urn:two"))).to.deep.equal({
      policy: ownerOf("urn:one").words,
    });
    expect(claimed(second, CAR, { tilt: 30 }, ownerOf("urn:roof", inverter))).to.have.property("deviceId");
  });

  it("know what the other one declares, until it is checked again or its process ends", () => {
    const { first, second, alive } = twoProcesses(path("store.jsonl"));
    claimed(first, CAR, { maxCapacity: 77_000, policy: "CHARGE BY" }, ownerOf("urn:one"));
    expect(second.declared(CAR, "maxCapacity")?.values.maxCapacity).to.equal(77_000);
    first.forget("urn:one");
    claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:one"));
    expect(second.declared(CAR, "maxCapacity")).to.equal(undefined);
    expect(second.declared(CAR, "policy")?.values.policy).to.equal("CHARGE BY");
    alive.delete(11);
    expect(second.declared(CAR, "policy")).to.equal(undefined);
    expect(claimed(second, CAR, { policy: "CHARGE BY" }, ownerOf("urn:two"))).to.deep.equal({});
  });

  it("know what a device was before the other one's resource gave it up, also when its process has ended", () => {
    const { first, second, alive } = twoProcesses(path("store.jsonl"));
    first.note("released", CAR, [
      { key: "maxCapacity", old: 60_000, new: 77_000 },
      { key: "maxCapacity", old: 60_000, new: 78_000 },
    ]);
    first.note("released", CAR, [{ key: "policy", new: "CHARGE BY FORECAST" }]);
    alive.delete(11);
    expect([...baselinesByValue(second.events(CAR, "maxCapacity"))]).to.deep.equal([
      [77_000, 60_000],
      [78_000, 60_000],
    ]);
    expect([...baselinesByValue(second.events(CAR, "policy"))]).to.deep.equal([["CHARGE BY FORECAST", undefined]]);
    expect([...baselinesByValue(second.events(ROOF, "policy"))]).to.deep.equal([]);
  });

  it("count what this process declares before what another one does", () => {
    const { first, second } = twoProcesses(path("store.jsonl"));
    claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:one"));
    claimed(second, CAR, { policy: "CHARGE BY FORECAST" }, ownerOf("urn:two"));
    expect(first.declared(CAR, "policy")?.values.policy).to.equal("CHARGE BY");
  });

  it("name the owner of a setting, and tell the other process from their own", () => {
    const { first, second } = twoProcesses(path("store.jsonl"));
    claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:car"));
    const of = (store: Store) => store.declared(CAR, "policy");
    expect([of(first), of(second)].map((one) => one?.pid)).to.deep.equal([undefined, 11]);
    expect(of(second)?.words).to.equal(of(first)?.words).and.to.contain("urn:car");
  });

  it("forget each resource of the other one that is checked again", () => {
    const { first, second } = twoProcesses(path("store.jsonl"));
    claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:car"));
    claimed(first, ROOF, { tilt: 30 }, ownerOf("urn:roof", inverter));
    expect([second.declared(CAR, "policy")?.values.policy, second.declared(ROOF, "tilt")?.values.tilt]).to.deep.equal([
      "CHARGE BY",
      30,
    ]);
    for (const urn of ["urn:car", "urn:roof"]) first.forget(urn);
    expect([second.declared(CAR, "policy"), second.declared(ROOF, "tilt")]).to.deep.equal([undefined, undefined]);
  });

  it("know what they sent after the other one restored the setting, though only the file has that", async () => {
    const { first, second } = twoProcesses(path("store.jsonl"));
    await first.restored(CAR, { maxCapacity: 60_000 }, writerOf());
    second.updated(CAR, { maxCapacity: 77_000 });
    for (const store of [first, second]) expect(store.written(CAR)).to.deep.equal({ maxCapacity: 77_000 });
  });

  it("write nothing without news", () => {
    const written: (readonly RunLine[])[] = [];
    const shared: SharedLines = {
      append: (lines) => void written.push(lines),
      news: () => [],
      isAlive: () => true,
      end: () => {},
    };
    const store = new Store({ shared });
    store.forget("urn:car");
    store.forget(undefined);
    store.note("released", CAR, []);
    expect(written).to.deep.equal([]);
    const left = { key: "maxCapacity", old: 60_000, new: 77_000 };
    for (const _ of [1, 2]) store.note("released", CAR, [left]);
    expect(written).to.have.lengthOf(1);
  });

  it("mix up no devices of two services that have the same ids", () => {
    const { first } = twoProcesses(path("store.jsonl"));
    const shared = new RunFile(() => path("store.jsonl"), { own: 13, isAlive: () => true });
    const south = new Store({ shared, service: () => "https://south" });
    claimed(first, CAR, { policy: "CHARGE BY" }, ownerOf("urn:one"));
    first.note("released", CAR, [{ key: "maxCapacity", old: 60_000, new: 77_000 }]);
    expect(claimed(south, CAR, { policy: "CHARGE BY" }, ownerOf("urn:two"))).to.deep.equal({});
    expect([...baselinesByValue(south.events(CAR, "maxCapacity"))]).to.deep.equal([]);
  });
});

describe("a store whose shared file fails", () => {
  const broken: SharedLines = {
    append: () => {
      throw new MessageError(storeUnusable("ENOSPC", "/tmp/run"));
    },
    news: () => {
      throw new MessageError(storeUnusable("ENOSPC", "/tmp/run"));
    },
    isAlive: () => true,
    end: () => {},
  };

  it("fails before an update, and only warns after one", async () => {
    const warned: string[] = [];
    const store = new Store({ shared: broken, warn: async ({ code }) => void warned.push(code) });
    const before: (() => unknown)[] = [
      () => claimed(store, CAR, { policy: "CHARGE BY" }, ownerOf("urn:one")),
      () => store.declared(CAR, "policy"),
      () => baselinesByValue(store.events(CAR, "policy")),
      () => writtenIn(store.eventsOfRun(CAR)),
      () => store.note("released", CAR, [{ key: "maxCapacity", new: 77_000 }]),
    ];
    for (const call of before) expect(call).to.throw(MessageError);
    await store.restored(CAR, { maxCapacity: 60_000 }, writerOf());
    store.updated(CAR, { maxCapacity: 60_000 });
    expect(warned).to.deep.equal(["storeUnusable", "storeUnusable"]);
  });
});
