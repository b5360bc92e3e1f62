import { expect } from "chai";
import type { Problem } from "../../../provider/ledger/runFile";
import { virtualClock } from "../../support/clock";
import { refused } from "../../support/fakes";
import { refOf, SITE, SiteStack, siteService } from "../../support/sites";

describe("what a site reports to whoever started the run", () => {
  virtualClock();

  /** A run that keeps what is reported, without texts. */
  function reporting(site: SiteStack, changes: Parameters<SiteStack["run"]>[0] = {}) {
    const problems: Problem[] = [];
    const run = site.run({ ...changes, problem: (problem) => problems.push(problem) });
    return { run, problems, brief: () => problems.map(({ text: _, ...rest }) => rest) };
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
    const failed = { severity: "error", operation: "create", site: "home" };
    expect(brief()).to.have.deep.members([
      { ...failed, device: "vehicle/a" },
      { ...failed, device: "vehicle/b" },
    ]);
    const [text, ...others] = new Set(problems.map((problem) => problem.text));
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
      { severity: "error", operation: "read", site: "home", device: "vehicle/a" },
      { severity: "warning", operation: "read", site: "home", code: "notRead" },
    ]);
    expect(run.shown).to.have.lengthOf(1);
  });

  it("tells a device that was not begun, as the run was stopped, from one that failed", async () => {
    const stop = new AbortController();
    stop.abort();
    const site = new SiteStack(siteService());
    const { run, brief } = reporting(site, { stopping: stop.signal });
    await site.up({ vehicles: { a: SITE.vehicles.a } }, run);
    expect(brief().at(-1)).to.deep.equal({
      ...{ severity: "error", operation: "create", site: "home", device: "vehicle/a", code: "notBegun" },
    });
  });

  it("is what is warned of, with its device, as the user is shown it", async () => {
    const inverters = { ...SITE.inverters, p: { ...SITE.inverters.p, tilt: 1.2 } };
    const site = new SiteStack(siteService());
    const { run, problems } = reporting(site);
    await site.check({ ...SITE, inverters }, run);
    expect(problems.map(({ device, severity }) => [device, severity])).to.deep.equal([["inverter/p", "warning"]]);
    expect(run.shown).to.deep.equal([`inverter/p: ${problems[0]?.text}`]);
  });

  it("is a site that lacks something, which its outputs say", async () => {
    const site = new SiteStack(siteService());
    const { run, brief } = reporting(site);
    await site.check({ ...SITE, vehicles: { a: { deviceId: "car-a" } } }, run);
    expect(brief()).to.deep.equal([{ severity: "warning", operation: "check", site: "home", code: "notReady" }]);
  });

  it("is what is warned of while it is worked on", async () => {
    const service = siteService();
    const site = new SiteStack(service);
    await site.up(SITE);
    service.remove(refOf("car-b"));
    const { run, brief } = reporting(site);
    await site.refresh(run);
    expect(brief()).to.deep.equal([{ severity: "warning", operation: "read", site: "home" }]);
  });
});
