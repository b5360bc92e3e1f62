import { existsSync } from "node:fs";
import { didYouMean, listed } from "../../provider/settings/explain";
import { type Group, placeOf } from "../../provider/settings/groups";
import type { DeviceView, SiteView } from "../view/model";

/** A device of a site, with the values that it declares. */
export interface Member extends Pick<DeviceView, "group" | "planes"> {
  readonly name: string;
  readonly values: DeviceView["declared"];
}

export function membersOf({ devices }: SiteView): Member[] {
  return devices.map(({ label, declared, ...rest }) => ({
    ...rest,
    name: placeOf(label)?.name ?? label,
    values: declared,
  }));
}

/** Ends the command with an error about its arguments. */
type Refuse = (text: string) => never;

const NOUNS: Readonly<Record<Group, string>> = { vehicles: "vehicle", inverters: "inverter" };

/** The site with a name, or the only one. */
export function siteOf(sites: readonly SiteView[], name: string | undefined, refuse: Refuse): SiteView {
  const names = sites.map((one) => one.name);
  const [only, ...rest] = sites;
  if (!only) refuse("nothing is declared: there is no site to measure");
  if (name === undefined) return rest.length === 0 ? only : refuse(`give --site, of ${listed(names.slice(0, 20))}`);
  return sites.find((one) => one.name === name) ?? refuse(`there is no site '${name}'${didYouMean(name, names)}`);
}

/** An option whose values are `<device>=<file>` or `<device>=<name>`. */
interface NamedOption {
  readonly option: string;
  readonly what: "file" | "name";
  readonly group: Group;
}

/** The device and the rest of `car=sessions.csv`. The name is optional if the site has one device of the kind. */
export function namedBy(
  { option, what, group }: NamedOption,
  given: string,
  site: SiteView,
  refuse: Refuse,
): [member: Member, value: string] {
  const members = membersOf(site).filter((one) => one.group === group);
  const names = members.map(({ name }) => name);
  const noun = NOUNS[group];
  const at = given.indexOf("=");
  const [name, value] = [given.slice(0, at), given.slice(at + 1)];
  const found = members.find((one) => at > 0 && one.name === name);
  if (found) return [found, value];
  if (at > 0 && !existsSync(given))
    refuse(
      `site '${site.name}' has no ${noun} '${name}'${didYouMean(name, names) || `; it has ${listed(names) || `no ${noun}`}`}`,
    );
  const [only, ...rest] = members;
  if (only === undefined || rest.length > 0)
    refuse(
      `give ${option} <${noun}>=<${what}> for each ${what}: site '${site.name}' has ${listed(names) || `no ${noun}`}, and '${given}' names none`,
    );
  return [only, given];
}
