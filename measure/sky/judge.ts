import { AZIMUTH, type Findings, PEAK, TILT } from "./findings";
import { fitClock, misfit, outputAt } from "./fit";
import { type Folded, fold } from "./fold";
import type { Coordinates } from "./moments";
import { type Estimate, type Measurement, measurement, sum } from "./numbers";
import { angleBetween, type Panels, panelsOf, turn, vectorOf } from "./plane";

export const PANEL_SETTINGS = ["azimuth", "tilt", "peakPower"] as const;
export type PanelSetting = (typeof PANEL_SETTINGS)[number];

/** Usual mistakes in a declaration. Each is tested: would the declared roof agree without it? */
export type Mistake =
  | "azimuthFromSouth"
  | "eastWestSwapped"
  | "quarterTurn"
  | "tiltInRadians"
  | "peakInKilowatts"
  | "unitOfFile"
  | "halfThePanels";

/**
 * `notEnough`: the value is too uncertain to be compared, or a wrong clock explains the difference as well. `flat`: the
 * azimuth hardly matters, because the roof is nearly level. `notDeclared`: no declared value can be compared.
 */
export type PanelVerdict = "agrees" | "differs" | "notEnough" | "flat" | "notDeclared";

/** The comparison of declared panels with their output. Angles are in degrees, power in W. */
export interface Judgement {
  /** The verdict about each setting of the panels. `differs`: the declared value is certainly wrong. */
  readonly panels: { [Setting in PanelSetting]: PanelVerdict };
  /** The probable mistake in the declaration. */
  readonly mistake?: Mistake | undefined;
  readonly clearDays: number;
  /**
   * Absent without enough clear sky, and for several planes. The azimuth is absent if the roof is nearly flat, or if
   * the azimuth is too uncertain.
   */
  readonly measured?: { readonly [Setting in PanelSetting]?: Measurement };
  /**
   * The tilt, provided that the other declared values are right. Present if only this shows that the declared tilt is
   * wrong.
   */
  readonly tiltWithRest?: Measurement | undefined;
  /** The planes that together explain the output, if there are several. */
  readonly planes?: readonly Panels[];
  /** The one plane that replaces `planes`. Losses are shares of the energy of a clear year. */
  readonly folded?: Folded | undefined;
  /**
   * Present if declared values are not the measured ones, and also fit, provided that the file's times are this many
   * minutes late, or early if the number is negative.
   */
  readonly clock?: { readonly minutesLate: number };
}

/** A setting counts as wrong if it is off by more than this many standard deviations, and by more than its limit. */
const DEVIATIONS = 3;

/**
 * The limits: in degrees, or as the logarithm of a factor; and the largest standard deviation with which a setting is
 * compared.
 */
const LIMITS = {
  azimuth: { least: 15, uncertain: 22.5 },
  tilt: { least: 10, uncertain: 15 },
  // Three times 0.18 in the logarithm is a factor of 1.72. Larger deviations are too uncertain.
  peakPower: { least: Math.log(1.3), uncertain: 0.18 },
};

/** Up to this declared tilt, in degrees, the azimuth hardly matters. */
const FLAT = 8;

/**
 * Up to this measured tilt, in degrees, the azimuth hardly matters. It is lower than the declared one, because a
 * measured tilt is uncertain.
 */
export const NEARLY_FLAT = 4;

/**
 * The declared and the measured planes, each as one vector, count as different roofs from this angle on, in degrees.
 */
const ANOTHER_DIRECTION = 25;

/**
 * A clock explains a difference if its misfit is at most this many times that of the measured roof: `any`, or `hours` if
 * it is off by one or two hours and so many `minutes`, as zones and daylight saving are; and more if the clear samples
 * are few. Then, as in hourly files, an azimuth that is wrong by 20° looks like a wrong clock.
 */
const AS_WELL = { any: 1.03, hours: 1.2, minutes: 8, few: 10 };

/**
 * The largest and the smallest error of a clock that counts as the cause of a difference. A longitude with the wrong sign
 * is such an error too, of 4 minutes for each degree.
 */
const CLOCK = { mostMinutes: 200, leastMinutes: 10 };

/** Uncertainty of two measured planes as one, from 24 roofs: in degrees, and as a share of the peak power. */
export const FOLD_UNCERTAINTY = { azimuth: 25, tilt: 10, peakPower: 0.3 };

/** Whether all values of panels are declared. */
export function isWhole(panels: Partial<Panels>): panels is Panels {
  return PANEL_SETTINGS.every((setting) => panels[setting] !== undefined);
}

/**
 * Judges declared panels according to their output. The declared values do not take part in the fit: otherwise they
 * would confirm themselves.
 * @param declaredPlanes the planes that the declared panels replace
 */
export function judge(
  declared: Partial<Panels>,
  findings: Findings,
  place: Coordinates,
  declaredPlanes: readonly Panels[] = [],
): Judgement {
  const { clearDays } = findings;
  const verdicts = (of: (setting: PanelSetting, value: number) => PanelVerdict) => {
    const all = PANEL_SETTINGS.map((setting) => {
      const value = declared[setting];
      return [setting, value === undefined ? "notDeclared" : of(setting, value)] as const;
    });
    return Object.fromEntries(all) as Judgement["panels"];
  };
  if (findings.kind === "notEnough") return { panels: verdicts(() => "notEnough"), clearDays };
  const whole = declaredPlanes.length > 1 ? declaredPlanes : [declared].filter(isWhole);
  const isApart = whole.length > 0 && areApart(whole, findings);
  if (findings.kind === "severalPlanes") {
    const { planes } = findings;
    const folded = fold(planes, place.latitude);
    const areSame = declaredPlanes.length === planes.length;
    const all = isWhole(declared)
      ? [...planesDiffer([declared], [folded]), ...(areSame ? planesDiffer(declaredPlanes, planes) : [])]
      : [];
    const found = new Set(isApart && all.length === 0 ? ["peakPower"] : all);
    const isLow = Math.min(declared.tilt ?? folded.tilt, folded.tilt) <= FOLD_UNCERTAINTY.tilt;
    // A smaller difference than one that certainly shows another roof is no agreement yet.
    const ofOne = (setting: PanelSetting, value: number): PanelVerdict => {
      if (areSame) return "agrees";
      if (setting === "azimuth" && isLow) return "flat";
      return distanceOf(setting, value, folded[setting]) > FOLD_UNCERTAINTY[setting] ? "notEnough" : "agrees";
    };
    const shown = planes.map((one) => ({
      azimuth: Math.round(one.azimuth),
      tilt: Math.round(one.tilt),
      peakPower: Math.round(one.peakPower),
    }));
    return {
      panels: verdicts((setting, value) => (found.has(setting) ? "differs" : ofOne(setting, value))),
      clearDays,
      planes: shown,
      folded,
    };
  }
  const { azimuth, tilt, peakPower } = findings;
  const own = verdicts((setting, value) =>
    setting === "azimuth" && isLevel(declared, findings) ? "flat" : panelVerdict(setting, value, findings[setting]),
  );
  const withRest = isWhole(declared) ? tiltWithRest(declared, findings, own) : undefined;
  if (withRest) own.tilt = "differs";
  // The curves have little in common: the setting that is furthest from the measured one counts as the reason.
  if (isApart && wrongPanels({ panels: own }).length === 0) {
    const off = (setting: PanelSetting) => offOf(setting, declared[setting] as number, findings);
    const [worst] = PANEL_SETTINGS.toSorted((a, b) => off(b) - off(a));
    own[worst as PanelSetting] = "differs";
  }
  // Even an uncertain azimuth distinguishes north from south. Without this, a roof that faces the other way would
  // agree.
  const isClear = azimuth.deviation <= LIMITS.azimuth.uncertain && tilt.value > NEARLY_FLAT;
  const showsAzimuth = isClear || own.azimuth === "differs";
  const wrong = wrongPanels({ panels: own });
  const late = wrong.length > 0 ? lateOf(declared, declaredPlanes, findings, own.azimuth) : undefined;
  // A wrong clock turns the roof, and tilts it too. Without this, each such file would blame the declaration.
  const isRight = late && distanceOf("peakPower", 1, late.factor) <= limitOf("peakPower", peakPower.deviation);
  const unclear = wrong.filter((setting) => (setting === "peakPower" ? isRight : late));
  for (const setting of unclear) own[setting] = "notEnough";
  const mistake = mistakeOf(declared, findings, wrongPanels({ panels: own }));
  return {
    panels: own,
    ...(mistake && { mistake }),
    clearDays,
    measured: {
      ...(showsAzimuth && { azimuth: measurement(azimuth.value, azimuth.deviation, 1) }),
      tilt: measurement(tilt.value, tilt.deviation, 1),
      peakPower: measurement(peakPower.value, peakPower.deviation * peakPower.value),
    },
    ...(withRest && own.tilt === "differs" && { tiltWithRest: measurement(withRest.value, withRest.deviation, 1) }),
    ...(late && unclear.length > 0 && { clock: { minutesLate: Math.round(-late.shift) } }),
  };
}

/**
 * Whether the azimuth hardly matters. A roof that is declared as level is compared as a direction, because its azimuth
 * alone means little.
 */
function isLevel(declared: Partial<Panels>, { azimuth, tilt }: OnePlane): boolean {
  if (tilt.value <= NEARLY_FLAT) return true;
  if (!isWhole(declared) || declared.tilt > FLAT) return false;
  const measured = vectorOf({ azimuth: azimuth.value, tilt: tilt.value, peakPower: 1 });
  return angleBetween(vectorOf(declared), measured) <= limitOf("tilt", tilt.deviation);
}

/** The settings of a roof that differ. */
export function wrongPanels({ panels }: Pick<Judgement, "panels">): PanelSetting[] {
  return PANEL_SETTINGS.filter((setting) => panels[setting] === "differs");
}

/**
 * Compares a declared setting with the measured one.
 * @param measured the measured value; for a peak power, its deviation is a share of it
 */
export function panelVerdict(setting: PanelSetting, declared: number, measured: Estimate): PanelVerdict {
  if (distanceOf(setting, declared, measured.value) > limitOf(setting, measured.deviation)) return "differs";
  return measured.deviation > LIMITS[setting].uncertain ? "notEnough" : "agrees";
}

function distanceOf(setting: PanelSetting, declared: number, measured: number): number {
  if (setting === "peakPower") return Math.abs(Math.log(declared / measured));
  return Math.abs(setting === "azimuth" ? turn(measured, declared) : declared - measured);
}

/** The smallest error that counts as wrong. */
function limitOf(setting: PanelSetting, deviation: number): number {
  return Math.max(LIMITS[setting].least, DEVIATIONS * deviation);
}

/** If two curves have less than this share in common, they are of different roofs, whatever the ± of an angle is. */
const LEAST_IN_COMMON = 0.5;

/**
 * Whether declared planes, under the measured clear skies, would have hardly any power in common with the measured one.
 */
function areApart(planes: readonly Panels[], { measured, fit }: Exclude<Findings, { kind: "notEnough" }>): boolean {
  const { power, scale } = measured.series;
  const vectors = planes.map((plane) => vectorOf({ ...plane, peakPower: plane.peakPower / scale }));
  const declared = outputAt(measured, { planes: vectors, conditions: fit.conditions }, fit.samples);
  const own = Float64Array.from(fit.samples, (sample) => power[sample] as number);
  const common = sum(declared.map((one, i) => Math.min(one, own[i] as number)));
  return common < LEAST_IN_COMMON * sum(declared.map((one, i) => Math.max(one, own[i] as number)));
}

type OnePlane = Extract<Findings, { kind: "onePlane" }>;

/** The error of a setting, relative to its limit: above 1, the setting is wrong. */
function offOf(setting: PanelSetting, declared: number, findings: OnePlane): number {
  const { value, deviation } = findings[setting];
  return distanceOf(setting, declared, value) / limitOf(setting, deviation);
}

/**
 * The tilt, provided that the other declared values are right; undefined if the declared tilt agrees with it. Without
 * this, a series of winter would accept a roof that is 20° too flat, although such a roof would need another peak power
 * or azimuth than the declared one.
 */
function tiltWithRest(declared: Panels, findings: OnePlane, panels: Judgement["panels"]): Estimate | undefined {
  if (panels.tilt === "differs" || panels.peakPower === "differs") return undefined;
  const { peakPower, azimuth, tilt } = findings;
  const differences = [Math.log(declared.peakPower / peakPower.value), turn(azimuth.value, declared.azimuth)];
  let { covariances } = findings;
  let moves: readonly number[] = [0, 0, 0];
  for (const place of panels.azimuth === "agrees" ? [PEAK, AZIMUTH] : [PEAK]) {
    const row = covariances[place] as readonly number[];
    const gains = row.map((covariance) => covariance / (row[place] as number));
    const surprise = (differences[place] as number) - (moves[place] as number);
    moves = moves.map((move, j) => move + (gains[j] as number) * surprise);
    covariances = covariances.map((own, j) => own.map((value, k) => value - (gains[j] as number) * (row[k] as number)));
  }
  const value = tilt.value + (moves[TILT] as number);
  const deviation = Math.sqrt(covariances[TILT]?.[TILT] as number);
  return panelVerdict("tilt", declared.tilt, { value, deviation }) === "differs" ? { value, deviation } : undefined;
}

/** The repairs of each mistake: functions from the declared value to the right one. */
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
    ["halfThePanels", (value) => value * 0.5],
    // The numbers of the file are in another unit, or the energy of 15 or 5 minutes.
    ...[1 / 1000, 4, 1 / 4, 12].map((factor) => ["unitOfFile", (value: number) => value * factor] as const),
  ],
};

/** No roof has less peak power, in W. If a declared one is not smaller, the numbers of the file can be in a wrong unit too. */
const LEAST_PEAK = 150;

/**
 * A repair is the cause of a wrong value if the measured one is within the limit around it: otherwise, the repaired value
 * would differ too. With its ±, it is this many limits around it at most: otherwise, any cause would explain an uncertain
 * value.
 */
const LIKELY = 2;

/**
 * A repaired value must be this many times nearer to the measured one than the declared value is. Without this, a
 * measured 6.5 kW would count as half of a declared 10 kW.
 */
const NEARER = 3;

/**
 * Smallest angle between a bearing and its mirror image, in degrees, from which a swap of east and west is suggested.
 * Near south the angle is small, so the cause is another one.
 */
const SMALLEST_TURN = 30;

/** The only mistake that explains a wrong setting. If several do, the comparison cannot tell which. */
function mistakeOf(
  declared: Partial<Panels>,
  findings: OnePlane,
  differs: readonly PanelSetting[],
): Mistake | undefined {
  const found = differs.flatMap((setting) => {
    const { value: measured, deviation } = findings[setting];
    return REPAIRS[setting].flatMap(([mistake, repair]) => {
      const value = declared[setting] as number;
      const isSmall = setting === "azimuth" && Math.abs(turn(value, repair(value))) < SMALLEST_TURN;
      const off = distanceOf(setting, repair(value), measured);
      const isFar = NEARER * off > distanceOf(setting, value, measured);
      const { least } = LIMITS[setting];
      return isSmall || isFar || off > least || off + 2 * deviation > LIKELY * least ? [] : [mistake];
    });
  });
  const [only, ...others] = new Set(found);
  if (others.length > 0) return undefined;
  return only === "peakInKilowatts" && (declared.peakPower ?? 0) >= LEAST_PEAK ? "unitOfFile" : only;
}

/** The clock, if the declared direction is right; undefined if no clock explains the difference. */
function lateOf(
  declared: Partial<Panels>,
  planes: readonly Panels[],
  { measured, fit, ...found }: OnePlane,
  azimuth: PanelVerdict,
) {
  // The measured values stand for those that are not declared.
  const [one] = fit.planes.map(panelsOf) as [Panels];
  const peakPower = found.peakPower.value;
  const all = planes.length > 1 ? planes : [{ ...one, peakPower, ...declared }];
  const own = fitClock(measured, fit, all, { isTurning: declared.azimuth === undefined });
  const minutes = Math.abs(own.shift);
  // A clock turns a roof more than it tilts it.
  const isOfHours = azimuth === "differs" && [60, 120].some((hours) => Math.abs(minutes - hours) <= AS_WELL.minutes);
  const most = (isOfHours ? AS_WELL.hours : AS_WELL.any) + AS_WELL.few / fit.samples.length;
  const isPossible = minutes <= CLOCK.mostMinutes && minutes >= CLOCK.leastMinutes;
  return isPossible && own.misfit < most * misfit(measured, fit, fit.samples) ? own : undefined;
}

/**
 * The wrong settings of declared planes, compared with as many measured ones, or of one with several folded into one.
 * The limits are wide, because such a measurement is uncertain.
 */
function planesDiffer(declared: readonly Panels[], measured: readonly Panels[]): PanelSetting[] {
  const inOrder = (planes: readonly Panels[]) => planes.map((plane, i) => [plane, measured[i] as Panels] as const);
  const distance = (pairs: ReturnType<typeof inOrder>) =>
    pairs.reduce((sum, [a, b]) => sum + angleBetween(vectorOf(a), vectorOf(b)), 0);
  const [nearest] = [inOrder(declared), inOrder(declared.toReversed())].toSorted((a, b) => distance(a) - distance(b));
  const total = sum(measured.map(({ peakPower }) => peakPower));
  // A fit can give light of one plane to the other, so both the share and the size of a difference decide.
  const isOther = (one: Panels, own: Panels) =>
    Math.abs(Math.log(one.peakPower / own.peakPower)) > Math.log(1.5) &&
    Math.abs(one.peakPower - own.peakPower) > OF_TOTAL * total;
  const pairs = nearest ?? [];
  const turned = pairs.flatMap(([plane, own]) => directionDiffers(plane, own));
  return (turned.length === 0 || pairs.length === 1) && pairs.some(([plane, own]) => isOther(plane, own))
    ? [...turned, "peakPower"]
    : turned;
}

/** Smallest difference of a plane's peak power that counts, as a share of the peak power of all planes. */
const OF_TOTAL = 0.2;

/** The setting because of which panels face another direction, if they do: the azimuth, otherwise the tilt. */
function directionDiffers(declared: Panels, measured: Panels): PanelSetting[] {
  if (angleBetween(vectorOf(declared), vectorOf(measured)) <= ANOTHER_DIRECTION) return [];
  const isSteep = Math.min(declared.tilt, measured.tilt) > FLAT;
  const isTurned = Math.abs(turn(declared.azimuth, measured.azimuth)) > ANOTHER_DIRECTION;
  return [isSteep && isTurned ? "azimuth" : "tilt"];
}
