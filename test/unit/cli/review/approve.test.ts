import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { previewIn } from "../../../../cli/pulumiPreview";
import { approvalWords, approve, discardSet } from "../../../../cli/review/approve";
import { markdownOf } from "../../../../cli/review/markdown";
import { mergedReview } from "../../../../cli/review/review";
import { reviewOfSummary } from "../../../../cli/review/summary";
import { reviewText } from "../../../../cli/review/text";
import type { Outcome } from "../../../../cli/stacks/outcome";
import { summaryOf } from "../../../../cli/stacks/summary";
import { digestOf } from "../../../../provider/lifecycle/approval/approved";
import { notePlan, type PlanLine } from "../../../../provider/lifecycle/approval/planFile";
import type { Send } from "../../../../provider/lifecycle/approval/sends";
import { thrownBy } from "../../../support/failure";
import { temporaryFolder } from "../../../support/folder";
import { outcomeOf, siteOutcomeOf } from "../../../support/outcomes";
import { recorded, reviewOf } from "./previews";

const URN = "urn:pulumi:dev::home::solar-charging:index:VehicleSettings::car";
const SERVICE = "https://api.example.com";
const CAR = { businessId: "acme", deviceId: "car" };

type Fields = Readonly<Record<string, unknown>>;

/** The preview of one car. */
function previewOf(op: string, states: { readonly inputs?: Fields; readonly outputs?: Fields }): string {
  const { inputs = {}, outputs } = states;
  const oldState = outputs && { inputs: CAR, outputs: { ...CAR, ...outputs } };
  const newState = op === "delete" ? undefined : { inputs: { ...CAR, ...inputs }, outputs: {} };
  const config = { "solar-charging:baseUrl": `${SERVICE}/` };
  return JSON.stringify({ config, steps: [{ op, urn: URN, oldState, newState }], changeSummary: { [op]: 1 } });
}

const send = (value: Send["value"], why: "update" | "repair" = "update") => ({
  ...{ setting: "maxCapacity", field: "max_capacity", value, why },
});
const line = (changes: Partial<PlanLine["devices"][number]> = {}): PlanLine => ({
  ...{ run: "a", urn: URN, service: SERVICE },
  devices: [{ label: "vehicle/car", ...CAR, sends: [send(77_000)], unknown: [], secret: [], ...changes }],
});

/** The preview of a fleet, as far as a review needs it. */
const FLEET_RUN = {
  ...{ failures: [], warnings: [], notes: [], stackErrors: [], notApproved: [] },
  ...{ calls: { get: 0, patch: 0, latest: 0 }, next: "npx solar-charging fleet up --manifest fleet.yaml --yes" },
  ...{ changed: 0, adopted: 0, unmanaged: 0, unchanged: 0, failed: 0, notDone: 0, interrupted: false },
};

describe("review --approve", () => {
  const place = temporaryFolder();

  function approved(preview: string, lines: readonly PlanLine[], repair = false) {
    for (const one of lines) notePlan(place("planned.jsonl"), one);
    const json = previewIn(JSON.parse(preview));
    const sources = { review: reviewOf(preview), previews: json ? [json] : [], plans: [place("planned.jsonl")] };
    return approve(place("approved.json"), sources, { repair });
  }
  const created = previewOf("create", { inputs: { maxCapacity: 77_000 } });

  it("writes the set, and its digest stands in the review", () => {
    const approval = approved(created, [line()]);
    const text = readFileSync(place("approved.json"), "utf8");
    expect(approval).to.deep.equal({
      file: place("approved.json"),
      digest: digestOf(text),
      devices: 1,
      values: 1,
      repair: false,
      services: [SERVICE],
    });
    for (const shown of [
      markdownOf(reviewOf(created), "github", { approval }),
      reviewText(reviewOf(created), (_, words) => words, { approval }),
    ]) {
      expect(shown).to.contain(approval.digest).and.to.contain(SERVICE);
    }
    expect(approvalWords({ ...approval, repair: true }, [], (words) => words)).to.contain("repair");
  });

  it("ends the review with the command that applies the change", () => {
    const end = { op: "delete", urn: "urn:pulumi:dev::home::pulumi:pulumi:Stack::home-dev" };
    const ofStack = JSON.parse(previewOf("delete", { outputs: {} }));
    const destroyed = JSON.stringify({ ...ofStack, steps: [...ofStack.steps, end] });
    const fleet = JSON.stringify({ fleet: "acme", operation: "preview", devices: [], sites: [], ...FLEET_RUN });
    for (const [preview, command] of [
      [created, "pulumi up --yes --skip-preview --continue-on-error"],
      [destroyed, "pulumi destroy --yes --skip-preview --continue-on-error"],
      [fleet, FLEET_RUN.next],
    ] as const) {
      const approval = { file: "set.json", digest: "sha256:a", devices: 1, values: 1, repair: false, services: [] };
      const text = reviewText(mergedReview([reviewOf(preview)]), (_, words) => words, { approval });
      expect(text.split("Next: ")[1]).to.equal(`SOLAR_CHARGING_APPROVED='set.json#sha256:a' ${command}`);
    }
  });

  it("refuses a noted value that the preview does not show, such as one of an earlier preview of the same run", () => {
    const refusal = thrownBy(() => approved(created, [line(), line({ sends: [send(60_000)] })]));
    expect(refusal.message).to.include("SOLAR_CHARGING_FOR_APPROVAL");
    expect(existsSync(place("approved.json"))).to.equal(false);
  });

  it("takes the release of a device that is replaced", () => {
    const replaced = previewOf("delete-replaced", {
      outputs: {
        onDelete: "restore",
        maxCapacity: 77_000,
        settings: { maxCapacity: { baseline: 60_000 } },
      },
    });
    expect(approved(replaced, []).values).to.equal(1);
  });

  it("allows a repair only if it is asked to", () => {
    const same = previewOf("same", { inputs: { maxCapacity: 77_000 }, outputs: { maxCapacity: 77_000, settings: {} } });
    const lines = [line({ sends: [send(77_000, "repair")] })];
    expect(approved(same, lines).values).to.equal(0);
    expect(approved(same, [], true).values).to.equal(1);
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
      approved(deleted(onDelete), []);
      const { stacks } = JSON.parse(readFileSync(place("approved.json"), "utf8"));
      expect(stacks[0].service).to.equal(SERVICE);
      const [{ released, sends }] = stacks[0].devices;
      expect([released, sends.map(({ value }: { value: number }) => value)]).to.deep.equal([onDelete, values]);
    });
  }

  const refused: readonly [title: string, preview: string, lines: readonly PlanLine[], message: RegExp][] = [
    ["a failed preview", recorded("refused"), [], /errors/],
    ["something else than a preview", "{}", [], /errors/],
    [
      "a value that only the update knows",
      created,
      [line({ unknown: ["maxCapacity"] })],
      /maxCapacity of vehicle\/car/,
    ],
    ["a secret value", created, [line({ secret: ["maxCapacity"] })], /maxCapacity of vehicle\/car changes, .*secret/],
    ["a change that nobody has noted", created, [], /vehicle\/car of car/],
    ["another value than the preview shows", created, [line({ sends: [send(78_000)] })], /vehicle\/car of car/],
    ["another device than the preview shows", created, [line({ deviceId: "van" })], /vehicle\/car of car/],
    ["a resource without a service", created, [{ ...line(), service: undefined } as never], /SOLAR_CHARGING_BASE_URL/],
    ["the removal of a secret device", deleted("restore", "[secret]"), [], /onDelete: retain/],
  ];
  for (const [title, preview, lines, message] of refused) {
    it(`refuses ${title}, and writes nothing`, () => {
      expect(() => approved(preview, lines)).to.throw(message);
      expect(existsSync(place("approved.json"))).to.equal(false);
    });
  }

  it("is preceded by the removal of an earlier set, and of no other file", () => {
    approved(created, [line()]);
    discardSet(place("approved.json"));
    discardSet(place("approved.json"));
    expect(existsSync(place("approved.json"))).to.equal(false);
    writeFileSync(place("part-1.json"), created);
    expect(() => discardSet(place("part-1.json"))).to.throw("part-1.json");
    expect(readFileSync(place("part-1.json"), "utf8")).to.equal(created);
  });

  it("approves the change of a fleet's device to an observed one, and the end of one, because nothing is sent", () => {
    const device = { site: "oslo", result: "unmanaged", before: { tilt: 30 } } as const;
    const { after, ...managed } = outcomeOf({ ...device, device: "acme/a", label: "inverter/a" });
    const outcomes: Outcome[] = [
      { ...managed, ...(after && { after: { ...after, observe: true, declared: {} } }) },
      outcomeOf({ ...device, device: "acme/b", label: "inverter/b", onDelete: "observe", view: { observe: true } }),
    ];
    const about = { fleet: "acme", operation: "preview" as const, calls: { get: 0, patch: 0, latest: 0 } };
    const sites = [siteOutcomeOf({ site: "oslo", readyBefore: false, readyAfter: false })];
    const result = { stack: "dev", outcomes: new Map(outcomes.map((one) => [one.device, one])), sites, warnings: [] };
    const review = reviewOfSummary(summaryOf({ ...about, interrupted: false }, [result]));
    expect(review.sites[0]?.devices.map(({ label, kind }) => [label, kind])).to.deep.equal([
      ["inverter/a", "new"],
      ["inverter/b", "leaves"],
    ]);
    const sources = { review, previews: [], plans: [] };
    expect(approve(place("approved.json"), sources, { repair: false })).to.include({ devices: 0, values: 0 });
  });

  it("approves the removal of a secret device that keeps its values", () => {
    expect(() => approved(deleted("retain", "[secret]"), [])).not.to.throw();
  });
});
