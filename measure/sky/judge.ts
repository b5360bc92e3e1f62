import { AZIMUTH, type Estimate, type Findings, PEAK, TILT } from "./findings";
import { fitClock, misfit } from "./fit";
import { type Folded, fold } from "./fold";
import type { Coordinates } from "./moments";
import { angleBetween, type Panels, turn, vectorOf } from "./plane";

/** A measured value, and twice its standard deviation: the truth is within it in 19 of 20 cases. */
export interface Measurement {
  readonly value: number;
  readonly uncertainty: number;
}

export const PANEL_SETTINGS = ["azimuth", "tilt", "peakPower"] as const;
export type PanelSetting = (typeof PANEL_SETTINGS)[number];

/** Usual mistakes in a declaration. Each is tested: would the declared roof agree without it? */
export const MISTAKES = [
  "azimuthFromSouth",
  "eastWestSwapped",
  "quarterTurn",
  "tiltInRadians",
  "peakInKilowatts",
  "peakInMilliwatts",
  "peakOfQuarterHours",
  "peakOfFiveMinutes",
  "energyForPower",
  "halfThePanels",
] as const;
export type Mistake = (typeof MISTAKES)[number];

/** The comparison of declared panels with their output. Angles are in degrees, power in W. */
export interface Judgement {
  /** `notEnough`: too few clear days, or the azimuth is too uncertain to be compared; `severalPlanes`: several planes produce, and one is declared. */
  readonly verdict: "agrees" | "differs" | "notEnough" | "severalPlanes";
  /** The settings that are wrong beyond doubt. */
  readonly differs: readonly PanelSetting[];
  readonly mistake?: Mistake;
  readonly clearDays: number;
  /** It has no azimuth if the roof is nearly flat, or if its azimuth is too uncertain. */
  readonly measured?: Readonly<Partial<Record<PanelSetting, Measurement>>>;
  /** The tilt if the other declared values are right. It is present if only this shows that the declared tilt is wrong. */
  readonly tiltWithRest?: Measurement;
  /** The planes that together explain the output, if there are several. */
  readonly planes?: readonly Panels[];
  /** These planes as one. */
  readonly folded?: Folded;
  /** The declared roof fits as well if the times are that many minutes late (early, if it is negative). */
  readonly clock?: { readonly minutesLate: number };
}

/**
 * Limits from which a setting counts as wrong: this many standard deviations, and at least this many degrees or this
 * factor of the peak power.
 */
const WRONG = { deviations: 3, azimuth: 15, tilt: 10, peakPower: 1.3 };

/** Up to this declared tilt, in degrees, the azimuth hardly matters. */
const FLAT = 8;

/** The same for a measured tilt, which is uncertain itself. */
export const NEARLY_FLAT = 4;

/** Largest uncertainty, ± in degrees, of an azimuth that is shown. */
const MOST_UNCERTAIN = 45;

/** Angle in degrees from which the declared and the measured planes, each as one vector, count as different roofs. */
const ANOTHER_DIRECTION = 25;

/** Another explanation is as good as the measured roof up to this multiple of the roof's misfit. */
const AS_WELL = 1.1;

/** The largest and the smallest error of a clock that counts as the cause of a difference. */
const CLOCK = { mostMinutes: 75, leastMinutes: 5 };

/**
 * Judges declared panels according to their output. The declaration has no part in the fit: it would confirm itself.
 * @param declaredPlanes the planes that the declared panels stand for
 */
export function judge(
  declared: Panels,
  findings: Findings,
  place: Coordinates,
  declaredPlanes: readonly Panels[] = [],
): Judgement {
  const { clearDays } = findings;
  if (findings.kind === "notEnough") return { verdict: "notEnough", differs: [], clearDays };
  if (findings.kind === "severalPlanes") {
    const { planes } = findings;
    const folded = fold(planes, place.latitude);
    const found = new Set([...foldDiffers(declared, folded), ...planesDiffer(declaredPlanes, planes)]);
    const differs = PANEL_SETTINGS.filter((setting) => found.has(setting));
    const verdict = declaredPlanes.length < 2 ? "severalPlanes" : differs.length > 0 ? "differs" : "agrees";
    return { verdict, differs, clearDays, planes, folded };
  }
  const { azimuth, tilt, peakPower } = findings;
  const panels = declaredPlanes.length > 1 ? declaredPlanes : [declared];
  const isCertain = 2 * azimuth.deviation <= MOST_UNCERTAIN;
  const off = offOf(declared, findings);
  // Also an uncertain azimuth tells north from south. Without this, a roof that faces the other way would agree.
  const hasAzimuth = tilt.value > NEARLY_FLAT && declared.tilt > FLAT;
  const withRest =
    off.tilt > 1 || off.peakPower > 1
      ? undefined
      : tiltWithRest(declared, findings, hasAzimuth && isCertain && off.azimuth <= 1 ? [PEAK, AZIMUTH] : [PEAK]);
  const tests: Readonly<Record<PanelSetting, boolean>> = {
    azimuth: hasAzimuth && off.azimuth > 1,
    tilt: off.tilt > 1 || withRest !== undefined,
    peakPower: off.peakPower > 1,
  };
  const differs = PANEL_SETTINGS.filter((setting) => tests[setting]);
  const mistake = mistakeOf(declared, findings, differs);
  const minutesLate = differs.includes("azimuth") ? lateOf(panels, findings) : undefined;
  const showsAzimuth = (isCertain && tilt.value > NEARLY_FLAT) || tests.azimuth;
  return {
    // Only a declaration that was compared as a whole agrees.
    verdict: differs.length > 0 ? "differs" : hasAzimuth && !isCertain ? "notEnough" : "agrees",
    differs,
    ...(mistake && { mistake }),
    clearDays,
    measured: {
      ...(showsAzimuth && { azimuth: { value: azimuth.value, uncertainty: 2 * azimuth.deviation } }),
      tilt: { value: tilt.value, uncertainty: 2 * tilt.deviation },
      peakPower: { value: peakPower.value, uncertainty: 2 * peakPower.deviation * peakPower.value },
    },
    ...(withRest && { tiltWithRest: { value: withRest.value, uncertainty: 2 * withRest.deviation } }),
    ...(minutesLate !== undefined && { clock: { minutesLate } }),
  };
}

type OnePlane = Extract<Findings, { kind: "onePlane" }>;

/** The error of each setting: above 1, it is wrong. */
function offOf(declared: Panels, { azimuth, tilt, peakPower }: OnePlane): Readonly<Record<PanelSetting, number>> {
  return {
    azimuth: Math.abs(turn(declared.azimuth, azimuth.value)) / limitOf(WRONG.azimuth, azimuth.deviation),
    tilt: Math.abs(declared.tilt - tilt.value) / limitOf(WRONG.tilt, tilt.deviation),
    peakPower:
      Math.abs(Math.log(declared.peakPower / peakPower.value)) /
      limitOf(Math.log(WRONG.peakPower), peakPower.deviation),
  };
}

/** The smallest error that counts as wrong. */
function limitOf(least: number, deviation: number): number {
  return Math.max(least, WRONG.deviations * deviation);
}

/**
 * The tilt if other declared values are right; undefined if the declared tilt fits it. Without this, a series of winter
 * would accept a roof that is 20° too flat: it would need a peak power or an azimuth that the declared one excludes.
 * @param known the places of the values that are right
 */
function tiltWithRest(declared: Panels, findings: OnePlane, known: readonly number[]): Estimate | undefined {
  const { peakPower, azimuth, tilt } = findings;
  const differences = [Math.log(declared.peakPower / peakPower.value), turn(azimuth.value, declared.azimuth)];
  let { covariances } = findings;
  let moves: readonly number[] = [0, 0, 0];
  for (const place of known) {
    const row = covariances[place] as readonly number[];
    const gains = row.map((covariance) => covariance / (row[place] as number));
    const surprise = (differences[place] as number) - (moves[place] as number);
    moves = moves.map((move, j) => move + (gains[j] as number) * surprise);
    covariances = covariances.map((own, j) => own.map((value, k) => value - (gains[j] as number) * (row[k] as number)));
  }
  const value = tilt.value + (moves[TILT] as number);
  const deviation = Math.sqrt(covariances[TILT]?.[TILT] as number);
  return Math.abs(declared.tilt - value) > limitOf(WRONG.tilt, deviation) ? { value, deviation } : undefined;
}

/** The repair of each mistake: from the declared value to the right one. */
const REPAIRS: Readonly<Record<PanelSetting, readonly (readonly [Mistake, (value: number) => number])[]>> = {
  azimuth: [
    ["azimuthFromSouth", (value) => value + 180],
    ["eastWestSwapped", (value) => 360 - value],
    ["quarterTurn", (value) => value + 90],
    ["quarterTurn", (value) => value - 90],
  ],
  tilt: [["tiltInRadians", (value) => (value * 180) / Math.PI]],
  peakPower: [
    ["peakInKilowatts", (value) => value * 1000],
    ["peakInMilliwatts", (value) => value / 1000],
    ["halfThePanels", (value) => value * 0.5],
    ["peakOfQuarterHours", (value) => value * 4],
    ["energyForPower", (value) => value / 4],
    ["peakOfFiveMinutes", (value) => value * 12],
  ],
};

/**
 * Largest error that may remain in a setting after the repair of a mistake, relative to the limit of a wrong one. With
 * a larger one, the mistake is not named.
 */
const LIKELY = 1.5;

/**
 * Smallest turn between a bearing and its mirror image, in degrees, that suggests swapped east and west. Near south the
 * turn is small, so the cause is another one.
 */
const SMALLEST_TURN = 30;

/** The mistake that explains a wrong setting best. */
function mistakeOf(declared: Panels, findings: OnePlane, differs: readonly PanelSetting[]): Mistake | undefined {
  const found = differs.flatMap((setting) =>
    REPAIRS[setting].flatMap(([mistake, repair]) => {
      const repaired = repair(declared[setting]);
      const isSmall = setting === "azimuth" && Math.abs(turn(declared.azimuth, repaired)) < SMALLEST_TURN;
      return isSmall ? [] : [{ mistake, off: offOf({ ...declared, [setting]: repaired }, findings)[setting] }];
    }),
  );
  const [best] = found.filter(({ off }) => off <= LIKELY).sort((a, b) => a.off - b.off);
  return best?.mistake;
}

/** The minutes that the times would be late if the declared direction were right; undefined if no clock explains it. */
function lateOf(declared: readonly Panels[], { measured, fit }: OnePlane): number | undefined {
  const own = fitClock(measured, fit, declared);
  const isPossible = Math.abs(own.shift) <= CLOCK.mostMinutes && Math.abs(own.shift) >= CLOCK.leastMinutes;
  return isPossible && own.misfit < AS_WELL * misfit(measured, fit, fit.samples) ? Math.round(-own.shift) : undefined;
}

/**
 * The wrong settings of a declaration, compared with several planes folded into one. The limits are wide, because such
 * a measurement is uncertain.
 */
function foldDiffers(declared: Panels, folded: Panels): PanelSetting[] {
  const isOther = Math.abs(Math.log(declared.peakPower / folded.peakPower)) > Math.log(1.5);
  return [...directionDiffers(declared, folded), ...(isOther ? (["peakPower"] as const) : [])];
}

/**
 * The wrong settings of two declared planes, compared with the two measured ones. More than two are only judged as one.
 */
function planesDiffer(declared: readonly Panels[], measured: readonly Panels[]): PanelSetting[] {
  if (declared.length !== measured.length) return [];
  const inOrder = (planes: readonly Panels[]) => planes.map((plane, i) => [plane, measured[i] as Panels] as const);
  const distance = (pairs: ReturnType<typeof inOrder>) =>
    pairs.reduce((sum, [a, b]) => sum + angleBetween(vectorOf(a), vectorOf(b)), 0);
  const [nearest] = [inOrder(declared), inOrder(declared.toReversed())].toSorted((a, b) => distance(a) - distance(b));
  return (nearest ?? []).flatMap(([plane, own]) => directionDiffers(plane, own));
}

/** The setting that makes panels face another direction, if they do: the azimuth, otherwise the tilt. */
function directionDiffers(declared: Panels, measured: Panels): PanelSetting[] {
  if (angleBetween(vectorOf(declared), vectorOf(measured)) <= ANOTHER_DIRECTION) return [];
  const isSteep = Math.min(declared.tilt, measured.tilt) > FLAT;
  const isTurned = Math.abs(turn(declared.azimuth, measured.azimuth)) > ANOTHER_DIRECTION;
  return [isSteep && isTurned ? "azimuth" : "tilt"];
}
