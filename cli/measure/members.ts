import { existsSync } from "node:fs";
import { type Member, membersOf, type Site } from "../../provider/manifest/model";
import { didYouMean, listed } from "../../provider/settings/explain";

type Group = Member["group"];

/** Ends the command with an error about its arguments. */
type Refuse = (text: string) => never;

const NOUNS: Readonly<Record<Group, string>> = { vehicles: "vehicle", inverters: "inverter" };

/** The site with a name, or the only one. */
export function siteOf(sites: readonly Site[], name: string | undefined, refuse: Refuse): Site {
  const names = sites.map(({ id }) => id);
  const [only, ...rest] = sites;
  if (name === undefined)
    return only && rest.length === 0 ? only : refuse(`give --site: the manifest has ${listed(names.slice(0, 20))}`);
  return sites.find(({ id }) => id === name) ?? refuse(`there is no site '${name}'${didYouMean(name, names)}`);
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
  site: Site,
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
      `site '${site.id}' has no ${noun} '${name}'${didYouMean(name, names) || `; it has ${listed(names) || `no ${noun}`}`}`,
    );
  const [only, ...rest] = members;
  if (only === undefined || rest.length > 0)
    refuse(`give ${option} <${noun}>=<${what}>: site '${site.id}' has ${listed(names) || `no ${noun}`}`);
  return [only, given];
}
