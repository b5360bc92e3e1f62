import { expect } from "chai";
import fc from "fast-check";
import {
  CONDITIONS,
  type Condition,
  conditionsIn,
  decisionOn,
  decisionWords,
  isFailed,
} from "../../../../cli/review/conditions";
import { markdownOf } from "../../../../cli/review/markdown";
import type { Review } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { verdictOf } from "../../../../cli/review/verdict";
import { recorded, reviewed, reviewOf } from "./previews";

type Step = { urn: string; op: string; oldState: { inputs: never }; newState: unknown };

/** The preview of a program that does not change, after an edit of the step of one resource. */
function edited(name: string, edit: (step: Step) => void): Review {
  const preview = JSON.parse(recorded("same"));
  edit(preview.steps.find(({ urn }: Step) => urn.endsWith(`::${name}`)));
  return reviewOf(JSON.stringify(preview));
}

const removal = (name: string) => edited(name, (step) => Object.assign(step, { op: "delete", newState: null }));
const metIn = (review: Review, conditions: string) => decisionOn(review, conditionsIn(conditions)).met;

describe("review: conditions", () => {
  const same = reviewed("same");
  const mistakes = reviewed("mistakes");
  const drift = reviewed("drift");
  const withoutDevice = edited("home", (step) => {
    const inputs = { ...JSON.parse(JSON.stringify(step.oldState.inputs)) };
    delete inputs.vehicles.car;
    Object.assign(step, { op: "update", newState: { inputs, outputs: {} } });
  });

  it("leave a device that a site loses to the site: it is no removal", () => {
    expect(metIn(withoutDevice, "removed")).to.deep.equal([]);
    expect(withoutDevice.sites.flatMap(({ devices }) => devices.map(({ kind }) => kind))).to.deep.equal(["leaves"]);
  });

  for (const [condition, review, found, sites] of [
    ["ready-lost", mistakes, 1, ["home"]],
    ["ready-lost", drift, 1, ["home"]],
    ["not-ready", mistakes, 1, ["home"]],
    ["removed", removal("home"), 1, ["home"]],
    ["removed", removal("bike"), 1, ["bike"]],
    ["removed", mistakes, 1, ["shed"]],
    ["devices=5", mistakes, 5, undefined],
    ["drift", drift, 2, ["home"]],
  ] as const) {
    it(`${condition} is met by ${review.operation === "drift" ? "drift" : "a change"} that has it`, () => {
      const [met, ...others] = metIn(review, condition);
      expect(others).to.deep.equal([]);
      expect(met).to.include({ condition, found });
      if (sites) expect(met?.sites).to.deep.equal(sites);
    });
  }

  it("new-warning is met by a change that brings a warning, with the number of the verdict", () => {
    const [met] = metIn(mistakes, "new-warning");
    expect(met?.found).to.equal(verdictOf(mistakes).parts.find(({ what }) => what === "warned")?.count);
  });

  it("sun-loss is met by a site that loses at least its share, and names only those that do", () => {
    const { energy } = verdictOf(mistakes);
    const [worst] = energy;
    expect(worst?.share).to.be.below(-0.5);
    const [met] = metIn(mistakes, "sun-loss=50%");
    expect(met).to.deep.include({ found: -(worst?.share ?? 0), sites: [worst?.site] });
    expect(metIn(reviewed("northAzimuth"), "sun-loss=70%")).to.deep.equal([]);
  });

  const UNMET: readonly (readonly [string, Review, string])[] = [
    ["ready-lost", removal("home"), "a removed site, which need not be ready"],
    ["ready-lost", same, "no change"],
    ["not-ready", reviewed("new"), "a new site that is ready"],
    ["not-ready", removal("home"), "a removed site"],
    ["new-warning", same, "warnings that were there before"],
    ["sun-loss=5%", reviewed("new"), "a new site"],
    ["sun-loss=5%", removal("home"), "a removed site"],
    ["devices=6", mistakes, "fewer devices"],
    ["devices=1", drift, "drift, which no change makes"],
    ["drift", mistakes, "a change without drift"],
  ];
  for (const [condition, review, words] of UNMET) {
    it(`${condition} is not met by ${words}`, () => expect(metIn(review, condition)).to.deep.equal([]));
  }

  it("sun-loss is not met by a gain, which is the same change the other way round", () => {
    const gained = edited("home", (step) => {
      const { oldState, newState } = JSON.parse(recorded("mistakes")).steps.find(({ urn }: Step) =>
        urn.endsWith("::home"),
      );
      Object.assign(step, { op: "update", oldState: { ...newState, outputs: oldState.outputs }, newState: oldState });
    });
    expect(verdictOf(gained).energy[0]?.share).to.be.above(0.5);
    expect(metIn(gained, "sun-loss=0.1%")).to.deep.equal([]);
  });

  it("judges every site, also those without a chart in the review", () => {
    const [home] = mistakes.sites.filter(({ name }) => name === "home");
    const many = Array.from({ length: 150 }, (_, index) => ({ ...same.sites[0], ...home, name: `site-${index}` }));
    const [met] = metIn({ ...mistakes, sites: many as never }, "sun-loss=5%");
    expect(met?.sites).to.have.length(150);
  });

  it("of a lower number is met whenever that of a higher number is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100 }), (devices, percent) => {
        const isMet = (condition: string) => metIn(mistakes, condition).length > 0;
        if (isMet(`devices=${devices + 1}`)) expect(isMet(`devices=${devices}`)).to.equal(true);
        if (percent < 100 && isMet(`sun-loss=${percent + 1}%`)) expect(isMet(`sun-loss=${percent}%`)).to.equal(true);
      }),
    );
  });
});

describe("review: the option --fail-on", () => {
  it("takes several conditions, at once or one after the other", () => {
    const both: Condition[] = [
      { name: "ready-lost", text: "ready-lost", least: 1 },
      { name: "sun-loss", text: "sun-loss=2.5%", least: 0.025 },
    ];
    expect(conditionsIn("ready-lost, sun-loss=2.5%")).to.deep.equal(both);
    expect(conditionsIn("sun-loss=2.5%", conditionsIn("ready-lost"))).to.deep.equal(both);
    expect(conditionsIn("devices=50")).to.deep.equal([{ name: "devices", text: "devices=50", least: 50 }]);
  });

  for (const text of [
    ...["", " ", "ready", "ready-lost,", "ready-lost=1", "drift=", "READY-LOST", "toString"],
    ...["devices", "devices=", "devices=0", "devices=-1", "devices=1.5", "devices=5%", "devices=1=2"],
    ...["sun-loss", "sun-loss=", "sun-loss=5", "sun-loss=0%", "sun-loss=101%", "sun-loss=-5%", "sun-loss=x%"],
  ]) {
    it(`refuses ${JSON.stringify(text)}, and lists the conditions`, () => {
      for (const { form } of CONDITIONS) expect(() => conditionsIn(text)).to.throw(form);
    });
  }
});

describe("review: the decision", () => {
  const mistakes = reviewed("mistakes");
  const decide = (conditions: string, acceptedBy?: string) =>
    decisionOn(mistakes, conditionsIn(conditions), acceptedBy);

  it("is that a review fails if a condition is met that nobody has accepted", () => {
    expect(isFailed(decide("ready-lost,devices=100"))).to.equal(true);
    expect(isFailed(decide("ready-lost", ""))).to.equal(true);
    expect(isFailed(decide("ready-lost", "the label review-accepted"))).to.equal(false);
    expect(isFailed(decide("drift,devices=100"))).to.equal(false);
  });

  it("names nobody who accepted it if there was nothing to accept", () => {
    expect(decide("drift", "the label review-accepted")).not.to.have.property("acceptedBy");
  });

  it("comes first in the comment and at a terminal: the conditions that are met, with their numbers and sites", () => {
    const decision = decide("ready-lost,drift,sun-loss=5%");
    const [, heading] = markdownOf({ ...mistakes, decision }, "github").split("\n");
    expect(heading)
      .to.match(/^### ❌ /)
      .and.to.match(/ready-lost \(1 site .*`home`\) · sun-loss=5% \(.*−\d+ % .*`home`\)$/)
      .and.not.to.contain("drift");
    expect(reviewText({ ...mistakes, decision })).to.match(/^❌ .*ready-lost \(1 site .*home\)/);
  });

  it("names the person who accepted it, as plain text", () => {
    const accepted = markdownOf({ ...mistakes, decision: decide("ready-lost", "@team <b>label</b>") }, "github");
    expect(accepted.split("\n")[1]).to.match(/^### ⚠️ .*`@team <b>label<\/b>`: ready-lost/);
  });

  it("adds nothing to a review that meets no condition", () => {
    expect(markdownOf({ ...mistakes, decision: decide("drift") }, "github")).to.equal(markdownOf(mistakes, "github"));
    expect(decisionWords(decide("drift"), String, String)).to.equal(undefined);
  });

  it("names three sites, the worst first, and counts the others", () => {
    const many = ["a", "b", "c", "d", "e"].map((name) => ({ ...mistakes.sites[0], name, devices: [] }));
    many.push({ ...mistakes.sites[0], name: "z", devices: [{}, {}] } as never);
    const decision = decisionOn(
      { ...mistakes, sites: many.map((one) => ({ ...one, drift: one.name === "z" ? [{}, {}] : [{}] })) as never },
      conditionsIn("drift"),
    );
    expect(decisionWords(decision, String, String)).to.contain("7 devices drifted: z, a, b and 3 more");
  });
});
