import { expect } from "chai";
import fc from "fast-check";
import { readinessOf } from "../../../../cli/review/change";
import { asReported, compare } from "../../../../cli/view/compare";
import { deviceView, withoutSecrets } from "../../../../cli/view/device";
import type { DeviceChange, DeviceView, SiteChange, SiteView } from "../../../../cli/view/model";
import type { Values } from "../../../../provider/settings/setting";
import { declaredSite, device } from "../../../support/statuses";

const value = fc.integer({ min: 0, max: 9 });
const settingsOf = (label: string): Record<string, fc.Arbitrary<number>> =>
  label.startsWith("vehicle/") ? { maxCapacity: value, maxChargePower: value } : { peakPower: value, tilt: value };

/** A device of one of a few ids, under one of a few names, so that two sites share some of them. */
const arbitraryDevice: fc.Arbitrary<DeviceView> = fc
  .record({
    group: fc.constantFrom("vehicles" as const, "inverters" as const),
    name: fc.constantFrom("a", "b", "c", "d"),
    deviceId: fc.constantFrom("1", "2", "3", "4"),
    observe: fc.boolean(),
    onDelete: fc.constantFrom("retain", "restore", "reset"),
  })
  .chain(({ group, name, deviceId, observe, onDelete }) =>
    fc.record(settingsOf(group === "vehicles" ? "vehicle/" : "inverter/"), { requiredKeys: [] }).map((declared) =>
      deviceView({
        ...{ group, name, observe, policyFromSite: false },
        ...{ businessId: "acme", deviceId },
        declared: observe ? {} : (declared as Values),
        ...(!observe && { onDelete }),
      }),
    ),
  );

const arbitrarySite: fc.Arbitrary<SiteView> = fc
  .uniqueArray(arbitraryDevice, { selector: ({ group, deviceId }) => `${group} ${deviceId}`, maxLength: 5 })
  .filter((devices) => new Set(devices.map(({ label }) => label)).size === devices.length)
  .map((devices) => ({ ...declaredSite([]), devices }));

/** The declarations in a site, by the identity of the device. */
function declarationsIn({ devices }: Pick<SiteView, "devices">) {
  const entries = devices.map(({ group, deviceId, label, observe, onDelete = "retain", declared }) => [
    `${group} ${deviceId}`,
    { label, observe, settings: observe ? {} : { ...declared, onDelete } },
  ]);
  return Object.fromEntries(entries);
}

/** The declarations of the site before, with the changes of the devices. Devices after it tell who a label is. */
function applied({ before, after, devices }: SiteChange) {
  const known = declarationsIn({ devices: before?.devices ?? [] });
  const idOf = (all: readonly DeviceView[] | undefined, label: string) => {
    const one = all?.find((device) => device.label === label);
    return one && `${one.group} ${one.deviceId}`;
  };
  const left = devices.filter(({ kind }) => kind === "leaves").map(({ label }) => idOf(before?.devices, label));
  for (const id of left) if (id) delete known[id];
  for (const change of devices.filter(({ kind }) => kind !== "leaves")) {
    const id = idOf(after?.devices, change.label) as string;
    const now = after?.devices.find(({ label }) => label === change.label) as DeviceView;
    const base = change.kind === "new" ? {} : known[id]?.settings;
    const onDelete = change.kind === "new" && !now.observe ? { onDelete: now.onDelete } : {};
    known[id] = { label: change.label, observe: now.observe, settings: { ...changed(base, change), ...onDelete } };
  }
  return known;
}

function changed(settings: object, { settings: changes }: DeviceChange) {
  const values = new Map(Object.entries(settings));
  for (const { setting, to } of changes) {
    if (to === undefined) values.delete(setting);
    else if (setting !== "deviceId") values.set(setting, to);
  }
  return Object.fromEntries(values);
}

describe("compare", () => {
  it("finds no change between a site and itself", () => {
    fc.assert(
      fc.property(arbitrarySite, (site) => {
        expect(compare(site, site).devices).to.deep.equal([]);
      }),
    );
  });

  it("finds the changes that make the second site of the first", () => {
    fc.assert(
      fc.property(arbitrarySite, arbitrarySite, (before, after) => {
        expect(applied(compare(before, after))).to.deep.equal(declarationsIn(after));
      }),
    );
  });

  it("shows both ids if a name gets another device", () => {
    const site = (deviceId: string) => ({
      ...declaredSite([]),
      devices: [device("vehicle/car", { deviceId, declared: { maxCapacity: 77_000 }, onDelete: "restore" })],
    });
    expect(compare(site("car-1"), site("car-11")).devices.map(({ kind, settings }) => [kind, settings])).to.deep.equal([
      [
        "new",
        [
          { setting: "deviceId", from: "car-1", to: "car-11" },
          { setting: "maxCapacity", to: 77_000 },
        ],
      ],
      ["leaves", []],
    ]);
  });

  it("shows no change of a device that is only observed", () => {
    const site = (onDrift: "keep" | "repair") => ({
      ...declaredSite([]),
      devices: [device("vehicle/car", { observe: true, declared: {}, onDrift })],
    });
    expect(compare(site("repair"), site("keep")).devices).to.deep.equal([]);
    expect(compare(undefined, site("keep")).devices).to.deep.equal([
      { label: "vehicle/car", kind: "new", settings: [] },
    ]);
  });

  it("shows no value of a secret setting, and that it is newly declared", () => {
    const before = declaredSite([{ label: "vehicle/car", values: { maxChargePower: 11_000 } }]);
    const [car] = before.devices as [DeviceView];
    const secret = { ...car, secret: ["maxCapacity"], declared: { ...car.declared, maxCapacity: 77_123 } };
    const { devices } = compare(before, { ...before, devices: [secret] });
    expect(devices).to.deep.equal([
      { label: "vehicle/car", kind: "changed", settings: [{ setting: "maxCapacity", secret: true }] },
    ]);
    expect(JSON.stringify(withoutSecrets({ ...before, devices: [secret] }))).to.not.contain("77123");
  });
});

describe("a site after a check for drift", () => {
  const roof = { label: "inverter/roof", values: { peakPower: 9800, azimuth: 180, tilt: 35 } };
  const applied = declaredSite([roof]);
  const reported = (azimuth: number) => declaredSite([{ ...roof, values: { ...roof.values, azimuth } }]);
  const readyNow = (site: SiteView) => readinessOf(compare(applied, asReported(applied, site))).after;

  it("is ready now if nothing has drifted, and not ready if something has", () => {
    expect(readyNow(reported(180))).to.equal(true);
    expect(readyNow(reported(22.5))).to.equal(false);
    expect(asReported(applied, reported(22.5)).devices[0]?.drift).to.deep.equal(["azimuth"]);
  });

  it("is not ready if the service no longer knows a device", () => {
    expect(readyNow(declaredSite([]))).to.equal(false);
  });

  it("ignores a car that declares its own policy", () => {
    const car = device("vehicle/car", { isLeftOut: true });
    const other = { ...car, declared: { ...car.declared, policy: "CHARGE BY" } };
    const site = { ...applied, devices: [...applied.devices, car] };
    const now = asReported(site, { ...site, devices: [...applied.devices, other] });
    expect(now.observed).to.deep.equal({ verdict: "ready", reasons: [] });
  });

  it("shows what an observed device reports now", () => {
    const seen = (maxCapacity: number) =>
      device("vehicle/seen", { observe: true, declared: {}, reported: { maxCapacity } });
    const site = (maxCapacity: number) => ({ ...applied, devices: [...applied.devices, seen(maxCapacity)] });
    const now = asReported(site(60_000), site(70_000)).devices.at(-1);
    expect(now).to.deep.include({ reported: { maxCapacity: 70_000 }, drift: [] });
  });

  it("that is removed has no readiness afterwards", () => {
    expect(readinessOf(compare(applied, undefined))).to.deep.equal({ before: true, after: undefined });
  });
});
