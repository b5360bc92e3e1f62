import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { type PlannedResource, setOf, textOfSet } from "../../../../cli/review/approve";
import { readConfiguration } from "../../../../provider/configuration/configuration";
import { Approved, digestOf, type Sender } from "../../../../provider/lifecycle/approval/approved";
import type { Send } from "../../../../provider/lifecycle/approval/sends";
import { MessageError } from "../../../../provider/messages/message";
import type { Value } from "../../../../provider/settings/setting";
import { temporaryFolder } from "../../../support/folder";

const SERVICE = "https://api.example.com";
const CAR = { businessId: "acme", deviceId: "car" };
const SENDER: Sender = { service: SERVICE, project: "home", stack: "prod" };

const send = (field: string, value: Value, why: Send["why"] = "update") => ({ setting: field, field, value, why });

function resource(changes: Partial<PlannedResource> = {}, deviceId = "car"): PlannedResource {
  const sends = [send("max_capacity", 77_000), send("policy", "CHARGE BY", "repair")];
  const devices = [{ label: "vehicle/car", ...CAR, deviceId, sends, unknown: [] }];
  return { project: "home", stack: "prod", service: SERVICE, devices, ...changes };
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "";
  } catch (error) {
    return error instanceof MessageError ? error.problem.code : String(error);
  }
};

describe("an approved set", () => {
  const place = temporaryFolder();

  function approved(resources: readonly PlannedResource[], repair = false): Approved {
    const text = textOfSet(setOf(resources, { repair }));
    writeFileSync(place("approved.json"), text);
    return Approved.read({ path: place("approved.json"), digest: digestOf(text) });
  }

  it("has one digest, whatever the order of its resources", () => {
    const [one, other] = [resource(), resource({ stack: "dev" }, "van")];
    const [third, fourth] = [resource({}, "van"), resource({ service: "https://other.example.com" })];
    const all = [one, other, third, fourth];
    const texts = [all, all.toReversed(), [third, one, fourth, one, other]].map((some) =>
      digestOf(textOfSet(setOf(some, { repair: true }))),
    );
    expect(new Set(texts).size).to.equal(1);
    expect(texts[0]).to.match(/^sha256:[0-9a-f]{64}$/);
  });

  const REFUSED: readonly [title: string, sender: Partial<Sender>, device: object, field: string, value: Value][] = [
    ["another value", {}, {}, "max_capacity", 77_001],
    ["the value as a text", {}, {}, "max_capacity", "77000"],
    ["another field", {}, {}, "max_charge_power", 77_000],
    ["another device", {}, { deviceId: "van" }, "max_capacity", 77_000],
    ["another business", {}, { businessId: "other" }, "max_capacity", 77_000],
    ["another service", { service: "https://api.example.com/v2" }, {}, "max_capacity", 77_000],
    ["no service", { service: undefined }, {}, "max_capacity", 77_000],
    ["another stack", { stack: "dev" }, {}, "max_capacity", 77_000],
    ["another project", { project: "work" }, {}, "max_capacity", 77_000],
    ["a repair of drift", {}, {}, "policy", "CHARGE BY"],
  ];
  for (const [title, sender, device, field, value] of REFUSED) {
    it(`does not allow ${title}`, () => {
      const set = approved([resource()]);
      expect(set.allows(SENDER, { ref: CAR, field: "max_capacity", value: 77_000 })).to.equal(true);
      expect(set.allows({ ...SENDER, ...sender }, { ref: { ...CAR, ...device }, field, value })).to.equal(false);
    });
  }

  it("allows a repair of drift if the approval includes it", () => {
    expect(approved([resource()], true).allows(SENDER, { ref: CAR, field: "policy", value: "CHARGE BY" })).to.equal(
      true,
    );
  });

  describe("of a device that moves between resources", () => {
    const [capacity, policy] = [77_000, "CHARGE BY"];
    const restored = [send("max_capacity", 60_000, "release"), send("policy", "CHARGE BY PRICE", "release")];
    const ours = [send("max_capacity", capacity, "moved"), send("policy", policy, "moved")];
    const left = {
      ...CAR,
      label: "vehicle/car",
      released: "restore" as const,
      sends: [...restored, ...ours],
      unknown: [],
    };
    const joined = (value: Value) =>
      resource({ devices: [{ ...CAR, label: "vehicle/new", sends: [send("max_capacity", value)], unknown: [] }] });
    const moved = (value: Value, repair = false) =>
      approved([joined(value), resource({ stack: "dev", devices: [left] })], repair);
    const dev = { ...SENDER, stack: "dev" };

    it("lets a value that stays be planned, and not be sent: it would repair drift that nobody has seen", () => {
      expect(moved(capacity).allows(SENDER, { ref: CAR, field: "max_capacity", value: capacity })).to.equal(false);
      expect(
        moved(capacity).allows(SENDER, { ref: CAR, field: "max_capacity", value: capacity, isPlan: true }),
      ).to.equal(true);
      expect(moved(capacity, true).allows(SENDER, { ref: CAR, field: "max_capacity", value: capacity })).to.equal(true);
      expect(moved(78_000).allows(SENDER, { ref: CAR, field: "max_capacity", value: 78_000 })).to.equal(true);
    });

    it("lets no baseline be written back of a setting that the other resource declares", () => {
      for (const repair of [true, false]) {
        expect(moved(capacity, repair).allows(dev, { ref: CAR, field: "max_capacity", value: 60_000 })).to.equal(false);
        expect(
          moved(capacity, repair).allows(dev, { ref: CAR, field: "max_capacity", value: 60_000, isPlan: true }),
        ).to.equal(true);
        expect(moved(capacity, repair).allows(dev, { ref: CAR, field: "policy", value: "CHARGE BY PRICE" })).to.equal(
          true,
        );
      }
    });

    it("is not meant for another service, which has other devices with the same ids", () => {
      const elsewhere = resource({ service: "https://test.example.com", stack: "dev", devices: [left] });
      const set = approved([joined(capacity), elsewhere]);
      expect(set.allows(SENDER, { ref: CAR, field: "max_capacity", value: capacity })).to.equal(true);
      expect(
        set.allows({ ...dev, service: "https://test.example.com" }, { ref: CAR, field: "max_capacity", value: 60_000 }),
      ).to.equal(true);
    });
  });

  it("names a released device that keeps its values, and leaves out one to which nothing is sent", () => {
    const retained = {
      label: "vehicle/van",
      ...CAR,
      deviceId: "van",
      released: "retain" as const,
      sends: [],
      unknown: [],
    };
    const unchanged = {
      label: "vehicle/bus",
      ...CAR,
      deviceId: "bus",
      sends: [send("policy", "CHARGE BY", "repair")],
      unknown: [],
    };
    const { stacks } = setOf([resource({ devices: [retained, unchanged] })], { repair: false });
    expect(stacks[0]?.devices.map(({ label, released }) => [label, released])).to.deep.equal([
      ["vehicle/van", "retain"],
    ]);
  });

  it("is refused with another digest, in another form, and if it is missing", () => {
    const text = textOfSet(setOf([resource()], { repair: false }));
    const path = place("approved.json");
    writeFileSync(path, text);
    const read = (digest: string, file = path) => codeOf(() => Approved.read({ path: file, digest }));
    expect(read(digestOf(text))).to.equal("");
    expect(read(digestOf(`${text} `))).to.equal("approvalNotUsable");
    expect(read(digestOf(text), place("other.json"))).to.equal("approvalNotUsable");
    for (const wrong of ["", "{}", text.replace('"approval": 1', '"approval": 2'), text.replace('"stacks"', '"all"')]) {
      writeFileSync(path, wrong);
      expect(read(digestOf(wrong)), wrong).to.equal("approvalNotUsable");
    }
  });
});

describe("the configuration of an approved set", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const read = (stack: string | undefined, environment?: string, provider?: string) =>
    readConfiguration(
      (key) => (key === "approved" ? stack : undefined),
      environment === undefined ? {} : { SOLAR_CHARGING_APPROVED: environment },
      provider,
    ).approved;

  it("has a digest from outside the file", () => {
    expect(read(`a#b.json#${digest}`)).to.deep.equal({ path: "a#b.json", digest });
    for (const wrong of ["approved.json", "approved.json#", `#${digest}`, "approved.json#sha256:abc"])
      expect(() => read(wrong), wrong).to.throw("<file>#sha256:<digest>");
  });

  it("comes from the environment, whatever the stack or a provider in the program sets", () => {
    for (const provider of [undefined, "north"]) {
      expect(read(`mine.json#${digest}`, `yours.json#${digest}`, provider)?.path).to.equal("yours.json");
    }
  });
});
