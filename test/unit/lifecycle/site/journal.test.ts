import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { journalVariables } from "../../../../provider/ledger/logs";
import type { Report } from "../../../../provider/lifecycle/run/run";
import { type Message, textOf } from "../../../../provider/messages/message";
import { vehicle } from "../../../../provider/settings/vehicle";
import { virtualClock } from "../../../support/clock";
import { CAR, refused } from "../../../support/fakes";
import { temporaryFolder } from "../../../support/folder";
import {
  type BusyService,
  CAR_BASELINE,
  CAR_VALUES,
  DeviceStack,
  FORECAST,
  refOf,
  SITE,
  SiteStack,
  siteService,
  urnOf,
} from "../../../support/sites";

interface Line {
  readonly outcome: string;
  readonly deviceId: string;
  readonly urn: string;
  readonly changes: readonly { readonly key: string; readonly old?: unknown; readonly new: unknown }[];
}

const DEVICES = ["car-a", "car-b", "roof-p", "roof-q"];

describe("the baselines of a site", () => {
  virtualClock();
  const path = temporaryFolder();
  const linesOf = (file: string): Line[] =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  const planned = (file: string) => linesOf(file).filter(({ outcome }) => outcome === "planned");

  for (const [what, environmentOf] of [
    ["the journal", (file: string) => journalVariables([file])],
    ["the ledger", (file: string) => ({ SOLAR_CHARGING_LEDGER_FILE: file })],
  ] as const) {
    describe(`in ${what}`, () => {
      it("are written down before the first PATCH of a group, all of them, with what is to be sent", async () => {
        const file = path("baselines");
        const service = siteService();
        const atPatch: string[][] = [];
        service.beforeUpdate = () => void atPatch.push(planned(file).map(({ deviceId }) => deviceId));
        await new SiteStack(service, environmentOf(file)).up(SITE);
        const roofs = DEVICES.slice(2);
        expect(atPatch.map((ids) => ids.toSorted())).to.deep.equal([roofs, roofs, DEVICES, DEVICES]);
        const [car] = planned(file).filter(({ deviceId }) => deviceId === "car-a");
        const sent: Record<string, unknown> = { ...CAR_VALUES, policy: FORECAST };
        expect(
          Object.fromEntries(car?.changes.map((change) => [change.key, [change.old, change.new]]) ?? []),
        ).to.deep.equal(Object.fromEntries(Object.entries(CAR_BASELINE).map(([key, old]) => [key, [old, sent[key]]])));
        expect(planned(file)).to.have.lengthOf(DEVICES.length);
      });

      it("are not those of a policy that waits for an inverter, so that a driver can choose the same", async () => {
        const file = path("baselines");
        const service = siteService();
        service.beforeUpdate = ({ deviceId }) => {
          if (deviceId === "roof-p") throw refused(422);
        };
        await new SiteStack(service, environmentOf(file)).up(SITE);
        service.beforeUpdate = () => {};
        service.put(refOf("car-a"), { ...service.get(refOf("car-a")), policy: FORECAST });
        const site = new SiteStack(service, environmentOf(file));
        await site.up({ ...SITE, onDelete: "restore" });
        await site.destroy();
        expect(service.get(refOf("car-a"))).to.deep.include({
          policy: FORECAST,
          max_capacity: CAR_BASELINE.maxCapacity,
        });
        expect(service.get(refOf("car-b"))).to.deep.include({ policy: "CHARGE BY" });
      });

      it("are not written down if nothing is sent", async () => {
        const service = siteService();
        await new SiteStack(service).up(SITE);
        const file = path("baselines");
        await new SiteStack(service, environmentOf(file)).up(SITE);
        expect(existsSync(file)).to.equal(false);
      });

      for (const accepted of [0, 1, 2, 3, 4]) {
        it(`are found by the create after a kill after ${accepted} PATCHes, and restored by a delete`, async () => {
          const file = path("baselines");
          const service = siteService();
          const before = Object.fromEntries(DEVICES.map((deviceId) => [deviceId, service.get(refOf(deviceId))]));
          service.beforeUpdate = () => {
            if (service.sent.length > accepted) throw refused(503);
          };
          // The engine is killed, so it keeps nothing of this stack.
          await new SiteStack(service, environmentOf(file)).up(SITE);
          service.beforeUpdate = () => {};

          const site = new SiteStack(service, environmentOf(file));
          await site.up({ ...SITE, onDelete: "restore" });
          expect(site.outputs).to.deep.include({ ready: true });
          expect((await site.destroy()).reasons).to.deep.equal([]);
          for (const deviceId of DEVICES) expect(service.get(refOf(deviceId))).to.deep.equal(before[deviceId]);
        });
      }

      it("that cannot be written down stop the update before anything is sent", async () => {
        const site = new SiteStack(siteService(), environmentOf(path("no/folder/baselines")));
        const { requests, reasons } = await site.up(SITE);
        expect(requests.every((request) => request.startsWith("GET"))).to.equal(true);
        expect(reasons).to.have.lengthOf(1);
        expect(site.outputs).to.equal(undefined);
      });

      it("of a device that joins are written down, and not those of the others again", async () => {
        const file = path("baselines");
        const site = new SiteStack(siteService(), environmentOf(file));
        await site.up(SITE);
        const vehicles = { ...SITE.vehicles, c: { deviceId: "car-c", ...CAR_VALUES } };
        await site.up({ ...SITE, vehicles });
        expect(planned(file).map(({ deviceId }) => deviceId)).to.have.members([...DEVICES, "car-c"]);
      });

      // Without this, the first change of an adopted value is lost if the engine is killed after it, and another
      // resource then adopts the device.
      for (const door of ["a site", "a device of its own"]) {
        it(`of a value that ${door} adopted as it was are written down before its first change, and once`, async () => {
          const file = path("baselines");
          const service = siteService();
          const isSite = door === "a site";
          const stack = isSite
            ? new SiteStack(service, environmentOf(file))
            : new DeviceStack(vehicle, service, environmentOf(file));
          const up = async (maxCapacity: number) => {
            const { maxChargePower } = CAR_BASELINE;
            const car = { ...CAR, maxCapacity, maxChargePower };
            await stack.up(isSite ? { solar: false, vehicles: { a: car } } : car);
            return planned(file).flatMap(({ changes }) => changes.map((one) => ({ ...one })));
          };
          service.put(CAR, { ...service.get(refOf("car-a")) });
          expect(await up(CAR_BASELINE.maxCapacity)).to.deep.equal([]);
          const first = { key: "maxCapacity", old: CAR_BASELINE.maxCapacity, new: 77_000 };
          expect(await up(77_000)).to.deep.equal([first]);
          expect(await up(78_000)).to.deep.equal([first]);
        });
      }

      it("are not written down if nothing is to be sent", async () => {
        const service = siteService();
        await new SiteStack(service).up(SITE);
        const file = path("baselines");
        await new SiteStack(service, environmentOf(file)).up(SITE);
        expect(linesOf(file)).to.deep.equal([]);
      });
    });
  }

  it("are one message for the site's resource if there is no file, before the first PATCH", async () => {
    const service = siteService();
    const site = new SiteStack(service);
    const shown: [message: string, urn: string | undefined, updates: number][] = [];
    const run = site.run();
    const info: Report = async (message, urn) => void shown.push([textOf(message), urn, service.sent.length]);
    await site.up(SITE, { ...run, report: { ...run.report, info } });
    const [[message, urn, updates] = [], ...others] = shown;
    expect([others, urn, updates]).to.deep.equal([[], urnOf("home"), 0]);
    expect(message).to.contain("vehicle/a: maxCapacity was 60 kWh, maxChargePower 3 kW, policy CHARGE BY");
    for (const label of ["vehicle/b", "inverter/p", "inverter/q"]) expect(message).to.contain(`${label}: `);
  });

  it("are not in that message if the service reports none of a device", async () => {
    const service = siteService();
    service.put(refOf("roof-p"), { id: "roof-p", dev_type: "Inverter" });
    const { infos } = await new SiteStack(service).up(SITE);
    expect(infos).to.contain("vehicle/a: maxCapacity was").and.not.contain("inverter/p");
  });
});

describe("a setting that no delete can restore", () => {
  virtualClock();

  for (const [what, fields] of Object.entries({
    "is not reported": { max_capacity: undefined },
    "is reported as a text": { max_capacity: "60000" },
    "is reported out of range": { max_capacity: 1e15 },
  })) {
    for (const [resource, make] of Object.entries({
      site: (service: BusyService) => ({ stack: new SiteStack(service), args: SITE, label: "vehicle/a: maxCapacity" }),
      device: (service: BusyService) => ({
        ...{ stack: new DeviceStack(vehicle, service), args: { ...CAR, ...CAR_VALUES } },
        label: "device 'car' of business 'acme': maxCapacity",
      }),
    })) {
      it(`${what}, is named before the first PATCH of a ${resource}, and only under onDelete restore`, async () => {
        const service = siteService();
        const put = () => {
          for (const id of ["car-a", "car"]) service.put(refOf(id), { ...service.get(refOf("car-b")), id, ...fields });
        };
        put();
        const { stack, args, label } = make(service);
        const run = stack.run();
        const shown: [message: Message, updates: number][] = [];
        const warn: Report = async (message) => void shown.push([message, service.sent.length]);
        await stack.up({ ...args, onDelete: "restore" }, { ...run, report: { ...run.report, warn } });
        const [[message, updates] = [], ...others] = shown.filter(([{ code }]) => code === "notRestorable");
        expect([others, updates]).to.deep.equal([[], 0]);
        expect(textOf(message as Message)).to.match(new RegExp(`${label}\\. `));
        put();
        const { codes } = await make(service).stack.up(args);
        expect(codes).not.to.include("notRestorable");
      });
    }
  }

  it("is not named if its value stays unchanged, or if all are reported", async () => {
    const service = siteService();
    const { codes } = await new SiteStack(service).up({ ...SITE, onDelete: "restore" });
    expect(codes).not.to.include("notRestorable");
    const again = await new SiteStack(service).up({ ...SITE, onDelete: "restore" });
    expect(again.codes).to.deep.equal([]);
  });
});
