import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { approvalWords, approve, discardSet } from "../../../../cli/review/approve";
import { markdownOf } from "../../../../cli/review/markdown";
import { sourceOf } from "../../../../cli/review/read";
import { mergedReview } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { digestOf } from "../../../../provider/lifecycle/approval/approved";
import { UNKNOWN } from "../../../../provider/settings/objects";
import { temporaryFolder } from "../../../support/folder";
import { recorded, reviewOf } from "./previews";

const URN = "urn:pulumi:dev::home::solar-charging:index:VehicleSettings::car";
const SERVICE = "https://api.example.com";
const CAR = { businessId: "acme", deviceId: "car" };

type Fields = Readonly<Record<string, unknown>>;

/** The preview of one car. */
function previewOf(op: string, states: { readonly inputs?: Fields; readonly outputs?: Fields }): string {
  const { inputs = {}, outputs } = states;
  const oldState = outputs && { inputs: { ...CAR, ...inputs }, outputs: { ...CAR, ...outputs } };
  const newState = op === "delete" ? undefined : { inputs: { ...CAR, ...inputs }, outputs: {} };
  const config = { "solar-charging:baseUrl": `${SERVICE}/` };
  return JSON.stringify({ config, steps: [{ op, urn: URN, oldState, newState }], changeSummary: { [op]: 1 } });
}

/** The preview of a fleet, as far as a review needs it. */
const FLEET_RUN = {
  ...{ subjects: ["acme"], others: {}, errors: [], warnings: [], sites: [], operation: "preview" },
  next: ["npx solar-charging fleet up --manifest fleet.yaml --yes"],
};

describe("review --approve", () => {
  const place = temporaryFolder();

  function approved(preview: string, repair = false) {
    const { review, sends } = sourceOf(preview);
    return approve(place("approved.json"), review, sends, { repair });
  }
  const created = previewOf("create", { inputs: { maxCapacity: 77_000 } });

  it("refuses the run of a fleet that is no preview, because nobody has computed its values", () => {
    const drift = { ...FLEET_RUN, operation: "drift" };
    expect(() => approved(JSON.stringify(drift))).to.throw("fleet preview --json");
  });

  for (const kind of ["failed", "held"]) {
    it(`refuses the preview of a fleet with a device that is ${kind}, and names it`, () => {
      const device = { label: "vehicle/car", kind, settings: [] };
      const site = { name: "oslo", isSite: true, devices: [device], drift: [], warnings: [], standing: [], errors: [] };
      const run = { ...FLEET_RUN, sites: [site], sends: [] };
      expect(() => approved(JSON.stringify(run))).to.throw(/vehicle\/car of oslo/);
    });
  }

  it("writes the set, and its digest stands in the review", () => {
    const approval = approved(created);
    const text = readFileSync(place("approved.json"), "utf8");
    expect(approval).to.deep.equal({
      file: place("approved.json"),
      digest: digestOf(text),
      devices: 1,
      values: 1,
      repair: false,
      services: [SERVICE],
      renamed: [],
    });
    for (const shown of [
      markdownOf({ ...reviewOf(created), approval }, "github"),
      reviewText({ ...reviewOf(created), approval }),
    ]) {
      expect(shown).to.contain(approval.digest).and.to.contain(SERVICE);
    }
    expect(approvalWords({ ...approval, repair: true }, [], (words) => words)).to.contain("repair");
  });

  it("has in the review the command that applies the change", () => {
    const end = { op: "delete", urn: "urn:pulumi:dev::home::pulumi:pulumi:Stack::home-dev" };
    const ofStack = JSON.parse(previewOf("delete", { outputs: {} }));
    const destroyed = JSON.stringify({ ...ofStack, steps: [...ofStack.steps, end] });
    const fleet = JSON.stringify(FLEET_RUN);
    for (const [preview, command] of [
      [created, "pulumi up --yes --skip-preview --continue-on-error"],
      [destroyed, "pulumi destroy --yes --skip-preview --continue-on-error"],
      [fleet, FLEET_RUN.next[0]],
    ] as const) {
      const approval = {
        file: "set.json",
        digest: "sha256:a",
        devices: 1,
        values: 1,
        repair: false,
        services: [],
        renamed: [],
      };
      const text = reviewText({ ...mergedReview([reviewOf(preview)]), approval });
      expect(text.split("Next: ")[1]?.split("\n")[0]).to.equal(
        `SOLAR_CHARGING_APPROVED='set.json#sha256:a' ${command}`,
      );
    }
  });

  it("names the fields of a request that are not those of their settings", () => {
    const config = {
      "solar-charging:baseUrl": SERVICE,
      "solar-charging:inverterFields": '{"tilt":"azimuth","azimuth":"tilt"}',
    };
    const roof = { deviceId: "roof", businessId: "acme", tilt: 30, peakPower: 9000 };
    const steps = [
      { op: "create", urn: URN.replace("VehicleSettings", "InverterSettings"), newState: { inputs: roof } },
    ];
    const approval = approved(JSON.stringify({ config, steps }));
    expect(approval.renamed).to.deep.equal(["tilt as azimuth"]);
    expect(approvalWords(approval, [], (words) => words)).to.contain("tilt as azimuth");
  });

  it("takes the release of a device that is replaced", () => {
    const replaced = previewOf("delete-replaced", {
      outputs: {
        onDelete: "restore",
        maxCapacity: 77_000,
        settings: { maxCapacity: { baseline: 60_000 } },
      },
    });
    expect(approved(replaced).values).to.equal(1);
  });

  it("allows a repair only if it is asked to", () => {
    const values = { maxCapacity: 77_000 };
    const same = previewOf("same", { inputs: values, outputs: { ...values, settings: { maxCapacity: {} } } });
    expect(approved(same).values).to.equal(0);
    expect(approved(same, true).values).to.equal(1);
    const unlisted = JSON.stringify({ ...JSON.parse(same), changeSummary: { same: 2 } });
    expect(() => approved(unlisted, true)).to.throw("--show-sames");
  });

  it("refuses to approve the repair of a secret value, which no set contains", () => {
    const values = { maxCapacity: "[secret]" };
    const drifted = { maxCapacity: { status: "drifted", ours: "[secret]" } };
    const update = previewOf("update", { inputs: values, outputs: { ...values, settings: drifted } });
    expect(() => approved(update, true)).to.throw("a secret of vehicle/");
    expect(approved(update).values).to.equal(0);
  });

  const settings = { maxCapacity: { baseline: 60_000 } };
  const deleted = (onDelete: string, maxCapacity: unknown = 77_000) =>
    previewOf("delete", { outputs: { onDelete, maxCapacity, settings } });

  for (const [onDelete, values] of [
    ["restore", [60_000]],
    ["reset", [80_000]],
    ["retain", []],
  ] as const) {
    it(`contains what a removal with ${onDelete} writes back`, () => {
      approved(deleted(onDelete));
      const { stacks } = JSON.parse(readFileSync(place("approved.json"), "utf8"));
      expect(stacks[0].service).to.equal(SERVICE);
      const [{ released, sends }] = stacks[0].devices;
      expect([released, sends.map(({ value }: { value: number }) => value)]).to.deep.equal([onDelete, values]);
    });
  }

  const secret = { maxCapacity: "[secret]" };
  const unset = JSON.stringify({ ...JSON.parse(created), config: {} });
  const refused: readonly [title: string, preview: string, message: RegExp][] = [
    ["a failed preview", recorded("refused"), /errors/],
    ["something else than a preview", "{}", /errors/],
    [
      "a value that only the update knows",
      previewOf("create", { inputs: { maxCapacity: UNKNOWN } }),
      /maxCapacity of vehicle\/car/,
    ],
    ["a secret value", previewOf("create", { inputs: secret }), /maxCapacity of vehicle\/car changes, .*secret/],
    [
      "an update that may change a secret value",
      previewOf("update", { inputs: secret, outputs: { ...secret, settings: { maxCapacity: {} } } }),
      /vehicle\/car changes, .*secret/,
    ],
    ["a resource without a service", unset, /SOLAR_CHARGING_BASE_URL/],
    ["the removal of a secret device", deleted("restore", "[secret]"), /onDelete: retain/],
    ["a state that it does not understand", deleted("restore", true), /state of VehicleSettings/],
  ];
  for (const [title, preview, message] of refused) {
    it(`refuses ${title}, and writes nothing`, () => {
      expect(() => approved(preview)).to.throw(message);
      expect(existsSync(place("approved.json"))).to.equal(false);
    });
  }

  it("is preceded by the removal of an earlier set, and of no other file", () => {
    approved(created);
    discardSet(place("approved.json"));
    discardSet(place("approved.json"));
    expect(existsSync(place("approved.json"))).to.equal(false);
    writeFileSync(place("part-1.json"), created);
    expect(() => discardSet(place("part-1.json"))).to.throw("part-1.json");
    expect(readFileSync(place("part-1.json"), "utf8")).to.equal(created);
  });

  it("approves the removal of a secret device that keeps its values", () => {
    expect(() => approved(deleted("retain", "[secret]"))).not.to.throw();
  });
});
