import { isObject } from "../../provider/settings/objects";
import { type ExportedStack, parseExported } from "../view/exported";
import type { ExistingStack } from "./plan";
import { type ProjectFolder, pulumi } from "./pulumi";

/** A stack of a project. */
interface ListedStack extends ExistingStack {
  /** Whether it is the selected stack, which commands use by default. */
  readonly isCurrent: boolean;
}

/** The stacks of a project. @throws CommandError */
export async function listStacks(place: ProjectFolder): Promise<ListedStack[]> {
  const listed: unknown[] = JSON.parse(await pulumi(place, "stack", "ls", "--json"));
  return listed.filter(isObject).map(({ name, current, resourceCount, lastUpdate }) => ({
    name: String(name),
    isEmpty: resourceCount === 0,
    isCurrent: current === true,
    // Some edits of the state, such as `pulumi state delete`, do not change the time.
    ...(lastUpdate !== undefined && { revision: `${lastUpdate}, ${resourceCount ?? "?"} resources` }),
  }));
}

/** The stack with this name, otherwise the selected one. @throws Error if none is selected */
export async function selectedStack(place: ProjectFolder, name: string | undefined): Promise<string> {
  const stack = name ?? (await listStacks(place)).find(({ isCurrent }) => isCurrent)?.name;
  if (stack === undefined) throw new Error("no stack is selected: give --stack, or --manifest for a fleet");
  return stack;
}

/** The state of a stack, secrets encrypted. @param name default: the selected stack. @throws CommandError */
export async function exportStack(place: ProjectFolder, name?: string): Promise<ExportedStack & { stack: string }> {
  const stack = await selectedStack(place, name);
  return { stack, ...parseExported(await pulumi(place, "stack", "export", "--stack", stack)) };
}

/** The decrypted configuration of a stack, in the form that the provider gets. @throws CommandError */
export async function configurationOf(place: ProjectFolder, stack: string): Promise<ReadonlyMap<string, string>> {
  const text = await pulumi(place, "config", "--json", "--show-secrets", "--stack", stack);
  const values = Object.entries(JSON.parse(text) as Record<string, { value?: string }>);
  return new Map(values.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
}
