import type { Site } from "../../provider/manifest/model";
import { type Message, textOf } from "../../provider/messages/message";
import type { Group } from "../../provider/settings/site";
import { lintMessagesOf, lintsOfDevice } from "../view/lints";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The texts of warnings after a change that existed before it: the same lint of the same device. Without this, each
 * change of a site would show its old warnings as new ones.
 * @param group of a device with its own resource; absent for a site
 */
export function standingWarnings(group: Group | undefined, before: Fields, after: Fields): ReadonlySet<string> {
  const lintsOf = (inputs: Fields) => (group ? lintsOfResource(group, inputs) : lintsOfSite(inputs));
  const known = new Set(lintsOf(before).map(identityOf));
  return new Set(
    lintsOf(after)
      .filter((message) => known.has(identityOf(message)))
      .map((message) => textOf(message)),
  );
}

/** The lints of a site, each with its device. A site without devices has none. */
export function lintsOfSite(inputs: Fields): Message[] {
  const { ofSite, ofDevices } = lintMessagesOf(inputs as unknown as Site);
  return [...ofSite, ...[...ofDevices].flatMap(([device, all]) => all.map((message) => ({ ...message, device })))];
}

/** The identity of a lint: its code and device, whatever the values are. */
export function identityOf({ code, device = "" }: Pick<Message, "code" | "device">): string {
  return `${code} ${device}`;
}

function lintsOfResource(group: Group, inputs: Fields): Message[] {
  return lintsOfDevice(group, inputs).map((message) => ({ ...message, device: `device '${inputs.deviceId}'` }));
}
