import { expect } from "chai";
import { exitCodeOfRun } from "../../../cli/fleet/review";
import { conditionsIn, decisionOn } from "../../../cli/review/conditions";
import { markdownOf } from "../../../cli/review/markdown";
import type { Review } from "../../../cli/review/review";
import { reviewText } from "../../../cli/review/terminal";
import { readinessWords, verdictOf } from "../../../cli/review/verdict";
import type { Outcome, Warning } from "../../../cli/stacks/outcome";
import type { FleetOperation, StackResult } from "../../../cli/stacks/stack";
import type { DeviceChange } from "../../../cli/view/model";
import { counted } from "../../../cli/words";
import { notReviewed } from "../../../provider/lifecycle/run/messages";
import type { MessageCode } from "../../../provider/messages/codes";
import type { Message } from "../../../provider/messages/message";
import { expectLike, like } from "../../support/facts";
import { said } from "../../support/fakes";
import { type GivenOutcome, outcomeOf, siteOutcomeOf, summarized } from "../../support/outcomes";

const about = {
  fleet: "acme",
  operation: "up" as FleetOperation,
  calls: [{ get: 3, patch: 2, latest: 0 }],
  interrupted: false,
};
const outcome = (id: string, rest: Partial<GivenOutcome> = {}): Outcome =>
  outcomeOf({ device: `acme/${id}`, site: "oslo", label: `vehicle/${id}`, result: "unchanged", ...rest });
const failed = (id: string, reason: string) => outcome(id, { result: "failed", problem: said(reason) });
const result = (...outcomes: Outcome[]): StackResult => ({
  stack: "shard-1-of-2",
  outcomes: new Map(outcomes.map((one) => [one.device, one])),
  sites: [...new Set(outcomes.map(({ site }) => site))].map((site) => siteOutcomeOf({ site })),
  warnings: [],
});
const elsewhere = (...outcomes: Outcome[]) => ({ ...result(...outcomes), stack: "shard-2-of-2" });
const many = (count: number, of: (id: string) => Outcome) => Array.from({ length: count }, (_, n) => of(`car-${n}`));
const textOf = (summary: Review) => reviewText(summary);
/** The lines at a terminal, without the verdict and the subject. */
const lines = (summary: Review) => textOf(summary).split("\n").slice(3);
const partsOf = (summary: Review) =>
  Object.fromEntries(verdictOf(summary).parts.map(({ what, count }) => [what, count]));
const findingsIn = (summary: Review) =>
  lines(summary)
    .filter((line) => /^ {2}(❌|⚠️) /u.test(line))
    .map((line) => line.trim());

describe("cli fleet: the summary", () => {
  it("makes one line of a thousand failures that are the same", () => {
    const summary = summarized(about, [
      result(
        ...many(1_000, (id) =>
          outcome(id, {
            result: "failed",
            problem: { ...said("cannot read {device}: 503"), device: id, extract: `no ${id}` },
          }),
        ),
      ),
    ]);
    expect(summary.failures).to.have.length(1);
    expect(summary.failures?.[0]?.devices).to.have.length(1_000);
    const text = lines(summary);
    expect(text.filter((line) => line.includes("503"))).to.have.length(1);
    expect(findingsIn(summary)[0]).to.match(
      /^❌ failed: 1,000 devices \(acme\/car-0, acme\/car-1, acme\/car-2, acme\/car-3, acme\/car-4 and 995 more\): .*503, "no car-0 \| no car-1 \| no car-2 \| 997 more"$/,
    );
    expect(partsOf(summary)).to.deep.equal({ failed: 1_000 });
  });

  it("counts a failed device that leaves, also if another one has its name", () => {
    for (const [old, now] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      const name = { label: "vehicle/car" };
      const left = outcome(old, { ...name, result: "failed", problem: said("no answer"), onDelete: "restore" });
      const summary = summarized(about, [result(left, outcome(now, { ...name, result: "changed" }))]);
      expect(exitCodeOfRun(summary)).to.equal(1);
      expect(partsOf(summary)).to.include({ failed: 1 });
    }
  });

  it("names no values of a device that moves, because its new resource does not know what it sends", () => {
    const sent = ["maxCapacity"];
    const moves = outcome("car", { from: "oslo", result: "changed", before: { maxCapacity: 1 }, sent });
    const summary = summarized({ ...about, operation: "preview" }, [result(moves)]);
    expect(summary.sites[0]?.devices).to.have.length(1);
    expect(summary.sites[0]?.devices[0]).to.include({ onDelete: "moves" }).and.have.property("settings").that.is.empty;
    expect(textOf(summary)).to.contain("moves from another resource");
    expect(exitCodeOfRun(summary)).to.equal(2);
  });

  it("has the warning of a site that it did not find, with the service's words", () => {
    const problem = { ...said("not read"), device: "acme/car", extract: "over quota" };
    const warning: Warning = { site: "paris", device: "acme/car", problem };
    const summary = summarized(about, [{ ...result(), warnings: [warning] }]);
    expect(summary.sites.map(({ name }) => name)).to.deep.equal(["paris"]);
    expect(summary.sites[0]?.warnings[0]?.text).to.contain("over quota");
  });

  it("names what nobody has approved, and ends with 2 if all else is done", () => {
    const value = { device: "vehicle/car", setting: "maxCapacity", value: 77_000, isRepair: true };
    const problem = notReviewed([value], "sha256:a");
    const left = outcome("car", { result: "held", problem });
    const site = [left, outcome("van", { result: "held", problem })];
    const [one, two] = [site, [...site, outcome("bus", { result: "held", site: "rome" })]].map((all) =>
      summarized(about, [result(...all, outcome("taxi", { result: "changed", site: "bonn" }))]),
    ) as unknown as [Review, Review];
    expect([one, two].map(exitCodeOfRun)).to.deep.equal([2, 1]);
    expect(findingsIn(one)[0]).to.match(
      /^⚠️ left as it is: 2 devices \(acme\/car, acme\/van\): the approved set sha256:a does not contain vehicle\/car maxCapacity 77 kWh\..*--approve-repair/,
    );
    expect(verdictOf(one).parts.map(({ what }) => what)).to.include("left");
    expect(lines(one).slice(0, 3)).to.deep.equal(["bonn", "  taxi: new", ""], "a site that stays is not in the list");
  });

  it("does not count a site as ready if its drift is left as it is", () => {
    const drifted = (drift: readonly string[]) => {
      const view = { observe: false, drift, reported: { maxCapacity: 50_000 } };
      const left = outcome("car", { result: "held", before: { maxCapacity: 77_000 }, view });
      return { ...result(left), sites: [siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: true })] };
    };
    const wordsOf = (drift: readonly string[]) => readinessWords(summarized(about, [drifted(drift)]));
    expect([wordsOf([]), wordsOf(["maxCapacity"])]).to.deep.equal(["1 of 1 site ready", "0 of 1 site ready"]);
  });

  it("counts a solar site whose readiness is not known yet, and not one that is not solar", () => {
    const views = [{ solar: true, ready: true }, { solar: true }, { solar: false }];
    const sites = views.map((view, index) => ({ name: `s${index}`, isSite: true, after: { ...view, gaps: [] } }));
    const review = { operation: "preview", sites } as unknown as Review;
    expect(readinessWords(review)).to.match(/^1 of 2 sites ready, 1 /);
  });

  it("counts a site that a stopped run did not reach, and not one that it removed", () => {
    const sites = [
      siteOutcomeOf({ site: "oslo", readyAfter: true }),
      siteOutcomeOf({ site: "bonn", readyBefore: true }, { isGone: true }),
    ];
    const expected = ["rome", "paris"].map((site) => ({ site, label: "vehicle/car", device: `acme/${site}` }));
    const stopped = { ...about, stopped: "wave canary: the gate failed" };
    const summary = summarized(stopped, [{ ...result(outcome("car")), sites }], { expected });
    expect(readinessWords(summary)).to.match(/^1 of 3 sites ready, 2 /);
  });

  it("counts new warnings in its first line", () => {
    const warnings = [{ site: "oslo", device: "acme/car", problem: said("80 kWh may be wrong") }];
    const changed = outcome("car", { result: "changed", before: { maxCapacity: 1 }, after: { maxCapacity: 80_000 } });
    const text = textOf(summarized({ ...about, operation: "preview" }, [{ ...result(changed), warnings }]));
    expect(text.split("\n")[0]).to.equal("⚠️ 1 device changes · 1 warning");
    expect(text.match(/80 kWh may be wrong/g)).to.have.lengthOf(1);
  });

  it("makes one line of drift that several devices share, and keeps the rest at its site", () => {
    const results = many(38, (id) =>
      outcome(id, {
        ...{ result: "changed", site: `site-${id}` },
        before: { policy: "CHARGE BY FORECAST", ...(id === "car-7" && { maxCapacity: 77_000 }) },
        after: { policy: "CHARGE BY", ...(id === "car-7" && { maxCapacity: 70_000 }) },
      }),
    );
    const summary = summarized({ ...about, operation: "drift" }, [result(...results)]);
    const causes = textOf(summary)
      .split("\n")
      .filter((line) => line.includes("FORECAST"));
    expect(causes).to.have.lengthOf(1);
    expect(causes[0]).to.match(/^38 cars: policy CHARGE BY FORECAST → CHARGE BY \(site-car-0 car-0, .* and 33 more\)$/);
    expect(lines(summary)).to.include("site-car-7, car-7: maxCapacity 77 → 70 kWh");
    expect(partsOf(summary)).to.deep.equal({ drifted: 38 });
  });

  it("quotes the service about a failure, also if it gives the failed devices different answers", () => {
    const refused = (id: string, extract: string) =>
      outcome(id, { result: "failed", problem: { ...said("HTTP 422"), extract } });
    const reasons = (...extracts: string[]) => {
      const results = result(...extracts.map((extract, index) => refused(`car-${index}`, extract)));
      return summarized(about, [results]).failures?.map(({ reason }) => reason);
    };
    expect(reasons("too large", "too large")).to.deep.equal(['HTTP 422, "too large"']);
    expect(reasons("car-0 is unknown", "car-1 is unknown")).to.deep.equal([
      'HTTP 422, "car-0 is unknown | car-1 is unknown"',
    ]);
  });

  it("shows a warning once, with its devices or sites, however often it occurred", () => {
    const lint = Array.from({ length: 9 }, (_, n) => ({
      site: "oslo",
      device: `acme/car-${n % 8}`,
      problem: said("a lint"),
    }));
    const loads = ["rome", "oslo", "rome"].map((site) => ({ site, problem: said("base loads are high") }));
    const misspelled = { problem: said("SOLAR_CHARGING_LEDGERFILE has no effect") };
    const cars = many(8, (id) => outcome(id));
    const all = [...lint, ...loads, misspelled, misspelled];
    const ofSites = ["oslo", "rome"].map((site) => siteOutcomeOf({ site }));
    const { warnings, sites } = summarized(about, [{ ...result(...cars), sites: ofSites, warnings: all }]);
    expect(warnings).to.have.length(1);
    expect(sites.map(({ name, warnings: own }) => [name, own.length])).to.deep.equal([
      ["oslo", 9],
      ["rome", 1],
    ]);
  });

  it("shows new warnings in full, and counts those that were there before the run", () => {
    const lintOf = (id: string, code: MessageCode): Warning => ({
      ...{ site: "oslo", device: `acme/${id}` },
      problem: { code, finding: `${code} in ${id}` },
    });
    const warnings = ["old", "new"].map((id) => lintOf(id, "direct-current-power"));
    const fast = { maxChargePower: 50_000 };
    const had: Message = { code: "direct-current-power", finding: "it was" };
    const devices = [
      outcome("old", { before: fast, after: fast, view: { warnings: [had] } }),
      outcome("new", { result: "changed", before: { maxChargePower: 11_000 }, after: fast }),
    ];
    const shownOf = (...some: Warning[]) => {
      const summary = summarized({ ...about, operation: "preview" }, [{ ...result(...devices), warnings: some }]);
      return [...findingsIn(summary), ...lines(summary).filter((line) => line.startsWith("As before"))];
    };
    const [shown, other, ...rest] = shownOf(...warnings, lintOf("old", "power-for-capacity"));
    expect(shown).to.match(like("⚠️ oslo: vehicle/new: direct-current-power…"));
    expect(other).to.match(like("⚠️ oslo: vehicle/old: power-for-capacity…"), "another lint of the same device is new");
    expect(rest).to.deep.equal(["As before: 1 warning (--json shows all)"]);
    expect(shownOf(lintOf("old", "direct-current-power"))).to.deep.equal(rest);
  });

  it("shows every note, however many there are: nobody can ask for a baseline again", () => {
    const notes = Array.from({ length: 200 }, (_, n) => {
      const problem: Message = { code: "unmanaged", finding: `maxCapacity was ${60 + n} kWh`, device: `car ${n}` };
      return { site: "oslo", device: `acme/car-${n}`, problem };
    });
    const summary = summarized(about, [
      { ...result(), notes },
      { ...elsewhere(), notes: notes.slice(0, 1) },
    ]);
    const [text, comment] = [lines(summary), markdownOf(summary, "github").split("\n")];
    for (const { device, problem } of notes) {
      expect(text.filter((line) => line === `  ${device}: ${problem.finding}`)).to.have.length(1);
      expect(comment).to.include(`    ${device}: ${problem.finding}`);
    }
  });

  it("shows the same note of many devices once, with all of them", () => {
    const devices = Array.from({ length: 30 }, (_, n) => `acme/car-${10 + n}`);
    const problem: Message = { code: "unmanaged", finding: "maxCapacity was 60 kWh" };
    const notes = devices.map((device) => ({ device, problem: { ...problem, device: `the car ${device}` } }));
    const shown = lines(summarized(about, [{ ...result(), notes }])).filter((line) => line.includes("60 kWh"));
    expect(shown).to.deep.equal([`  ${devices.join(", ")}: ${problem.finding}`]);
  });

  it("does not call a site not ready that an interrupted run has not finished", () => {
    const gapsOf = (device: string) => [{ device, setting: "maxCapacity", reason: "notAccepted" as const }];
    const sites = ["oslo", "rome"].map((site) => siteOutcomeOf({ site, gaps: gapsOf(`vehicle/${site}`) }));
    const named = (interrupted: boolean) => {
      const results = [{ ...result(outcome("car-1", { result: "held" }), outcome("car-2", { site: "rome" })), sites }];
      return findingsIn(summarized({ ...about, interrupted }, results)).map((line) => line.split(":")[0]);
    };
    expect(named(true)).to.deep.equal(["❌ rome"]);
    expect(named(false)).to.deep.equal(["❌ oslo", "❌ rome"]);
  });

  it("has a row for each of a few failed devices, and none for each of a fleet whose token is wrong", () => {
    const rowsOf = (count: number) => {
      const results = many(count, (id) => ({ ...failed(id, "HTTP 401"), site: `site-${id}` }));
      const text = lines(summarized({ ...about, operation: "drift" }, [result(...results)]));
      expect(text.filter((line) => line.includes(`failed: ${counted(count, "device")} (acme/car-0`))).to.have.length(1);
      return text.filter((line) => line.startsWith("site-"));
    };
    expect(rowsOf(2)).to.have.length(2);
    expect(rowsOf(600)).to.deep.equal([]);
  });

  it("is no longer for ten thousand reasons than for fifty", () => {
    const text = lines(summarized(about, [result(...many(10_000, (id) => failed(id, `reason ${id}x`)))]));
    expect(text.filter((line) => line.includes("reason "))).to.have.length(50);
    expect(text).to.have.length(54).and.to.include("  and 9,950 more findings: --json shows all");
  });

  it("shows once an error that all stacks share", () => {
    const error = "passphrase must be set";
    const held = ["shard-1-of-3", "shard-2-of-3"].map((stack) => ({ ...result(), stack, error: said(error) }));
    const summary = summarized(about, [...held, { ...result(), stack: "shard-3-of-3", error: said("held") }]);
    expect(
      textOf(summary)
        .split("\n")
        .filter((line) => line.includes("shard-")),
    ).to.deep.equal(["❌ shard-1-of-3, shard-2-of-3: passphrase must be set", "❌ shard-3-of-3: held"]);
  });

  it("reports that a first up sent nothing", () => {
    const summary = summarized(about, [result(...many(500, (id) => outcome(id, { result: "changed" })))]);
    expect(partsOf(summary)).to.deep.equal({ added: 500 });
  });

  it("has every device, by site and number, with its settings before and after, and each site's readiness", () => {
    const sites = [
      siteOutcomeOf({ site: "rome", readyBefore: false }),
      siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: true }),
    ];
    const again = { ...result(), sites: [siteOutcomeOf({ site: "rome", readyBefore: true, readyAfter: true })] };
    const of = [outcome("car-10"), outcome("car-9", { after: { tilt: 1 } }), outcome("a", { site: "berlin" })];
    const summary = summarized(about, [{ ...result(...of), sites }, again]);
    expect(summary.sites.map(({ name, before, after }) => [name, before?.ready, after?.ready])).to.deep.equal([
      ["berlin", undefined, undefined],
      ["oslo", true, true],
      ["rome", false, true],
    ]);
    const oslo = summary.sites[1];
    expect(oslo?.devices.map(({ settings }) => settings)).to.deep.equal([[{ setting: "tilt", to: 1 }]]);
    expect(oslo?.after?.devices.map(({ device }) => device)).to.deep.equal(["acme/car-9", "acme/car-10"]);
    const devicesOf = (side: "before" | "after") => oslo?.[side]?.devices.map(({ declared }) => declared);
    expect([devicesOf("before"), devicesOf("after")]).to.deep.equal([
      [{}, {}],
      [{ tilt: 1 }, {}],
    ]);
  });

  it("makes one line of many sites that only become ready, and keeps those that have more to show", () => {
    const ids = many(7, (id) => {
      const after = { tilt: 1, policy: "CHARGE BY", ...(id === "car-0" && { maxCapacity: 1 }) };
      return outcome(id, { result: "changed", site: id, before: { tilt: 1 }, after });
    });
    const sites = ids.map(({ site }) => siteOutcomeOf({ site, readyBefore: false, readyAfter: true }));
    const summary = summarized({ ...about, operation: "preview" }, [{ ...result(...ids), sites }]);
    const shown = textOf(summary).split("\n");
    expect(shown.filter((line) => /not ready → /.test(line))).to.deep.equal([
      "car-0  ❌ not ready → ✅ ready",
      "6 sites: not ready → ready (car-1, car-2, car-3, car-4, car-5 and 1 more)",
    ]);
    const comment = markdownOf(summary, "github");
    expect(comment).to.contain("**6 sites: not ready → ready**");
    expect(comment.match(/❌ not ready → ✅ ready/g)).to.have.length(1);
  });

  it("shows a site by its title too, and keeps its id, which commands take", () => {
    const sites = [siteOutcomeOf({ site: "bad-homburg" })];
    const change = outcome("car", { result: "changed", site: "bad-homburg", before: { tilt: 2 }, after: { tilt: 1 } });
    const declared = [{ id: "bad-homburg", title: "Bad Homburg" }];
    const summary = summarized({ ...about, operation: "preview" }, [{ ...result(change), sites }], {
      ...{ expected: [], declared: [], sites: declared },
    });
    expect(lines(summary)[0]).to.equal("Bad Homburg (bad-homburg)");
    expect(markdownOf(summary, "github")).to.contain("| `Bad Homburg (bad-homburg)` |");
    const drift = ["car", "van", "bus"].map((id) =>
      outcome(id, { result: "changed", site: "bad-homburg", before: { tilt: 2 }, after: { tilt: 1 } }),
    );
    const found = summarized({ ...about, operation: "drift" }, [{ ...result(...drift), sites }], { sites: declared });
    expect(textOf(found)).to.match(/^3 cars: .* \(Bad Homburg \(bad-homburg\) bus, /m);
  });

  it("marks the sites that the manifest no longer declares", () => {
    const sites = ["oslo", "rome"].map((site) => siteOutcomeOf({ site, readyBefore: true, readyAfter: true }));
    const leaving = (declared?: readonly string[]) =>
      summarized(about, [{ ...result(), sites }], {
        ...(declared && { sites: declared.map((id) => ({ id })) }),
      })
        .sites.filter(({ after }) => after?.change === "leaving")
        .map(({ name }) => name);
    expect(leaving(["oslo"])).to.deep.equal(["rome"]);
    expect(leaving()).to.deep.equal([]);
  });

  it("has as changed a device to which a value is sent that no comparison shows: a secret one, or the same again", () => {
    const given = { result: "changed", before: { maxCapacity: 1 }, after: { maxCapacity: 1 } } as const;
    const again = outcome("again", { ...given, sent: ["maxCapacity"] });
    const secret = outcome("secret", { ...given, sent: ["tilt"], view: { secret: ["tilt"] } });
    const review = summarized({ ...about, operation: "preview" }, [result(again, secret, outcome("car"))]);
    expect(partsOf(review)).to.deep.equal({ changed: 2, unchanged: 1 });
    expect(review.sites[0]?.devices.map(({ settings }) => settings)).to.deep.equal([
      [{ setting: "maxCapacity", to: 1 }],
      [{ setting: "tilt", secret: true }],
    ]);
    expect(exitCodeOfRun(review)).to.equal(2);
  });

  it("keeps the canary's changes if its stack finds them unchanged later", () => {
    const changed = outcome("car", { result: "changed", before: { tilt: 1 }, after: { tilt: 2 } });
    expect(summarized(about, [result(changed), result(outcome("car"))])).to.include({ changed: 1, unchanged: 0 });
    expect(summarized(about, [result(failed("car", "no")), result(outcome("car"))])).to.include({
      failed: 0,
      unchanged: 1,
    });
  });

  it("reports a device that is no longer managed, or that the service no longer knows", () => {
    const gone = outcome("car", { result: "changed", onDelete: "retain" });
    const first = (operation: FleetOperation, { isGone }: { isGone: boolean }) => {
      const sites = [siteOutcomeOf({ site: "oslo", readyBefore: false }, { isGone })];
      return lines(summarized({ ...about, operation }, [{ ...result(gone), sites }])).slice(0, 2);
    };
    expectLike(first("preview", { isGone: true }), ["oslo  removed …", "  car: …; keeps its values"]);
    expectLike(first("drift", { isGone: false }).slice(0, 1), ["oslo, car: …"]);
  });

  it("shows the changes, and that a preview does not know the values of a new device", () => {
    const change = (before: object, after: object) =>
      outcome("car", { result: "changed", before: { ...before }, after: { ...after } });
    const first = (operation: FleetOperation, one: Outcome) =>
      lines(summarized({ ...about, operation }, [result(one)]))[operation === "drift" ? 0 : 1];
    expect(first("drift", change({ tilt: 1 }, { tilt: 2 }))).to.equal("oslo, car: tilt 1° → 2°");
    expect(first("preview", change({ tilt: 1, azimuth: 2 }, { tilt: 1 }))).to.match(like("  car: azimuth 2° (N) → …"));
    expect(first("preview", change({}, { maxChargePower: 11_000 }))).to.equal("  car: new, maxChargePower 11 kW");
    // Only the setting is new.
    expect(first("preview", change({ tilt: 1 }, { tilt: 1, azimuth: 2 }))).to.equal("  car: azimuth 2° (N)");
  });

  it("has the devices of a site together, and sites that stop being ready first", () => {
    const drifted = (id: string, site: string) =>
      outcome(id, { site, result: "changed", before: { tilt: 1 }, after: { tilt: 2 } });
    const sites = [
      siteOutcomeOf({ site: "oslo" }),
      siteOutcomeOf({ site: "rome", readyBefore: true, readyAfter: false }),
    ];
    const outcomes = [drifted("a", "oslo"), drifted("b", "rome"), drifted("c", "oslo")];
    const text = lines(summarized({ ...about, operation: "preview" }, [{ ...result(...outcomes), sites }]));
    expect(text.slice(0, 5).map((line) => line.split(":")[0])).to.deep.equal([
      ...["rome  ✅ ready → ❌ not ready", "  b", "oslo", "  a", "  c"],
    ]);
  });

  it("calls a site that a run removes removed, and one that it leaves no longer declared, each with its readiness before", () => {
    const gone = outcome("a", { site: "bonn", result: "changed", before: { tilt: 1 }, onDelete: "retain" });
    const kept = outcome("b", { site: "rome", result: "changed", before: { tilt: 1 }, after: { tilt: 2 } });
    const sites = [
      siteOutcomeOf({ site: "bonn", readyBefore: true }, { isGone: true }),
      siteOutcomeOf({ site: "rome", readyBefore: true, readyAfter: false }),
    ];
    const declared = { expected: [], declared: [], sites: [] };
    const text = lines(summarized({ ...about, operation: "preview" }, [{ ...result(gone, kept), sites }], declared));
    expect(text).to.include.members(["bonn  removed (was ready)", "rome  no longer declared (was ready)"]);
  });

  it("names the sites that are not ready, with their gaps", () => {
    const gap = { device: "site", setting: "vehicles", reason: "none" as const };
    const sites = [
      siteOutcomeOf({ site: "rome", readyAfter: false, gaps: [gap] }),
      siteOutcomeOf({ site: "oslo", readyAfter: true }),
    ];
    const summary = summarized(about, [{ ...result(), sites }]);
    expect(findingsIn(summary)[0]).to.contain("rome").and.to.contain("site: it has no vehicles");
    expect(findingsIn(summary).join()).not.to.contain("oslo");
  });

  it("shows the same gaps of several sites once, and each device of a site once", () => {
    const gap = { device: "vehicle/guest", reason: "notReported" as const };
    const gaps = ["maxCapacity", "policy"].map((setting) => ({ ...gap, setting }));
    const sites = ["rome", "oslo"].map((site) => siteOutcomeOf({ site, readyAfter: false, gaps }));
    const [line, ...others] = findingsIn(summarized(about, [{ ...result(), sites }]));
    expect(line).to.match(like("❌ 2 sites (oslo, rome): … not ready: vehicle/guest: maxCapacity …; policy …"));
    expect(others).to.deep.equal([]);
  });

  it("counts new devices apart from those that change", () => {
    const change = (id: string, before: object) =>
      outcome(id, { result: "changed", before: { ...before }, after: { tilt: 2 } });
    const summary = summarized({ ...about, operation: "preview" }, [result(change("a", {}), change("b", { tilt: 1 }))]);
    expect(partsOf(summary)).to.deep.equal({ added: 1, changed: 1 });
  });

  it("says that a check for drift has not found all sites, as after an update that was killed", () => {
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: true })];
    const drift = { ...about, operation: "drift" as const };
    const of = (...awaited: string[]) => summarized(drift, [{ ...result(outcome("car")), sites }], { awaited });
    expect(partsOf(of("oslo"))).to.deep.equal({ unchanged: 1 });
    expect(partsOf(of("oslo", "rome", "paris"))).to.deep.equal({ unapplied: 2, unchanged: 1 });
    expect(verdictOf(of("oslo", "rome")).level).to.equal("warning");
    expect([of("oslo"), of("oslo", "rome")].map(exitCodeOfRun)).to.deep.equal([0, 2]);
    expect(textOf(of("oslo", "rome")))
      .to.match(/1 of 2 sites ready now, 1 /)
      .and.not.to.contain("rome");
  });

  it("says of a drifted site that it is not ready now, as the review of the same run does", () => {
    const roof = { label: "inverter/roof", result: "changed" as const };
    const drifted = outcome("roof", { ...roof, before: { azimuth: 180 }, after: { azimuth: 0 } });
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: true, readyAfter: true })];
    const summary = summarized({ ...about, operation: "drift" }, [{ ...result(drifted), sites }]);
    expect(lines(summary)[0]).to.match(like("oslo … not ready"));
    const verdict = verdictOf(summary);
    expect(verdict.parts.map(({ what }) => what)).to.include("notReadyNow");
  });

  it("names the command that repairs drift, and only if there is some", () => {
    const repair = "npx solar-charging fleet up --manifest fleet.yaml";
    const drift = { ...about, operation: "drift" as const, repair };
    const drifted = outcome("car", { result: "changed", before: { tilt: 1 }, after: { tilt: 2 } });
    expect(lines(summarized(drift, [result(drifted)]))).to.include(`  $ ${repair}`);
    expect(textOf(summarized(drift, [result(outcome("car"))]))).not.to.contain(repair);
  });

  it("counts a device as not done that one stack no longer declares, if the one that it moved to was not run", () => {
    const left = outcome("car", { result: "changed", onDelete: "restore" });
    const { device, label } = left;
    const devices = [{ device, site: "rome", label }];
    const summary = summarized(about, [result(left)], { expected: devices, declared: devices });
    expect(partsOf(summary)).to.deep.equal({ held: 1 });
    expect(summary.sites.flatMap(({ name, devices: own }) => own.map(() => name))).to.deep.equal(["rome"]);
    const ofPart = summarized({ ...about, operation: "preview" }, [result(left)], { expected: [], declared: devices });
    expect(ofPart.sites.flatMap(({ devices: of }) => of)).to.deep.equal([
      { label, kind: "leaves", settings: [], onDelete: "moves" },
    ]);
  });

  describe("if devices get another site", () => {
    const values = { maxCapacity: 1 };
    const given = (ids: readonly string[], more: readonly Outcome[] = [], isRefused = false) => {
      const left = ids.map((id) => outcome(id, { result: "changed", onDelete: "retain", before: values }));
      const joined = ids.map((id) => {
        const { after, ...one } = outcome(id, { site: "rome", result: "changed", before: values, after: values });
        return isRefused ? { ...one, result: "failed" as const } : { ...one, ...(after && { after }) };
      });
      const oslo = siteOutcomeOf({ site: "oslo", readyBefore: true }, { isGone: true });
      const rome = isRefused ? { site: "rome" } : siteOutcomeOf({ site: "rome", readyAfter: true });
      return summarized(
        { ...about, operation: "preview" },
        [
          { ...result(...left, ...more), sites: [oslo] },
          { ...elsewhere(...joined), sites: [rome] },
        ],
        { sites: [{ id: "rome" }] },
      );
    };

    it("shows a site under a new id as renamed, and not as removed", () => {
      const summary = given(["car", "van"]);
      expect(summary.sites.map(({ name, before }) => [name, before?.name, before?.ready])).to.deep.equal([
        ["rome", "oslo", true],
      ]);
      const review = summary;
      expect(verdictOf(review).parts.map(({ what }) => what)).to.deep.equal(["renamed", "unchanged"]);
      expect(markdownOf(review, "github")).to.contain("oslo → rome").and.not.to.contain("removed");
      expect(decisionOn(review, conditionsIn("removed")).met).to.deep.equal([]);
    });

    it("calls no site renamed whose new one was refused", () => {
      const review = given(["car"], [], true);
      expect(review.sites.flatMap(({ was }) => was ?? [])).to.deep.equal([]);
      expect(decisionOn(review, conditionsIn("removed")).met).to.have.length(1);
    });

    it("shows a device that moves with the site that it leaves, if not all of its site move", () => {
      const gone = outcome("bus", { result: "changed", onDelete: "retain", before: values });
      const review = given(["car"], [gone]);
      expect(markdownOf(review, "github")).to.contain("was vehicle/car of oslo").and.to.contain("removed");
    });
  });

  it("takes a device of two stacks for one", () => {
    const left = outcome("car", { result: "changed", onDelete: "restore", before: { maxCapacity: 1 } });
    const joined = outcome("car", { site: "rome", result: "changed", after: { maxCapacity: 2 } });
    for (const results of [
      [result(left), elsewhere(joined)],
      [elsewhere(joined), result(left)],
    ]) {
      const changes = summarized(about, results).sites.flatMap(({ name, devices }) =>
        devices.map(({ settings: [first] }) => ({ name, ...first })),
      );
      expect(changes).to.deep.equal([{ name: "rome", setting: "maxCapacity", from: 1, to: 2 }]);
    }
  });

  it("has the devices that were to be done and are not", () => {
    const devices = ["car", "van"].map((id) => ({ device: `acme/${id}`, site: "oslo", label: `vehicle/${id}` }));
    const stacks = [result(outcome("car", { result: "changed" })), { ...elsewhere(), error: said("held") }];
    const summary = summarized(about, stacks, { expected: devices, declared: devices });
    expect(summary).to.include({ added: 1, failed: 0, held: 1 });
    expect(summary.sites[0]?.devices.map(({ kind }) => kind)).to.deep.equal(["new", "held"]);
    expect(textOf(summary)).to.contain("❌ shard-2-of-2: held");
    expect(partsOf(summary)).to.include({ held: 1 });
  });

  it("counts one device as one", () => {
    const summary = summarized(about, [result(failed("car", "no"))]);
    expect(findingsIn(summary)).to.deep.equal(["❌ failed: 1 device (acme/car): no"]);
    expect(lines(summary).at(-1)).to.equal("calls: 3 GET, 2 PATCH, 0 latest reads");
  });

  it("names the service's host", () => {
    const calls = about.calls.map((one) => ({ service: "api.example.com", ...one }));
    const summary = summarized({ ...about, calls }, []);
    expect(lines(summary).at(-1)).to.match(like("calls … api.example.com: 3 GET, 2 PATCH, 0 latest reads"));
  });

  const nothing = summarized(about, []);
  const of = (...kinds: DeviceChange["kind"][]): Partial<Review> => {
    const devices = kinds.map((kind): DeviceChange => ({ label: "vehicle/car", kind, settings: [] }));
    const lists = { devices, drift: [], warnings: [], standing: [], errors: [] };
    const { after } = siteOutcomeOf({ site: "oslo", readyAfter: true });
    return { sites: [{ name: "oslo", stack: "acme", isSite: true, unchanged: 0, ...(after && { after }), ...lists }] };
  };
  const drift = (): Partial<Review> => ({
    sites: of("changed").sites?.map((site) => ({ ...site, devices: [], drift: site.devices })) ?? [],
  });
  const engine = { code: "engine" as const, text: "b" };
  const stopped = { code: "stopped" as const, text: "why" };
  const codes: [string, Partial<Review>, number][] = [
    ["nothing to do", {}, 0],
    ["an update", of("changed"), 0],
    ["a preview with changes", { operation: "preview", ...of("changed") }, 2],
    ["a preview of new devices", { operation: "preview", ...of("new") }, 2],
    ["a preview of devices that are no longer managed", { operation: "preview", ...of("leaves") }, 2],
    ["a preview without", { operation: "preview" }, 0],
    ["a preview that shows drift which the program accepts", { operation: "preview", ...drift() }, 0],
    ["drift", { operation: "drift", ...drift() }, 2],
    ["a refresh with drift", { operation: "refresh", ...drift() }, 0],
    ["a failure", of("failed", "changed"), 1],
    ["a device that is not done", of("held"), 1],
    ["a device that is left as it is", of("left"), 2],
    ["a stack that did not run", { errors: [engine] }, 1],
    ["a stack that did not run in a wave", { errors: [engine, stopped] }, 1],
    ["a record that could not be written", { ...of("changed"), errors: [{ text: "why" }] }, 1],
    ["a stop between waves", { ...of("failed"), errors: [stopped] }, 3],
    ["an interruption", { ...of("failed"), interrupted: true }, 130],
  ];
  for (const [what, given, code] of codes) {
    it(`ends ${what} with ${code}`, () => expect(exitCodeOfRun({ ...nothing, ...given })).to.equal(code));
  }
});
