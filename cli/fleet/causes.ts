/** Why devices of a site failed. */
export interface Causes {
  /** By label of the device, such as `vehicle/van`. */
  readonly named: ReadonlyMap<string, string>;
  /** That of the devices which no line names. */
  readonly other: string | undefined;
}

/**
 * Reads the lines in which a site says why it failed: each begins with the labels of its devices, as in
 * `vehicle/van, vehicle/bus: HTTP 503`. Of many devices a line names some.
 * @param labels those of the site's devices
 */
export function causesOf(lines: readonly string[], labels: readonly string[]): Causes {
  const named = new Map<string, string>();
  const others: string[] = [];
  for (const line of lines) {
    const found = namesIn(line, labels);
    for (const label of found.labels) named.set(label, found.rest);
    if (!found.isWhole) others.push(found.rest);
  }
  return { named, other: others.length > 0 ? others.join("; ") : undefined };
}

/** The labels at the beginning of a line, and what follows them. */
function namesIn(line: string, labels: readonly string[]) {
  // The longest first: the name of a device can be the beginning of another's.
  const byLength = [...labels].sort((a, b) => b.length - a.length);
  const found: string[] = [];
  let rest = line;
  for (;;) {
    const label = byLength.find((one) => rest.startsWith(one));
    if (label === undefined) break;
    found.push(label);
    rest = rest.slice(label.length);
    if (!rest.startsWith(", ")) break;
    rest = rest.slice(2);
  }
  const isWhole = found.length > 0 && rest.startsWith(": ");
  const end = rest.indexOf(": ");
  return { labels: found, isWhole, rest: found.length > 0 && end >= 0 ? rest.slice(end + 2) : line };
}
