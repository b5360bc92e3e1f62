import { expect } from "chai";
import type { Problem } from "../../../provider/ledger/runFile";
import { textOf } from "../../../provider/messages/message";
import { virtualClock } from "../../support/clock";
import { refused } from "../../support/fakes";
import { refOf, SITE, SiteStack, siteService } from "../../support/sites";

describe("what a site reports to whoever started the run", () => {
  virtualClock();

  /** A run that keeps what is reported, without texts. */
  function reporting(site: SiteStack, changes: Parameters<SiteStack["run"]>[0] = {}) {
    const problems: Problem[] = [];
    const run = site.run({ ...changes, problem: (problem) => problems.push(problem) });
    return {
      run,
      problems,
      brief: () => problems.map(({ severity, operation, device, code }) => [severity, operation, device, code]),
    };
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
    service.beforeUpdate = () => {
      throw refused(503);
    };
    const site = new SiteStack(service);
    const { run, problems, brief } = reporting(site);
    await site.up({ vehicles: SITE.vehicles }, run);
    expect(brief()).to.have.deep.members([
      ["error", "create", "vehicle/a", "serviceFails"],
      ["error", "create", "vehicle/b", "serviceFails"],
    ]);
    const [text, ...others] = new Set(problems.map((problem) => textOf(problem, { isBesideDevice: true })));
    expect(others).to.deep.equal([]);
    expect(text).not.to.contain("car-");
  });

  it("is each device that a refresh does not read, and for the user one warning", async () => {
    const service = siteService();
    const site = new SiteStack(service);
    await site.up(SITE);
    service.beforeRead = ({ deviceId }) => {
      if (deviceId === "car-a") throw refused(503);
    };
    const { run, brief } = reporting(site);
    await site.refresh(run);
    expect(brief()).to.deep.equal([
      ["error", "read", "vehicle/a", "serviceFails"],
      ["warning", "read", undefined, "notRead"],
    ]);
    expect(run.shown).to.have.lengthOf(1);
  });

  it("tells a device that was not begun, as the run was stopped, from one that failed", async () => {
    const stop = new AbortController();
    stop.abort();
    const site = new SiteStack(siteService());
    const { run, brief } = reporting(site, { stopping: stop.signal });
    await site.up({ vehicles: { a: SITE.vehicles.a } }, run);
    expect(brief().at(-1)).to.deep.equal(["error", "create", "vehicle/a", "notBegun"]);
  });

  it("is what is warned of, with its device, as the user is shown it", async () => {
    const inverters = { ...SITE.inverters, p: { ...SITE.inverters.p, tilt: 1.2 } };
    const site = new SiteStack(siteService());
    const { run, problems, brief } = reporting(site);
    await site.check({ ...SITE, inverters }, run);
    expect(brief()).to.deep.equal([["warning", "check", "inverter/p", "tilt-in-radians"]]);
    expect(run.shown).to.deep.equal(problems.map((problem) => textOf(problem)));
  });

  it("is a site that lacks something, which its outputs say", async () => {
    const site = new SiteStack(siteService());
    const { run, brief } = reporting(site);
    await site.check({ ...SITE, vehicles: { a: { deviceId: "car-a" } } }, run);
    expect(brief()).to.deep.equal([["warning", "check", undefined, "notReady"]]);
  });

  it("is what is warned of while it is worked on", async () => {
    const service = siteService();
    const site = new SiteStack(service);
    await site.up(SITE);
    service.remove(refOf("car-b"));
    const { run, brief } = reporting(site);
    await site.refresh(run);
    expect(brief()).to.deep.equal([["warning", "read", "device 'car-b' of business 'acme'", "leavesStack"]]);
  });
});
