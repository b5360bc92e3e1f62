import { expect } from "chai";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import type { Session } from "../../../measure/sky/sessions";
import { type Circumstances, EXPORTS, randomOf, simulatedCar } from "../../support/charging";
import { sessionsOf } from "../../support/exports";

/** Defects that users reported of real exports, each with the circumstances of the car. */
interface Defect {
  readonly form: keyof typeof EXPORTS;
  readonly circumstances?: Circumstances;
  readonly damage?: (sessions: readonly Session[], random: () => number) => Session[];
}

const some = (
  sessions: readonly Session[],
  chance: () => boolean,
  change: (one: Session) => Session | Session[],
): Session[] => sessions.flatMap((one) => (chance() ? change(one) : [one]));

/** The rows of a session in three parts. The energy in the battery counts from plugging in. */
function parts(one: Session): Session[] {
  const { start, end, from = 0, to = 0, hours = 0, drawn = 0, added = 0 } = one;
  const levels = [0, 0.4, 0.7, 1].map((share) => Math.round(from + share * (to - from)));
  return levels.slice(1).map((level, i) => {
    const [begin, until] = [levels[i] as number, level].map((each) => (each - from) / (to - from)) as [number, number];
    const at = (share: number) => Math.round(start + share * (end - start));
    const share = until - begin;
    return {
      ...{ ...one, start: at(begin) + 60 * i, end: at(until) + 60 * i, from: levels[i] as number, to: level },
      ...{ hours: hours * share, drawn: drawn * share, added: added * until },
    };
  });
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  "evcc: rows with 400 kWh and more": {
    form: "evcc",
    damage: (sessions, random) =>
      some(
        sessions,
        () => random() < 0.1,
        (one) => ({ ...one, drawn: 400_000 + 100_000 * random() }),
      ),
  },
  "evcc: sessions that were written twice": {
    form: "evcc",
    damage: (sessions, random) =>
      some(
        sessions,
        () => random() < 0.3,
        (one) => [one, { ...one, start: one.start + 20 }],
      ),
  },
  "evcc: a start state of charge from before the last drive": { form: "evcc", circumstances: { old: 0.2 } },
  "TeslaMate: less drawn than added": {
    form: "TeslaMate",
    damage: (sessions, random) =>
      some(
        sessions,
        () => random() < 0.3,
        (one) => ({ ...one, drawn: 0.9 * (one.added ?? 0) }),
      ),
  },
  "TeslaMate: far too little added": {
    form: "TeslaMate",
    damage: (sessions, random) =>
      some(
        sessions,
        () => random() < 0.05,
        (one) => ({ ...one, added: 0.1 * (one.added ?? 0) }),
      ),
  },
  "TeslaMate: split sessions that repeat the energy since plugging in": {
    form: "TeslaMate",
    damage: (sessions, random) => some(sessions, () => random() < 0.4, parts),
  },
  "go-e: a session that a reset splits": {
    form: "go-e",
    damage: (sessions, random) => some(sessions, () => random() < 0.3, parts),
  },
};

describe("defects of real exports", () => {
  for (const [name, { form, circumstances, damage }] of Object.entries(DEFECTS)) {
    it(`leave the estimates right: ${name}`, () => {
      for (let seed = 200; seed < 220; seed++) {
        const car = simulatedCar(seed, { car: "Blue car", ...circumstances });
        const random = randomOf(seed);
        const { sessions } = sessionsOf(EXPORTS[form](damage?.(car.sessions, random) ?? car.sessions));
        const capacity = capacityOf(sessions);
        if (capacity.kind === "measured")
          expect(Math.abs(capacity.value / car.capacity - 1), `capacity, seed ${seed}`).to.be.at.most(
            2 * capacity.deviation,
          );
        else expect(form, `${seed} ${JSON.stringify(capacity)}`).to.equal("go-e");
        const power = chargePowerOf(sessions);
        expect(power.kind, `power, seed ${seed}`).to.equal("measured");
        if (power.kind === "measured")
          expect(Math.abs(power.value / car.power - 1), `power, seed ${seed}`).to.be.at.most(2 * power.deviation);
      }
    });
  }
});
