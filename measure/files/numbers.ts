/** The usual form, which is read four times as fast. */
const PLAIN = /^-?\d+(\.\d+)?$/;
const WITH_COMMA = /^[-+]?\d[\d.\s']*,\d+$/;
const WITH_POINT = /^[-+]?\d[\d,\s']*\.\d+/;
/** `1.533`, as Germans write 1533, or others 1.533. */
const IN_THOUSANDS = /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/;

/**
 * The reader of a column, with NaN for empty cells and texts such as `unavailable`. The column's texts decide the meaning
 * of a comma and of a point. `5,720` is 5720 if another cell has a decimal point, such as `5.5`. Otherwise it is 5.72, but
 * in a file whose columns commas separate only if some cell cannot have thousands, such as `5,72`.
 * @param isWhole whether the numbers have no decimals as far as their unit says: W, not kW
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
