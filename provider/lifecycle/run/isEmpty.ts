/** Whether an object has no properties. */
export function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
