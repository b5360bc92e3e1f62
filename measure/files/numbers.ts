/** The usual form, which is read four times as fast. */
const PLAIN = /^-?\d+(\.\d+)?$/;
const WITH_COMMA = /^[-+]?\d[\d.\s']*,\d+$/;
const WITH_POINT = /^[-+]?\d[\d,\s']*\.\d+/;
/** `1.533`: 1533 in German, 1.533 in English. */
const IN_THOUSANDS = /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/;

/**
 * The function that reads the cells of a column. Empty cells and texts such as `unavailable` give NaN. All texts of the
 * column together decide whether a comma or a point is decimal: `5,720` is 5720 if another cell has a decimal point,
 * such as `5.5`; otherwise it is 5.72. In a file with commas between the columns, it is 5.72 only if some cell cannot
 * have thousands, such as `5,72`.
 * @param isWhole whether the numbers have no decimals, because their unit is small: W, not kW
 */
export function numberReader(
  samples: readonly string[],
  delimiter: string,
  { isWhole = false } = {},
): (text: string) => number {
  const texts = samples.map((text) => text.trim());
  const commas = texts.filter((text) => WITH_COMMA.test(text));
  const points = texts.filter((text) => WITH_POINT.test(text) && !WITH_COMMA.test(text));
  const cannotBeThousands = commas.some((text) => !/,\d{3}$/.test(text) || /^[-+]?0\d*,/.test(text));
  const isDecimal = commas.length > 0 && points.length === 0 && (delimiter !== "," || cannotBeThousands);
  const areThousands =
    points.length > 0 &&
    commas.length === 0 &&
    delimiter !== "," &&
    points.every((text) => IN_THOUSANDS.test(text)) &&
    (isWhole || points.length < 0.9 * texts.filter((text) => Math.abs(Number(text)) >= 1).length);
  return (text) => {
    if (!isDecimal && !areThousands && PLAIN.test(text)) return Number(text);
    const plain = text.trim().replace(/[\s'\u00a0]/g, "");
    const number = isDecimal || areThousands ? plain.replace(/\./g, "").replace(",", ".") : plain.replace(/,/g, "");
    return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(number) ? Number(number) : Number.NaN;
  };
}
