import type { Listed } from "./devices";

/** How much of an id a name has that cannot be the id itself, in characters; a site takes 256 (our choice). */
const LONGEST = 100;

/**
 * A name that no other device of its kind has at its site: its id, else with its business, else with a number.
 * @param isShared whether another new device of the site has its id, so that neither is called by it alone
 * @param names those that there are; the new one is added
 */
export function nameFor({ businessId, deviceId }: Listed, isShared: boolean, names: Set<string>): string {
  const full = `${shortened(businessId)}-${shortened(deviceId)}`;
  // JavaScript has a meaning for "__proto__", so no device can be called so.
  let name = isShared || deviceId === "__proto__" ? full : deviceId;
  for (let number = 1; names.has(name); number++) name = number === 1 ? full : `${full}-${number}`;
  names.add(name);
  return name;
}

function shortened(id: string): string {
  return [...id].slice(0, LONGEST).join("");
}
