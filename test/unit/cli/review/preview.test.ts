import { expect } from "chai";
import { missingIn, readinessOf } from "../../../../cli/review/change";
import { conditionsIn, decisionOn } from "../../../../cli/review/conditions";
import { markdownOf } from "../../../../cli/review/markdown";
import { mergedReview } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { energyChangeOf, readinessWords, verdictOf } from "../../../../cli/review/verdict";
import { expectLike } from "../../../support/facts";
import { recorded, reviewed, reviewOf, siteIn } from "./previews";

/** Records of settings that the service has accepted. */
const recordsOf = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, {}]));

const counts = (review: ReturnType<typeof reviewed>) =>
  Object.fromEntries(verdictOf(review).parts.map(({ what, count }) => [what, count]));

describe("review of pulumi preview --json", () => {
  describe("of a change with mistakes", () => {
    const review = reviewed("mistakes");

    it("reports the changes, and a site that stops being ready", () => {
      expect(verdictOf(review).level).to.equal("bad");
      expect(counts(review)).to.deep.equal({
        stopsBeingReady: 1,
        changed: 4,
        leaving: 1,
        warned: 3,
        others: 2,
        unchanged: 1,
      });
      expect(review.subjects).to.deep.equal(["test/dev"]);
    });

    it("has each setting of a device before and after", () => {
      expect(siteIn(review, "home").devices).to.deep.equal([
        {
          label: "inverter/roof",
          kind: "changed",
          settings: [
            { setting: "azimuth", from: 202.5, to: 22.5 },
            { setting: "baseLoad", from: 400 },
          ],
        },
        { label: "vehicle/car", kind: "changed", settings: [{ setting: "maxChargePower", from: 11_000, to: 150_000 }] },
      ]);
    });

    it("has what is missing once, and not as a warning again", () => {
      const home = siteIn(review, "home");
      const { warnings } = home;
      expectLike(missingIn(home), ["inverter/roof: baseLoad …"]);
      expect(warnings).to.have.lengthOf(2);
    });

    it("distinguishes a warning that was there before the change from those that the change brings", () => {
      const { warnings, standing } = siteIn(review, "bike");
      expect(warnings).to.deep.equal([]);
      expect(standing.map(({ device }) => device)).to.deep.equal(["vehicle/bike"]);
      expect(standing[0]?.text).to.contain("ignored-metadata").and.not.contain("bike");
      expect(siteIn(review, "home").standing).to.deep.equal([]);
    });

    it("has devices that are declared without a site", () => {
      const { isSite, devices } = siteIn(review, "bike");
      expect(isSite).to.equal(false);
      expect(devices).to.deep.equal([
        { label: "vehicle/bike", kind: "changed", settings: [{ setting: "maxCapacity", from: 20_000, to: 21_000 }] },
      ]);
      expect(siteIn(review, "shed").devices).to.deep.equal([
        { label: "inverter/shed", kind: "leaves", settings: [], onDelete: "retain" },
      ]);
    });

    it("shows a secret only as a secret", () => {
      expect(JSON.stringify(review)).not.to.match(/\b5[01](000| kWh)\b/); // The recorded warning contains the value in plain text.
      expect(recorded("mistakes")).to.match(/51 kWh/);
      expect(siteIn(review, "hidden").devices).to.deep.equal([
        { label: "vehicle/hidden", kind: "secret", settings: [] },
      ]);
    });
  });

  it("does not count a car as drifted that the service refused, and that a refresh does not show", () => {
    const urn = "urn:pulumi:dev::test::solar-charging:index:SiteSettings::home";
    const inputs = { businessId: "acme", vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } } };
    const applied = { inputs, outputs: { devices: {} } };
    const [oldState, newState] = [{ inputs: { businessId: "acme" } }, { inputs }];
    const steps = [
      { op: "refresh", urn, oldState: applied, newState: applied },
      { op: "update", urn, oldState, newState },
    ];
    const { drift } = siteIn(reviewOf(JSON.stringify({ steps })), "home");
    expect(drift).to.deep.equal([]);
    const inState = { inputs, outputs: { devices: { "vehicle/car": { deviceId: "car" } } } };
    const gone = siteIn(reviewOf(JSON.stringify({ steps: [{ ...steps[0], oldState: inState }, steps[1]] })), "home");
    expect(gone.drift.map(({ label }) => label)).to.deep.equal(["vehicle/car"]);
  });

  it("shows the drift of a secret setting, and that the site is not ready now, unless the program has accepted it", () => {
    const urn = "urn:pulumi:dev::test::solar-charging:index:SiteSettings::home";
    const car = { deviceId: "car", maxCapacity: "[secret]", maxChargePower: 7400 };
    const roof = { deviceId: "roof", azimuth: 180, tilt: 30, peakPower: 9000, cutInThreshold: 100, baseLoad: 300 };
    const inputs = { businessId: "acme", ready: true, vehicles: { car }, inverters: { roof } };
    const stateWith = (maxCapacity: object) => {
      const settings = { maxCapacity, maxChargePower: {}, policy: {} };
      return {
        inputs,
        outputs: { businessId: "acme", devices: { "vehicle/car": { ...car, settings }, "inverter/roof": roof } },
      };
    };
    const [applied, drifted] = [stateWith({}), stateWith({ status: "drifted", ours: "[secret]" })];
    const reviewOfStep = (op: string) => {
      const steps = [
        { op: "refresh", urn, oldState: applied, newState: applied },
        { op, urn, oldState: drifted, newState: { inputs } },
      ];
      return reviewOf(JSON.stringify({ steps }));
    };
    const review = reviewOfStep("update");
    expect(siteIn(review, "home").drift).to.deep.include({
      ...{ label: "vehicle/car", kind: "changed", settings: [{ setting: "maxCapacity", secret: true }] },
    });
    expect(counts(review)).to.include({ drifted: 1, notReadyNow: 1 });
    expect(counts(reviewOfStep("same"))).to.not.have.any.keys("drifted", "notReadyNow");
  });

  it("promises no restored value of a device that another resource declares, unless that one only observes it", () => {
    const urnOf = (name: string) => `urn:pulumi:dev::test::solar-charging:index:SiteSettings::${name}`;
    const reviewWith = (car: object) => {
      const inputs = {
        businessId: "acme",
        onDelete: "restore",
        vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } },
      };
      const settings = { maxCapacity: { baseline: 60_000 }, policy: {} };
      const outputs = { ...inputs, devices: { "vehicle/car": { deviceId: "car", maxCapacity: 77_000, settings } } };
      const steps = [
        {
          op: "create",
          urn: urnOf("villa"),
          newState: { inputs: { ...inputs, vehicles: { car: { deviceId: "car", ...car } } } },
        },
        { op: "delete", urn: urnOf("home"), oldState: { inputs, outputs } },
      ];
      return siteIn(reviewOf(JSON.stringify({ steps })), "home").devices;
    };
    expect(reviewWith({ maxCapacity: 77_000 })).to.deep.equal([
      { label: "vehicle/car", kind: "leaves", settings: [], onDelete: "moves" },
    ]);
    const observed = reviewWith({ observe: true })[0];
    expect(observed?.onDelete).to.equal("restore");
    expect(observed?.settings).to.deep.include({ setting: "maxCapacity", from: 77_000, to: 60_000 });
  });

  it("has everything as new if there is no state", () => {
    const review = reviewed("new");
    expect(counts(review)).to.include({ added: 6, others: 1 });
    expect(siteIn(review, "home")).to.deep.include({ unchanged: 0 });
    expect(readinessOf(siteIn(review, "home"))).to.deep.equal({ before: undefined, after: true });
  });

  it("counts what stays as it is, whether the engine shows it or only counts it", () => {
    expect(counts(reviewed("same"))).to.deep.equal({ unchanged: 6 });
    const { changeSummary } = JSON.parse(recorded("same"));
    expect(counts(reviewOf(JSON.stringify({ changeSummary })))).to.deep.equal({ unchanged: changeSummary.same });
  });

  it("names the site that is refused, and why", () => {
    const review = reviewed("refused");
    expect(verdictOf(review).level).to.equal("bad");
    expect(counts(review)).to.include({ refused: 1 });
    expect(siteIn(review, "home").errors.join()).to.contain("770000 Wh is above 300000 Wh");
  });

  describe("with --refresh", () => {
    const review = reviewed("drift");

    it("distinguishes drift from a change of the program", () => {
      expect(review.operation).to.equal("drift");
      expect(counts(review)).to.deep.equal({ notReadyNow: 1, drifted: 2, unchanged: 4 });
      expect(readinessWords(review)).to.equal("0 of 1 site ready now");
      expect(energyChangeOf(siteIn(review, "home"))?.share).to.be.below(-0.5);
      expect(siteIn(review, "home").devices).to.deep.equal([]);
      expect(siteIn(review, "home").drift).to.deep.equal([
        { label: "inverter/roof", kind: "changed", settings: [{ setting: "azimuth", from: 202.5, to: 22.5 }] },
        { label: "vehicle/van-3", kind: "changed", settings: [{ setting: "maxChargePower", from: 7400, to: 22_000 }] },
      ]);
    });

    it("has both if the program changes too", () => {
      const preview = JSON.parse(recorded("drift"));
      const update = preview.steps.find(({ op }: { op: string }) => op === "update");
      update.newState.inputs.vehicles.car.maxCapacity = 60_000;
      const both = reviewOf(JSON.stringify(preview));
      expect(both.operation).to.equal("preview");
      expect(counts(both)).to.deep.equal({ drifted: 2, changed: 1, unchanged: 3 });
    });
  });

  describe("after a refresh has written drift into state", () => {
    /** The preview of the recorded program after `pulumi refresh` found another azimuth. */
    const refreshed = (edit: (declared: { azimuth: number }) => void = () => {}) => {
      const preview = JSON.parse(recorded("same"));
      preview.changeSummary.same -= 1;
      const step = preview.steps.find(({ urn }: { urn: string }) => urn.endsWith("::home"));
      Object.assign(step, { op: "update", oldState: structuredClone(step.oldState) });
      step.oldState.inputs.inverters.roof.azimuth = 22.5;
      const azimuth = { status: "drifted", ours: 202.5 };
      Object.assign(step.oldState.outputs.devices["inverter/roof"], {
        azimuth: 22.5,
        settings: { ...recordsOf("peakPower", "tilt", "cutInThreshold", "baseLoad"), azimuth },
      });
      edit(step.newState.inputs.inverters.roof);
      return reviewOf(JSON.stringify(preview));
    };
    const drift = [
      { label: "inverter/roof", kind: "changed", settings: [{ setting: "azimuth", from: 202.5, to: 22.5 }] },
    ];

    it("has it as drift, and not as a change", () => {
      const review = refreshed();
      expect(siteIn(review, "home")).to.deep.include({ drift, devices: [] });
      expect(counts(review)).to.deep.equal({ notReadyNow: 1, drifted: 1, unchanged: 5 });
      expect(review).to.include({ operation: "drift", repair: "pulumi up --refresh" });
      expect(decisionOn(review, conditionsIn("drift")).met[0]).to.include({ found: 1 });
    });

    it("has it beside a change of the program", () => {
      const review = refreshed((roof) => Object.assign(roof, { azimuth: 180 }));
      const settings = [{ setting: "azimuth", from: 202.5, to: 180 }];
      expect(siteIn(review, "home")).to.deep.include({
        drift,
        devices: [{ label: "inverter/roof", kind: "changed", settings }],
      });
      expect(review.operation).to.equal("preview");
    });

    it("has none if the program declares the other value, or ignores its changes", () => {
      expect(
        siteIn(
          refreshed((roof) => Object.assign(roof, { azimuth: 22.5 })),
          "home",
        ),
      ).to.deep.include({
        drift: [],
        devices: [],
      });
    });
  });

  it("names an empty file, and where the error of its preview is", () => {
    const [error] = reviewOf("", undefined, "preview.json").errors;
    expect(error?.text).to.contain("preview.json").and.contain("standard error");
  });

  it("reports no readiness for a site that is not solar-aware", () => {
    expect(readinessOf(siteIn(reviewed("hostile"), "later")).after).to.equal(undefined);
    expect(readinessOf(siteIn(reviewed("hostile"), "home"))).to.deep.equal({ before: true, after: false });
  });

  it("knows what the service has not accepted yet, which the inputs do not show", () => {
    const preview = JSON.parse(recorded("same"));
    const step = preview.steps.find(({ urn }: { urn: string }) => urn.endsWith("::home"));
    step.op = "update";
    const car = step.oldState.outputs.devices["vehicle/car"];
    const { maxCapacity } = car;
    car.settings = {
      ...recordsOf("maxChargePower", "policy"),
      maxCapacity: { status: "uncertain", sent: [maxCapacity] },
    };
    step.newState.inputs.inverters.roof.tilt = 31;
    const { devices } = siteIn(reviewOf(JSON.stringify(preview)), "home");
    expect(devices).to.deep.include({
      label: "vehicle/car",
      kind: "changed",
      settings: [{ setting: "maxCapacity", to: maxCapacity }],
    });
  });

  it("shows the values of a device that the service has refused, beside another change of its site", () => {
    const preview = JSON.parse(recorded("same"));
    const step = preview.steps.find(({ urn }: { urn: string }) => urn.endsWith("::home"));
    step.op = "update";
    delete step.oldState.outputs.devices["vehicle/car"];
    step.newState.inputs.inverters.roof.tilt = 31;
    const { devices } = siteIn(reviewOf(JSON.stringify(preview)), "home");
    expect(devices.map(({ label, kind }) => [label, kind])).to.deep.equal([
      ["inverter/roof", "changed"],
      ["vehicle/car", "new"],
    ]);
    expect(devices[1]?.settings.map(({ setting }) => setting)).to.include("maxCapacity");
  });

  it("shows a removed site with its last readiness, without an alarm, and does not count it", () => {
    const preview = JSON.parse(recorded("same"));
    const step = preview.steps.find(({ urn }: { urn: string }) => urn.endsWith("::home"));
    Object.assign(step, { op: "delete", newState: null });
    const review = reviewOf(JSON.stringify(preview));
    expect(verdictOf(review).level).to.equal("good");
    expect(counts(review)).to.include({ leaving: 3 }).and.not.to.have.property("stopsBeingReady");
    expect(readinessWords(review)).to.equal(undefined);
    expect(markdownOf(review, "github")).to.contain("| `home` | removed (was ready) |");
    expect(reviewText(review)).to.contain("home  removed (was ready)");
  });

  it("understands the resources of the plugin", () => {
    const native = recorded("mistakes").replaceAll("pulumi-nodejs:dynamic/solar-charging:", "solar-charging:index:");
    expect(verdictOf(reviewOf(native))).to.deep.equal(verdictOf(reviewed("mistakes")));
  });

  for (const [printed, shown] of [
    ["", "empty"],
    [" \n", "empty"],
    ["error: no credentials\nat once\n", "text, which begins with error: no credentials"],
    ["x".repeat(1000), `begins with ${"x".repeat(99)}…`],
    ["{}", "other JSON, which begins with {}"],
    ['{"steps": []}\nwarning: 1', "mixed with other text"],
    ...["[]", "null", `{"steps":1}`, `{"a":1}`, `{"steps":[],"diagnostics":[]}`].map((json) => [json, json]),
  ] as [string, string][]) {
    it(`reports ${JSON.stringify(printed).slice(0, 50)} as no preview, and what is there instead`, () => {
      const review = reviewOf(printed, "prod", "p.json");
      expect(verdictOf(review).level).to.equal("bad");
      const errors = review.errors.map(({ text }) => text);
      expect(review).to.deep.include({ subjects: ["prod"], log: printed.split("\n"), noPreview: errors });
      expect(errors.join())
        .to.match(/^p\.json /)
        .and.to.contain(shown)
        .and.to.have.length.below(250);
    });
  }

  it("adds parts up", () => {
    const parts = mergedReview([reviewed("mistakes"), reviewed("drift")]);
    expect(counts(parts)).to.include({ stopsBeingReady: 1, changed: 4, drifted: 2, unchanged: 5 });
    expect(parts.subjects).to.deep.equal(["test/dev"]);
    expect(parts).not.to.have.property("noPreview");
    expect(mergedReview([reviewed("same"), reviewOf("")]).noPreview).to.have.length(1);
  });
});
