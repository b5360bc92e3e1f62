import { expect } from "chai";
import { sunChangeOf } from "../../../../cli/clearDays/change";
import { deviceWords, missingIn, readinessOf, removedWords } from "../../../../cli/review/change";
import { conditionsIn, decisionOn } from "../../../../cli/review/conditions";
import { markdownOf } from "../../../../cli/review/markdown";
import type { Review } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { verdictOf } from "../../../../cli/review/verdict";
import type { Outcome, SiteInRun, Warning } from "../../../../cli/stacks/outcome";
import type { FleetOperation } from "../../../../cli/stacks/stack";
import { problemOfEngine } from "../../../../cli/stacks/texts";
import type { Message } from "../../../../provider/messages/message";
import type { Values } from "../../../../provider/settings/setting";
import { said } from "../../../support/fakes";
import { type GivenOutcome, outcomeOf, siteOutcomeOf, summarized } from "../../../support/outcomes";
import { reviewOf, siteIn } from "./previews";

const roof = { peakPower: 9800, azimuth: 202.5, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const ROOF: GivenOutcome = {
  device: "acme/roof-1",
  site: "oslo",
  label: "inverter/roof",
  result: "changed",
  before: roof,
  after: { ...roof, azimuth: 22.5 },
};
const CAR: GivenOutcome = {
  device: "acme/car-1",
  site: "oslo",
  label: "vehicle/car",
  result: "unchanged",
  before: { maxChargePower: 11_000 },
  after: { maxChargePower: 11_000 },
};
const OSLO = siteOutcomeOf({
  site: "oslo",
  readyBefore: true,
  readyAfter: false,
  gaps: [{ device: "inverter/roof", setting: "baseLoad", reason: "notDeclared" }],
  latitude: 48.1,
});

interface Given {
  readonly operation?: FleetOperation;
  readonly outcomes?: readonly (GivenOutcome & Pick<Outcome, "drifted">)[];
  readonly sites?: readonly Omit<SiteInRun, "devices">[];
  readonly warnings?: readonly Warning[];
  readonly error?: Message;
}

/** The review of the output of `fleet --json`. */
function given({ operation = "preview", outcomes = [ROOF, CAR], sites = [OSLO], warnings = [], error }: Given): Review {
  const about = { fleet: "acme", operation, calls: [{ get: 0, patch: 0, latest: 0 }], interrupted: false };
  const result = {
    stack: "shard-1-of-1",
    outcomes: new Map(outcomes.map((one) => [one.device, outcomeOf(one)])),
    sites,
    warnings,
    notes: [],
    ...(error !== undefined && { error }),
  };
  return reviewOf(JSON.stringify(summarized({ ...about, repair: "fix it" }, [result])));
}

describe("review of fleet preview --json", () => {
  it("has what changes, readiness, what is missing, and the sun", () => {
    const site = siteIn(given({}), "oslo");
    expect(site).to.deep.include({
      unchanged: 1,
      devices: [{ label: "inverter/roof", kind: "changed", settings: [{ setting: "azimuth", from: 202.5, to: 22.5 }] }],
    });
    expect(readinessOf(site)).to.deep.equal({ before: true, after: false });
    expect(missingIn(site)).to.deep.equal(["inverter/roof: baseLoad is not declared"]);
    const sun = sunChangeOf(site.before, site.after);
    expect(sun?.roofs.map(({ name }) => name)).to.deep.equal(["roof"]);
    expect(sun?.after[0]?.peakAt).to.equal("09:30");
  });

  it("has the drift that a preview with --refresh found, beside what it will send", () => {
    const read = { ...CAR, drifted: [{ setting: "maxChargePower", from: 11_000, to: 7400 }] };
    const site = siteIn(given({ outcomes: [ROOF, read] }), "oslo");
    expect(site.drift).to.deep.equal([
      { label: "vehicle/car", kind: "changed", settings: [{ setting: "maxChargePower", from: 11_000, to: 7400 }] },
    ]);
    expect(site.devices.map(({ label }) => label)).to.deep.equal(["inverter/roof"]);
  });

  it("has the requests of the run", () => {
    expect(reviewText(given({}))).to.match(/^calls.*: 0 GET, 0 PATCH/m);
  });

  it("has as drift what a check for drift found, and the command that repairs", () => {
    const review = given({ operation: "drift" });
    expect(siteIn(review, "oslo")).to.deep.include({ devices: [] });
    expect(siteIn(review, "oslo").drift).to.have.lengthOf(1);
    expect(review).to.include({ operation: "drift", repair: "fix it" });
  });

  it("names new devices, ones that leave, failed and held ones", () => {
    const outcomes: GivenOutcome[] = [
      { ...CAR, before: {}, result: "changed" },
      { ...CAR, device: "acme/a", label: "vehicle/a", before: {}, result: "changed" },
      { ...CAR, device: "acme/b", label: "vehicle/b", result: "changed", onDelete: "restore" },
      { ...CAR, device: "acme/c", label: "vehicle/c", result: "failed", problem: said("HTTP 422") },
      { ...CAR, device: "acme/d", label: "vehicle/d", result: "held" },
    ];
    const review = given({ operation: "up", outcomes });
    const { devices } = siteIn(review, "oslo");
    expect(verdictOf(review).parts).to.deep.include.members([
      { what: "failed", count: 1 },
      { what: "held", count: 1 },
    ]);
    expect(devices.map(({ label, kind }) => [label, kind])).to.have.deep.members([
      ["vehicle/car", "new"],
      ["vehicle/a", "new"],
      ["vehicle/b", "leaves"],
      ["vehicle/c", "failed"],
      ["vehicle/d", "held"],
    ]);
    expect(devices.find(({ kind }) => kind === "failed")?.reason).to.equal("HTTP 422");
  });

  it("has a warning at its site and device, and one about no site apart", () => {
    const warnings = [
      { site: "oslo", device: "acme/roof-1", problem: said("faces north") },
      { site: "oslo", problem: said("base loads are high") },
      { problem: said("unconfirmed fields") },
    ];
    const review = given({ warnings });
    expect(siteIn(review, "oslo").warnings).to.have.deep.members([
      { device: "inverter/roof", code: said("").code, text: "faces north" },
      { code: said("").code, text: "base loads are high" },
    ]);
    expect(review.warnings.map(({ text }) => text)).to.deep.equal(["unconfirmed fields"]);
  });

  it("is bad if a stack could not be run", () => {
    const review = given({ error: said("the stack is locked") });
    expect(review.errors[0])
      .to.include({ code: said("").code })
      .and.property("text")
      .contains("the stack is locked");
    expect(verdictOf(review).level).to.equal("bad");
  });

  it("has an error, and no removed site, if the passphrase of a stack is wrong", () => {
    const error = problemOfEngine("get stack secrets manager: incorrect passphrase");
    const results = [{ stack: "shard-1-of-1", outcomes: new Map(), sites: [], warnings: [], error }];
    const about = {
      fleet: "acme",
      operation: "preview",
      calls: [{ get: 0, patch: 0, latest: 0 }],
      interrupted: false,
    } as const;
    const review = reviewOf(JSON.stringify(summarized(about, results, { expected: [CAR], declared: [CAR] })));
    expect(review.errors[0]?.text).to.contain("shard-1-of-1").and.contain("PULUMI_CONFIG_PASSPHRASE");
    expect(removedWords(siteIn(review, "oslo"))).to.equal(undefined);
    expect(decisionOn(review, conditionsIn("removed")).met).to.deep.equal([]);
    expect(siteIn(review, "oslo").devices.map(({ kind }) => kind)).to.deep.equal(["held"]);
  });

  it("does not call a site not ready that is not to be solar-aware", () => {
    const review = given({ sites: [siteOutcomeOf({ site: "oslo", readyAfter: false })] });
    expect(readinessOf(siteIn(review, "oslo")).after).to.equal(undefined);
    const before = given({ sites: [siteOutcomeOf({ site: "oslo", readyBefore: false, readyAfter: false })] });
    expect(markdownOf(before, "github")).to.contain("| `oslo` | - |");
  });

  it("has no drift of a device that is only observed, nor a site that its own policy makes not ready", () => {
    const drifted = { result: "changed" as const, before: { policy: "CHARGE BY" }, after: { policy: "X" } };
    const observed = { ...ROOF, result: "unchanged" as const, view: { observe: true } };
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: true })];
    const site = siteIn(given({ operation: "drift", outcomes: [observed, { ...CAR, ...drifted }], sites }), "oslo");
    expect(site.drift.map(({ label }) => label)).to.deep.equal(["vehicle/car"]);
    expect(readinessOf(site).after).to.equal(true);
    const ofSite = { ...CAR, ...drifted, view: { policyFromSite: true, isLeftOut: false } };
    expect(readinessOf(siteIn(given({ operation: "drift", outcomes: [ofSite], sites }), "oslo")).after).to.equal(false);
  });

  it("has a site as not ready whose policy the program keeps, although nothing has drifted", () => {
    const gaps = [{ device: "vehicle/car", setting: "policy", reason: "otherPolicy" as const }];
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: false, gaps })];
    const site = siteIn(given({ operation: "drift", outcomes: [CAR], sites }), "oslo");
    expect(site.drift).to.deep.equal([]);
    expect(readinessOf(site).after).to.equal(false);
  });

  /** A device that leaves its site with `restore`. */
  const leaving = ({ after: _, ...one }: GivenOutcome, restores: Values): GivenOutcome => {
    return { ...one, result: "changed", onDelete: "restore", view: { restores } };
  };

  it("has the values that a removal writes back, and the settings that keep ours", () => {
    const one = leaving(ROOF, { tilt: 10, azimuth: 90, peakPower: roof.peakPower });
    const [words, ...phrases] = siteIn(given({ outcomes: [one] }), "oslo").devices.flatMap(deviceWords);
    expect(words).to.contain("gets back");
    expect(phrases).to.have.members([
      "azimuth SSW → E (202.5° → 90°)",
      "tilt 35° → 10°",
      "keeps cutInThreshold 150 W",
      "keeps baseLoad 400 W",
    ]);
  });

  it("promises no other values if a removal finds those that it would write back, as after a rename", () => {
    const change = (tilt: number) => siteIn(given({ outcomes: [leaving(ROOF, { ...roof, tilt })] }), "oslo").devices;
    expect(change(roof.tilt)).to.deep.equal([{ label: ROOF.label, kind: "leaves", settings: [], onDelete: "same" }]);
    expect(change(roof.tilt).flatMap(deviceWords)).to.have.length(1);
    expect(change(roof.tilt).flatMap(deviceWords).join()).not.to.contain("gets");
    expect(change(10)[0]?.onDelete).to.equal("restore");
  });

  it("counts the values that a removal does not restore, for cars and for inverters, and warns of them", () => {
    const outcomes = [
      leaving(ROOF, { tilt: 10, azimuth: 90, peakPower: roof.peakPower }),
      leaving(CAR, { policy: "CHARGE BY" }),
    ];
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: true }, { isGone: true })];
    const { level, parts } = verdictOf(given({ outcomes, sites }));
    const counts = Object.fromEntries(parts.map(({ what, count }) => [what, count]));
    expect(level).to.equal("warning");
    expect(counts).to.include({ invertersKeep: 2, invertersRestored: 2, vehiclesKeep: 1, vehiclesRestored: 1 });
    const retained = { ...leaving(CAR, {}), onDelete: "retain", view: {} };
    expect(verdictOf(given({ outcomes: [retained], sites })).level).to.equal("good");
  });

  it("has no value that a device gets back which the service no longer knows", () => {
    const outcomes = ["a", "b", "c"].map((id) =>
      leaving({ ...ROOF, device: `acme/${id}`, label: `inverter/${id}` }, { tilt: 1 }),
    );
    const review = given({ operation: "drift", outcomes });
    expect(review.sites.flatMap(({ drift }) => drift)).to.have.length(3);
    expect(reviewText(review)).not.to.contain("tilt");
  });

  it("has one line for devices that leave in the same way, and one for sites that are removed, as a destroy does", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const outcomes = ids.map((id, index) => {
      const one = { ...leaving(CAR, {}), onDelete: index === 0 ? "reset" : "retain", view: {} };
      return { ...one, device: `acme/${id}`, site: id, label: `vehicle/${id}` };
    });
    const sites = ids.map((site) => siteOutcomeOf({ site, readyBefore: true }, { isGone: true }));
    const review = given({ operation: "destroy", outcomes, sites });
    expect(verdictOf(review).parts).to.deep.include({ what: "leaving", count: 6 });
    const lines = reviewText(review).split("\n");
    expect(lines.filter((line) => line.includes("removed"))).to.deep.equal([
      "a  removed (was ready)",
      "5 sites: removed (was ready) (b, c, d, e, f)",
    ]);
    expect(lines.filter((line) => line.includes("keeps its values"))).to.have.lengthOf(1);
    expect(lines.filter((line) => /^5 cars.*\(b b, c c, d d, e e, f f\)$/.test(line))).to.have.lengthOf(1);
  });

  it("has one line for a value that several devices get back, and each device still leaves", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const values = { policy: "CHARGE BY FORECAST", maxCapacity: 77_000 };
    const outcomes = ids.map((id, index) =>
      leaving(
        { ...CAR, device: `acme/${id}`, site: id, label: `vehicle/${id}`, before: values },
        { policy: "CHARGE BY", maxCapacity: 60_000 + index },
      ),
    );
    const sites = ids.map((site) => siteOutcomeOf({ site, readyBefore: true }, { isGone: true }));
    const review = given({ outcomes, sites });
    for (const shown of [reviewText(review), markdownOf(review, "github")]) {
      expect(shown.match(/CHARGE BY FORECAST → CHARGE BY/g)).to.have.length(1);
      expect(shown).to.contain("6 cars: restored policy CHARGE BY FORECAST → CHARGE BY");
      expect(shown.match(/no longer managed; /g)).to.have.length(6);
      expect(shown).to.contain("77 → 60.005 kWh");
    }
  });
});
