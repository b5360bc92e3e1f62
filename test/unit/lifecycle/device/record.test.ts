import { expect } from "chai";
import fc from "fast-check";
import {
  acceptedOf,
  baselineOf,
  baselinesIn,
  comparedWith,
  differencesIn,
  isManaged,
  isOurs,
  isReplaceable,
  type Known,
  type Managed,
  managedIn,
  ourValues,
  overwriting,
  recordsUnder,
  refreshedBy,
  reportedOf,
  uncertainOf,
  unsent,
} from "../../../../provider/lifecycle/device/record";
import type { Value } from "../../../../provider/settings/setting";
import { anyRecord } from "../../../support/arbitraries";

/**
 * The value before anybody managed the setting, our first and second declaration, somebody else's value, and a rounded
 * one.
 */
const [BASELINE, FIRST, SECOND, FOREIGN, ROUNDED] = [60, 77, 80, 50, 76];
const B = { baseline: BASELINE };

const UNMANAGED: Known = { status: "unmanaged", reported: FOREIGN };
const VERIFIED: Known = { status: "verified", value: FIRST, ...B };
const PENDING: Known = { status: "pending", value: FIRST, reported: BASELINE, ...B };
const UNREAD: Known = { status: "pending", value: FIRST, ...B };
const NOT_REPORTED: Known = { status: "notReported", value: FIRST, ...B };
const ADJUSTED: Known = { status: "adjusted", value: FIRST, reported: ROUNDED, ...B };
const DRIFTED: Known = { status: "drifted", value: FOREIGN, ours: FIRST, ...B };
/** The first update has an unknown outcome. */
const UNCERTAIN: Known = { status: "uncertain", value: FIRST, sent: [FIRST], reported: BASELINE, ...B };
/** The first update was accepted, and the second one has an unknown outcome. */
const UNCERTAIN_AFTER: Known = {
  status: "uncertain",
  value: SECOND,
  sent: [SECOND],
  ours: FIRST,
  reported: FIRST,
  ...B,
};

const ALL = { UNMANAGED, VERIFIED, PENDING, UNREAD, NOT_REPORTED, ADJUSTED, DRIFTED, UNCERTAIN, UNCERTAIN_AFTER };

type Name = keyof typeof ALL | "none";
const recordOf = (name: Name): Known | undefined => (name === "none" ? undefined : ALL[name]);

/** A small set of values, so that they are often equal. */
const anyValue = fc.integer({ min: 1, max: 4 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyKnown = maybe(anyRecord(anyValue));

describe("the record of a setting", () => {
  const sayings: [Name, reported: Value | undefined, accepted: Value | undefined, ours: Value[]][] = [
    ["none", undefined, undefined, []],
    ["UNMANAGED", FOREIGN, undefined, []],
    ["VERIFIED", FIRST, FIRST, [FIRST]],
    ["PENDING", BASELINE, FIRST, [FIRST]],
    ["UNREAD", undefined, FIRST, [FIRST]],
    ["NOT_REPORTED", undefined, FIRST, [FIRST]],
    ["ADJUSTED", ROUNDED, FIRST, [FIRST, ROUNDED]],
    ["DRIFTED", FOREIGN, FOREIGN, [FIRST]],
    ["UNCERTAIN", BASELINE, undefined, [FIRST]],
    ["UNCERTAIN_AFTER", FIRST, undefined, [FIRST, SECOND]],
  ];
  for (const [name, reported, accepted, ours] of sayings) {
    it(`${name}: what is reported, accepted, and can have been written by us`, () => {
      const record = recordOf(name);
      expect(reportedOf(record)).to.equal(reported);
      expect(acceptedOf(record)).to.equal(accepted);
      const known = [BASELINE, FIRST, SECOND, FOREIGN, ROUNDED];
      const isOne = (value: Value) => isManaged(record) && isOurs(record, value);
      expect(known.filter(isOne)).to.have.members(ours);
      expect(baselineOf(record)).to.deep.equal(isManaged(record) ? B : {});
    });
  }

  it("is of the managed settings only, and the baseline of those that have one", () => {
    const { baseline: _, ...without } = VERIFIED;
    const records = { a: VERIFIED, b: UNMANAGED, c: without };
    expect(managedIn(records)).to.deep.equal([
      ["a", VERIFIED],
      ["c", without],
    ]);
    expect(baselinesIn(records)).to.deep.equal({ a: BASELINE });
  });

  it("is that nothing is to be sent exactly if the declared value was accepted", () => {
    const declared = Object.fromEntries(Object.keys(ALL).map((name) => [name, FIRST]));
    expect(Object.keys(unsent(ALL, declared))).to.have.members([
      ...["UNMANAGED", "DRIFTED", "UNCERTAIN", "UNCERTAIN_AFTER"],
    ]);
  });
});

describe("a value that the service accepted, beside what the cached read shows", () => {
  const cases: [what: string, before: Name, value: Value, reported: Value | undefined, Known["status"]][] = [
    ["is verified if it is shown", "VERIFIED", SECOND, SECOND, "verified"],
    ["is not reported if nothing is", "VERIFIED", SECOND, undefined, "notReported"],
    ["is pending while the earlier value is shown", "VERIFIED", SECOND, FIRST, "pending"],
    ["is pending while an even earlier value is shown", "PENDING", SECOND, BASELINE, "pending"],
    ["is pending if a cache that was behind shows the value before", "PENDING", SECOND, FIRST, "pending"],
    ["is pending while somebody else's value is shown", "DRIFTED", FIRST, FOREIGN, "pending"],
    ["is adjusted if a third value is shown", "VERIFIED", SECOND, ROUNDED, "adjusted"],
    ["is adjusted if the service never showed one before", "none", SECOND, ROUNDED, "adjusted"],
  ];
  for (const [what, before, value, reported, status] of cases) {
    it(what, () => {
      const isShown = status === "pending" || status === "adjusted";
      expect(comparedWith(reported, value, recordOf(before))).to.deep.equal({
        ...{ status, value },
        ...(before !== "none" && B),
        ...(isShown && { reported }),
      });
    });
  }
});

describe("an update of unknown outcome", () => {
  const cases: [what: string, before: Name, value: Value, after: Known][] = [
    ["of a setting that is new", "none", FIRST, { status: "uncertain", value: FIRST, sent: [FIRST] }],
    ["of one that was accepted before", "VERIFIED", SECOND, UNCERTAIN_AFTER],
    ["of one that somebody else has set", "DRIFTED", FIRST, { ...UNCERTAIN, ours: FIRST, reported: FOREIGN }],
    ["of one that the service keeps otherwise", "ADJUSTED", SECOND, { ...UNCERTAIN_AFTER, reported: ROUNDED }],
    [
      "of one that is not reported",
      "NOT_REPORTED",
      SECOND,
      { status: "uncertain", value: SECOND, sent: [SECOND], ours: FIRST, ...B },
    ],
    ["of one that may have been sent", "UNCERTAIN", SECOND, { ...UNCERTAIN, value: SECOND, sent: [FIRST, SECOND] }],
    ["of the same value once more", "UNCERTAIN", FIRST, UNCERTAIN],
  ];
  for (const [what, before, value, after] of cases) {
    it(`${what}: keeps what may stand there, and the baseline`, () => {
      expect(uncertainOf(value, recordOf(before))).to.deep.equal(after);
    });
  }

  it("does not count the baseline as ours: there would be nothing to restore", () => {
    const adopted: Known = { status: "verified", value: BASELINE, ...B };
    expect(uncertainOf(FIRST, adopted)).to.deep.equal(UNCERTAIN);
  });
});

describe("a setting after a refresh", () => {
  const cases: [before: Name, reported: Value | undefined, after: Known | undefined][] = [
    ["none", undefined, undefined],
    ["none", FOREIGN, UNMANAGED],
    ["UNMANAGED", undefined, undefined],
    ["UNMANAGED", FIRST, { status: "unmanaged", reported: FIRST }],
    ["VERIFIED", FIRST, VERIFIED],
    ["VERIFIED", FOREIGN, DRIFTED],
    ["VERIFIED", undefined, NOT_REPORTED],
    ["PENDING", FIRST, VERIFIED],
    ["PENDING", BASELINE, { status: "adjusted", value: FIRST, reported: BASELINE, ours: FIRST, ...B }],
    ["PENDING", FOREIGN, DRIFTED],
    ["PENDING", undefined, NOT_REPORTED],
    ["UNREAD", FIRST, VERIFIED],
    ["NOT_REPORTED", FIRST, VERIFIED],
    ["NOT_REPORTED", undefined, NOT_REPORTED],
    ["ADJUSTED", ROUNDED, ADJUSTED],
    ["ADJUSTED", FIRST, VERIFIED],
    ["ADJUSTED", FOREIGN, DRIFTED],
    ["ADJUSTED", undefined, NOT_REPORTED],
    ["DRIFTED", FOREIGN, DRIFTED],
    ["DRIFTED", SECOND, { ...DRIFTED, value: SECOND }],
    ["DRIFTED", FIRST, VERIFIED],
    ["DRIFTED", undefined, DRIFTED],
    ["UNCERTAIN", FIRST, VERIFIED],
    ["UNCERTAIN", BASELINE, { ...UNCERTAIN, value: BASELINE }],
    ["UNCERTAIN", FOREIGN, { ...UNCERTAIN, value: FOREIGN, reported: FOREIGN }],
    ["UNCERTAIN", undefined, { status: "uncertain", value: FIRST, sent: [FIRST], ...B }],
    ["UNCERTAIN_AFTER", SECOND, { status: "verified", value: SECOND, ...B }],
    ["UNCERTAIN_AFTER", FIRST, { ...UNCERTAIN_AFTER, value: FIRST }],
    ["UNCERTAIN_AFTER", FOREIGN, { ...UNCERTAIN_AFTER, value: FOREIGN, reported: FOREIGN }],
  ];
  for (const [before, reported, after] of cases) {
    it(`${before} that shows ${reported} is ${after?.status ?? "nothing"}`, () => {
      expect(refreshedBy(reported, recordOf(before))).to.deep.equal(after);
    });
  }

  it("is pending no longer than until a later run shows the same again, whatever the program does about drift", () => {
    const statuses = [{}, { keeps: true }].map((answer) =>
      [BASELINE, BASELINE].reduce((record: Known | undefined, shown) => refreshedBy(shown, record, answer), UNREAD),
    );
    expect(statuses.map((record) => record?.status)).to.deep.equal(["drifted", "adjusted"]);
  });

  it("has no drift by the noise of a float, whatever it is", () => {
    const noisy = (value: number) => value * (1 + 5e-7);
    for (const record of Object.values(ALL)) {
      const shown = reportedOf(record);
      if (typeof shown !== "number" || !isManaged(record)) continue;
      expect(refreshedBy(noisy(shown), record)).to.deep.equal(refreshedBy(shown, record));
      expect(isOurs(record, noisy(shown))).to.equal(isOurs(record, shown));
    }
    expect(comparedWith(noisy(FIRST), FIRST, undefined)).to.deep.equal({ status: "verified", value: FIRST });
    expect(unsent({ x: VERIFIED }, { x: noisy(FIRST) })).to.deep.equal({});
    expect(refreshedBy(FIRST * 1.00001, VERIFIED)?.status).to.equal("drifted");
  });

  it("counts an update of unknown outcome as accepted if the device has its value, but no value of ours before it", () => {
    const same: Known = { ...UNCERTAIN, sent: [BASELINE, FIRST], reported: BASELINE };
    expect(refreshedBy(BASELINE, same)).to.deep.equal({ status: "verified", value: BASELINE, ...B });
  });

  it("does not count an update as accepted by what a cache shows that may be behind the one before it", () => {
    const behind: Known = { ...UNCERTAIN_AFTER, sent: [BASELINE], reported: BASELINE };
    expect(refreshedBy(BASELINE, behind)).to.deep.equal({ ...behind, value: BASELINE });
  });
});

describe("somebody else's value under onDrift keep", () => {
  const kept = { status: "kept", value: FIRST, reported: FOREIGN, ...B } as const;
  const adopted: Known = { status: "verified", value: FOREIGN, ours: FIRST, ...B };
  const cases: [what: string, reported: Value, before: Known, after: Known][] = [
    ["is kept", FOREIGN, VERIFIED, kept],
    [
      "is kept beside ours, if the program declares another one",
      SECOND,
      adopted,
      { ...adopted, ...B, status: "kept", reported: SECOND },
    ],
    ["is drift if it was drift before", ROUNDED, DRIFTED, { ...DRIFTED, value: ROUNDED } as Known],
    [
      "may be older than our update if no read has shown that",
      FOREIGN,
      UNREAD,
      { ...UNREAD, reported: FOREIGN } as Known,
    ],
  ];
  for (const [what, reported, before, after] of cases) {
    it(what, () => expect(refreshedBy(reported, before, { keeps: true })).to.deep.equal(after));
  }

  it("becomes drift, or the reverse, with another onDrift", () => {
    const [keep, repair] = [() => true, () => false];
    const records = { kept, beside: { ...kept, ours: SECOND }, VERIFIED };
    const drifted = { kept: DRIFTED, beside: { ...DRIFTED, ours: SECOND }, VERIFIED };
    expect(recordsUnder(records, { before: keep, after: repair })).to.deep.equal(drifted);
    expect(recordsUnder(records, { before: keep, after: keep })).to.deep.equal(records);
    expect(recordsUnder({ kept: DRIFTED }, { before: repair, after: keep })).to.deep.equal({ kept });
    expect(recordsUnder({ DRIFTED }, { before: keep, after: keep })).to.deep.equal({ DRIFTED });
  });
});

describe("the differences of a device", () => {
  const of = (record: Known, declared: Value, reported: Record<string, Value> = { key: FIRST }, observe = false) =>
    differencesIn({ declared: { key: declared }, settings: { key: record }, reported, observe });
  const NONE = { drift: [], kept: [], toApply: [], unseen: [] };

  it("are drift, unless the program declares the value, and no update", () => {
    expect(of(DRIFTED, FIRST)).to.deep.equal({ ...NONE, drift: ["key"] });
    expect(of(DRIFTED, FOREIGN)).to.deep.equal(NONE);
    expect(of(DRIFTED, SECOND)).to.deep.equal({ ...NONE, drift: ["key"], toApply: ["key"] });
  });

  it("are accepted values that no read shows", () => {
    expect(of(VERIFIED, FIRST)).to.deep.equal(NONE);
    expect(of(VERIFIED, FIRST, {})).to.deep.equal({ ...NONE, unseen: ["key"] });
    expect(of(VERIFIED, FIRST, {}, true)).to.deep.equal(NONE);
    expect(of(UNCERTAIN, FIRST, {})).to.deep.equal({ ...NONE, toApply: ["key"] });
  });
});

describe("a sent value", () => {
  it("replaces the value from before us only if that is known to stand there", () => {
    const adopted: Known = { status: "verified", value: BASELINE, ...B };
    const unknown: Known = { status: "uncertain", value: FIRST, sent: [FIRST] };
    const records = { adopted, unknown, UNMANAGED, VERIFIED };
    const sent = { adopted: FIRST, unknown: FIRST, UNMANAGED: FIRST, VERIFIED: SECOND, none: FIRST };
    expect(overwriting(records, sent)).to.deep.equal({ adopted: FIRST });
  });
});

describe("records: laws", () => {
  it("a refresh that finds the same once more changes nothing", () => {
    fc.assert(
      fc.property(anyKnown, maybe(anyValue), (before, reported) => {
        const once = refreshedBy(reported, before);
        expect(refreshedBy(reported, once)).to.deep.equal(once);
      }),
    );
  });

  it("a baseline stays, whatever becomes of the setting", () => {
    fc.assert(
      fc.property(anyKnown, anyValue, maybe(anyValue), (before, value, reported) => {
        const { baseline } = baselineOf(before);
        const after = [comparedWith(reported, value, before), uncertainOf(value, before)];
        const refreshed = refreshedBy(reported, before);
        for (const record of [...after, ...(isManaged(before) ? [refreshed] : [])]) {
          expect(baselineOf(record).baseline).to.equal(baseline);
        }
      }),
    );
  });

  it("a refresh never makes a setting managed, nor unmanaged", () => {
    fc.assert(
      fc.property(anyKnown, maybe(anyValue), (before, reported) => {
        expect(isManaged(refreshedBy(reported, before))).to.equal(isManaged(before));
      }),
    );
  });

  it("a refresh shows in state what the device has", () => {
    fc.assert(
      fc.property(anyKnown, anyValue, (before, reported) => {
        const after = refreshedBy(reported, before);
        expect(reportedOf(after)).to.equal(reported);
        // Only an adjusted or a kept value stays in state beside another one.
        const isBeside = isManaged(after) && ["adjusted", "kept"].includes(after.status);
        if (isManaged(after) && !isBeside) expect(after.value).to.equal(reported);
      }),
    );
  });

  /** One event of a setting: we send a value, or somebody else sets one and a refresh finds it. */
  type Event =
    | { readonly kind: "accepted" | "uncertain"; readonly value: number; readonly shown: "sent" | "before" | "nothing" }
    | { readonly kind: "foreign"; readonly value: number }
    | { readonly kind: "refresh"; readonly shown: "same" | "nothing" };
  const own = fc.integer({ min: 1, max: 3 });
  const foreign = fc.integer({ min: 11, max: 13 });
  const anyEvent: fc.Arbitrary<Event> = fc.oneof(
    fc.record({
      kind: fc.constantFrom("accepted" as const, "uncertain" as const),
      value: own,
      shown: fc.constantFrom("sent" as const, "before" as const, "nothing" as const),
    }),
    fc.record({ kind: fc.constant("foreign" as const), value: foreign }),
    fc.record({ kind: fc.constant("refresh" as const), shown: fc.constantFrom("same" as const, "nothing" as const) }),
  );

  it("a value that somebody else has set never counts as ours, so that a restore never overwrites it", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        const baseline = 0;
        const sent = new Set<Value>();
        let shown: Value | undefined = baseline;
        let record: Known | undefined = { status: "verified", value: baseline, baseline };
        for (const event of events) {
          if (event.kind === "foreign") {
            shown = event.value;
            record = refreshedBy(shown, record);
          } else if (event.kind === "refresh") {
            if (event.shown === "nothing") shown = undefined;
            record = refreshedBy(shown, record);
          } else {
            sent.add(event.value);
            const { kind, value } = event;
            if (event.shown !== "before") shown = event.shown === "sent" ? value : undefined;
            record = kind === "uncertain" ? uncertainOf(value, record) : comparedWith(shown, value, record);
          }
          if (!isManaged(record)) throw new Error("a managed setting became an unmanaged one");
          // An adopted value is the baseline, so nothing is sent to restore it.
          const strange = ourValues(record).filter(
            (value) => value !== undefined && value !== baseline && !sent.has(value),
          );
          expect(strange).to.deep.equal([]);
          if (event.kind === "foreign") expect(isOurs(record, event.value)).to.equal(false);
        }
      }),
    );
  });
});

describe("the baseline of a record", () => {
  it("is absent if it is not known", () => {
    expect(baselineOf({ status: "verified", value: FIRST })).to.deep.equal({});
    expect(baselineOf(UNMANAGED)).to.deep.equal({});
    expect(baselineOf(VERIFIED)).to.deep.equal(B);
  });
});

describe("a delete, as far as the last read shows", () => {
  const REPLACED: Readonly<Record<string, Managed>> = {
    "our value": { status: "verified", value: FIRST, ...B },
    "a value that the service has adjusted": { status: "adjusted", value: FIRST, reported: ROUNDED, ...B },
    "the baseline, which somebody has set again": { status: "drifted", value: BASELINE, ours: FIRST, ...B },
    "whatever a stale cache shows": { status: "pending", value: FIRST, reported: FOREIGN, ...B },
    "what an update of unknown outcome may have changed": {
      ...{ status: "uncertain", value: FIRST, sent: [FIRST], reported: FOREIGN },
      ...B,
    },
  };
  for (const [what, record] of Object.entries(REPLACED)) {
    it(`replaces ${what}`, () => {
      expect(isReplaceable(record)).to.equal(true);
    });
  }

  it("leaves somebody else's value, also one that the program has accepted since", () => {
    expect(isReplaceable({ status: "drifted", value: FOREIGN, ours: FIRST, ...B })).to.equal(false);
    expect(isReplaceable({ status: "verified", value: FOREIGN, ours: FIRST, ...B })).to.equal(false);
  });
});
