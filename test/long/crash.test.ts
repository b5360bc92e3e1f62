import { expect } from "chai";
import fc from "fast-check";
import { expectRecovered, expectRestored, kill } from "../crashes/kill";
import { CrashSite, UNTOUCHED } from "../crashes/site";
import { blocksOf } from "../support/markdown";

describe("engine: an up that is cut short", () => {
  // The number of the 40 updates that are applied before the interruption. It differs in each run.
  const [nth = 1] = fc.sample(fc.integer({ min: 1, max: 30 }), 1);
  let site: CrashSite;
  const withSite = (hasLedger: boolean) => {
    beforeEach(async () => {
      site = await CrashSite.create(hasLedger);
    });
    afterEach(() => site.close());
  };

  describe("with a ledger", () => {
    withSite(true);

    it(`by kill -9 at first update ${nth} is recovered as documented, with all baselines`, async () => {
      expect((await kill(site, 77_000, site.patched(nth)))?.pending).to.be.greaterThan(0);
      await expectRestored(site, UNTOUCHED);
    });

    it(`by a provider's process that is killed at update ${nth} is completed by the next, with all baselines`, async () => {
      site.declare(77_000);
      const up = site.startUp();
      await site.patched(nth);
      up.killHost();
      const { code, text } = await up.output;
      expect(code, text).to.equal(1);
      await site.quiet();
      expect(site.state.pending).to.deep.equal({});

      await site.recover("Stopped or failed runs");
      expectRecovered(site, 77_000, UNTOUCHED);
    });
  });

  describe("without a ledger", () => {
    withSite(false);

    it(`by kill -9 at first update ${nth} loses baselines of the sites that were being created, and destroy restores all others`, async () => {
      const { lost = [], baselines = {} } = (await kill(site, 77_000, site.patched(nth))) ?? {};
      expect(lost).to.have.length.greaterThan(0);
      await expectRestored(site, baselines);
    });

    it(`by kill -9 at later update ${nth} is recovered as documented, with all baselines`, async () => {
      site.declare(77_000);
      await site.project.up();
      const { lost } = (await kill(site, 79_000, site.patched(nth))) ?? {};
      expect(lost).to.deep.equal([]);
      await expectRestored(site, UNTOUCHED);
    });

    it("by a kill that left the state's attributes empty lets nothing go on until these are removed", async () => {
      site.emptyAttributes();
      expect(await site.project.fails("stack")).to.contain("failed to load checkpoint: EOF");
      await site.recover("failed to load checkpoint: EOF");
      await site.project.succeeds("stack");
    });

    it(`by Ctrl-C at update ${nth} saves progress, and continues later`, async () => {
      site.project.env.SOLAR_CHARGING_MAX_CONCURRENCY = "4";
      site.declare(77_000);
      const up = site.startUp();
      // Without fewer requests and slower answers, a busy machine could finish the rest before the engine gets the
      // signal. 0.3 s is well within the time that the provider leaves for requests in flight.
      await site.patched(nth, 0.3);
      up.signal("SIGINT");
      const { code, text } = await up.output;
      site.answerIn();
      expect(code, text).to.not.equal(0);
      // The engine waits for requests in flight. The reason that it shows depends on what was in flight.
      const saved = site.state;
      expect(saved.pending).to.deep.equal({});
      // State and device agree, even for a device that was read but not updated.
      for (const [id, settings] of Object.entries(saved.declared)) {
        expect(site.settings[id], id).to.deep.equal(settings);
        expect(saved.baselines[id], id).to.deep.equal(UNTOUCHED[id]);
      }
      const updated = Object.keys(UNTOUCHED).filter((id) => {
        const { tilt, maxCapacity } = site.settings[id] ?? {};
        return tilt === 35 || maxCapacity === 77_000;
      });
      expect(Object.keys(saved.declared)).to.include.members(updated);

      await site.recover("Stopped or failed runs");
      expectRecovered(site, 77_000, UNTOUCHED);
    });

    it(`by a service that goes away at update ${nth} is completed by the next`, async () => {
      site.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
      site.declare(77_000);
      const up = site.startUp();
      await site.patched(nth);
      const startService = await site.stopService();
      const { code, text } = await up.output;
      expect(code, text).to.equal(1);
      await startService();

      await site.recover("Stopped or failed runs");
      expectRecovered(site, 77_000, UNTOUCHED);
    });

    it(`does not fail when the service comes back after update ${nth}`, async () => {
      site.declare(77_000);
      const up = site.startUp();
      await site.patched(nth);
      const startService = await site.stopService();
      await startService();
      const { code, text } = await up.output;
      expect(code, text).to.equal(0);
      expectRecovered(site, 77_000, UNTOUCHED);
    });

    it(`does not fail when the state can be written again after update ${nth}`, async () => {
      site.declare(77_000);
      const up = site.startUp();
      await site.patched(nth);
      const allowWriting = site.preventWriting();
      await site.quiet();
      allowWriting();
      const { code, text } = await up.output;
      expect(code, text).to.equal(0);
      expectRecovered(site, 77_000, UNTOUCHED);
    });
  });

  it("has a section of the documentation for each", () => {
    expect(blocksOf("docs/recovery.md").map(({ section }) => section)).to.deep.equal([
      "The engine was killed",
      "failed to load checkpoint: EOF",
      "Stopped or failed runs",
      "The state could not be written",
    ]);
  });
});
