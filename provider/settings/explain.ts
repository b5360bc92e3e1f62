import type { NumberSetting } from "./setting";

/** What is wrong with `value` as this setting and what was probably meant, or undefined where it is in range. */
export function outOfRange(setting: NumberSetting, value: number): string | undefined {
  const { unit, minimum, maximum } = setting;
  if (value >= minimum && value <= maximum) return undefined;
  const reason =
    value < minimum ? `${value} ${unit} is below ${minimum} ${unit}` : `${value} ${unit} is above ${maximum} ${unit}`;
  const whose = setting.source === "our choice" ? " (our choice, the service documents no range)" : "";
  return [reason + whose, setting.explain?.(value), kiloHint(setting, value)].filter(Boolean).join("; ");
}

/** Says what a negative azimuth would be as a compass bearing in the conventions of the usual solar services. */
export function bearingHint(value: number): string {
  const compass = (degrees: number) => tidy(((degrees % 360) + 360) % 360);
  const meaning = "azimuth is a compass bearing (0 north, 90 east, clockwise)";
  if (value > 0 || value < -360) return meaning;
  return (
    `${meaning}: write ${compass(180 + value)} if it was counted from south with east negative ` +
    `(forecast.solar, PVGIS, Open-Meteo), ${compass(-value)} if from north with east negative (Solcast), ` +
    `${compass(value)} if clockwise from north`
  );
}

function kiloHint({ unit, minimum, maximum }: NumberSetting, value: number): string | undefined {
  const scaled = tidy(value * 1000);
  return unit !== "degrees" && value < minimum && scaled >= minimum && scaled <= maximum
    ? `${value} k${unit} is ${scaled}`
    : undefined;
}

/** Without the digits that only binary fractions bring. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
