import { valueInWords } from "../../provider/settings/valueWords";

/** Whether a text shows a baseline in words: `maxCapacity was 60 kWh, policy CHARGE BY`. */
export function showsBaseline(text: string, key: string, value: unknown): boolean {
  const words = valueInWords(key, value);
  return [`${key} was ${words}`, `, ${key} ${words}`].some((shown) =>
    // Without an end, CHARGE BY would be found in CHARGE BY FORECAST.
    [",", ".", "\n"].some((end) => `${text}\n`.includes(shown + end)),
  );
}
