import { expect } from "chai";
import type { Done } from "../../../../provider/ledger/done";
import type { Report } from "../../../../provider/lifecycle/run/run";
import type { Message } from "../../../../provider/messages/message";
import { textOf } from "../../../../provider/messages/message";
import { virtualClock } from "../../../support/clock";
import { refused } from "../../../support/fakes";
import { appliedSite, refOf, SITE, SiteStack, siteService } from "../../../support/sites";

describe("what a site reports to whoever started the run", () => {
  virtualClock();

  /** A run that keeps reports as data. */
  function reporting(site: SiteStack, changes: Parameters<SiteStack["run"]>[0] = {}) {
    const own = site.run(changes);
    const problems: (Message & { readonly reported: string })[] = [];
    const done = (make: () => Done) => {
      const { operation, problems: ofDevices } = make();
      for (const problem of Object.values(ofDevices)) problems.push({ ...problem, reported: operation });
    };
    const warn: Report = async (message, urn) => {
      problems.push({ ...message, reported: "warning" });
      await own.report.warn(message, urn);
    };
    const run = { ...own, report: { ...own.report, done, warn } };
    return { run, problems, codes: () => problems.map(({ reported, device, code }) => [reported, device, code]) };
  }

  it("is nothing if all goes well", async () => {
    const site = new SiteStack(siteService());
    const { run, problems } = reporting(site);
    await site.up(SITE, run);
    await site.destroy(run);
    expect(problems).to.deep.equal([]);
  });

  it("is each device that fails, once, with the same text for the same cause", async () => {
    const service = siteService();
    service.fail("updates", () => refused(503));
    const site = new SiteStack(service);
    const { run, problems, codes } = reporting(site);
    await site.up({ vehicles: SITE.vehicles }, run);
    expect(codes()).to.have.deep.members([
      ["create", "vehicle/a", "serviceFails"],
      ["create", "vehicle/b", "serviceFails"],
    ]);
    const [text, ...others] = new Set(problems.map((problem) => textOf(problem, { isBesideDevice: true })));
    expect(others).to.deep.equal([]);
    expect(text).not.to.contain("car-");
  });

  it("is each device that a refresh does not read, and for the user one warning", async () => {
    const { site, service } = await appliedSite();
    service.fail("reads", () => refused(503), "car-a");
    const { run, codes } = reporting(site);
    await site.refresh(run);
    expect(codes()).to.have.deep.members([
      ["read", "vehicle/a", "serviceFails"],
      ["warning", undefined, "notRead"],
    ]);
    expect(run.shown).to.have.lengthOf(1);
  });

  it("equals the warning that the user sees, with its device", async () => {
    const inverters = { ...SITE.inverters, p: { ...SITE.inverters.p, tilt: 1.2 } };
    const site = new SiteStack(siteService());
    const { run, problems, codes } = reporting(site);
    await site.check({ ...SITE, inverters }, run);
    expect(codes()).to.deep.equal([["warning", "inverter/p", "tilt-in-radians"]]);
    expect(run.shown).to.deep.equal(problems.map((problem) => textOf(problem)));
  });

  it("is a site that lacks something, which its outputs say", async () => {
    const site = new SiteStack(siteService());
    const { run, codes } = reporting(site);
    await site.check({ ...SITE, inverters: { p: { deviceId: "roof-p", peakPower: 9800 } } }, run);
    expect(codes()).to.deep.equal([["warning", undefined, "notReady"]]);
  });

  it("is what is warned of while it is worked on", async () => {
    const { site, service } = await appliedSite();
    service.remove(refOf("car-b"));
    const { run, codes } = reporting(site);
    await site.refresh(run);
    expect(codes()).to.deep.equal([["warning", "device 'car-b' of business 'acme'", "leavesStack"]]);
  });
});
