/** `10,000`. */
export function numbered(count: number): string {
  return count.toLocaleString("en");
}

/** `1 device`, `2 devices`, `10,000 devices`. */
export function counted(count: number, noun: string): string {
  return `${numbered(count)} ${noun}${count === 1 ? "" : "s"}`;
}
