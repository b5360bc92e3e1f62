import { mkdirSync, rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { journalOf } from "../../../../cli/fleet/journal";
import { JOURNALS } from "../../../../provider/ledger/logs";
import { virtualClock } from "../../../support/clock";
import { refused } from "../../../support/fakes";
import { temporaryFolder } from "../../../support/folder";
import { refOf, SITE, SiteStack, siteService } from "../../../support/sites";

const DEVICES = ["car-a", "car-b", "roof-p", "roof-q"];

/** The files of a run: the part of its fleet, if any, and its ledger, if any. */
interface Files {
  readonly part?: string;
  readonly ledger?: string;
}

const FILES: readonly Files[] = [
  {},
  { ledger: "one" },
  { ledger: "two" },
  { part: "1/2" },
  { part: "1/2", ledger: "one" },
  { part: "2/3" },
];

const nameOf = ({ part, ledger }: Files) =>
  `${part ? `part ${part}` : "the whole fleet"} ${ledger ? `with ledger ${ledger}` : "without a ledger"}`;

describe("the baselines of a fleet's killed run", () => {
  virtualClock();
  // A colon separates nothing.
  const path = temporaryFolder();
  const folder = () => path("work:folder");
  const environmentOf = ({ part, ledger }: Files): Record<string, string> => {
    mkdirSync(folder(), { recursive: true });
    const [index = 0, count = 0] = part?.split("/").map(Number) ?? [];
    const { env } = journalOf(folder(), part ? { index, count } : undefined);
    return { ...env, ...(ledger && { SOLAR_CHARGING_LEDGER_FILE: path(`${ledger}.jsonl`) }) };
  };
  const valuesOf = (service: ReturnType<typeof siteService>) =>
    Object.fromEntries(DEVICES.map((deviceId) => [deviceId, service.get(refOf(deviceId))]));
  /** A run that is killed after some PATCHes, so that no state has its site. */
  const killed = async (service: ReturnType<typeof siteService>, files: Files, accepted = 3) => {
    const sent = service.sent.length;
    service.beforeUpdate = () => {
      if (service.sent.length - sent > accepted) throw refused(503);
    };
    await new SiteStack(service, environmentOf(files)).up(SITE);
    service.beforeUpdate = () => {};
  };

  it("come back, whatever files each run has: killed, killed again, run, destroyed with restore", async () => {
    const lost: string[] = [];
    const orders = FILES.flatMap((first, index) =>
      FILES.map((second, step) => [first, second, FILES[(index + step) % FILES.length] ?? {}] as const),
    );
    for (const [first, second, third] of orders) {
      const service = siteService();
      const before = valuesOf(service);
      await killed(service, first, 2);
      await killed(service, second);
      const site = new SiteStack(service, environmentOf(third));
      await site.up({ ...SITE, onDelete: "restore" });
      await site.destroy();
      const isRestored = isDeepStrictEqual(valuesOf(service), before);
      if (!isRestored) lost.push([first, second, third].map(nameOf).join(", then "));
      for (const file of [folder(), path("one.jsonl"), path("two.jsonl")])
        rmSync(file, { recursive: true, force: true });
    }
    expect(lost).to.deep.equal([]);
  });

  const harms: Record<string, (file: string) => void> = {
    "was removed": (file) => rmSync(file),
    "is a folder": (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  };
  for (const [what, harm] of Object.entries(harms)) {
    it(`stop the next run before it sends anything if its file ${what}`, async () => {
      const service = siteService();
      await killed(service, { part: "1/2" });
      const environment = environmentOf({ part: "2/2" });
      harm(path("work:folder/baselines-1-of-2.jsonl"));
      const { requests, reasons } = await new SiteStack(service, environment).up(SITE);
      expect(requests.filter((request) => request.startsWith("PATCH"))).to.deep.equal([]);
      expect(reasons.join()).to.contain("baselines-1-of-2.jsonl");
    });
  }

  it("stop the next run if the list of their files is not one", async () => {
    const { requests, reasons } = await new SiteStack(siteService(), {
      ...environmentOf({}),
      [JOURNALS]: path("a.jsonl"),
    }).up(SITE);
    expect(requests.filter((request) => request.startsWith("PATCH"))).to.deep.equal([]);
    expect(reasons.join()).to.contain(JOURNALS);
  });
});
