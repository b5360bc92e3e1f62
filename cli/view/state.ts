import { withoutFront } from "../../provider/engine/tokens";
import { restoredIn } from "../../provider/lifecycle/device/delete";
import { declaredIn, fromInputs, type State, valuesOf } from "../../provider/lifecycle/device/state";
import {
  deviceInputs,
  devicesInState,
  fromSiteOutputs,
  isSolarState,
  type SiteState,
} from "../../provider/lifecycle/site/state";
import { SECRET } from "../../provider/messages/message";
import { GROUP_NAMES, type Group, kindOf, labelOf } from "../../provider/settings/groups";
import { defined, omit, type Properties, pick } from "../../provider/settings/objects";
import { FOLDED, planesOf } from "../../provider/settings/planes";
import { plannedDevices } from "../../provider/settings/planSite";
import { keysOf, type Values } from "../../provider/settings/setting";
import type { DeclaredDevice } from "../../provider/settings/site";
import { type DeviceFacts, deviceView, siteView } from "./device";
import type { ExportedResource } from "./exported";
import { lintsOfDevice } from "./lints";
import type { SiteView } from "./model";

/** A site, or a device without one, from the state of a stack. */
export function siteInState(stack: string, resource: ExportedResource): SiteView {
  return resource.kind === "site" ? siteOf(stack, resource) : loneDevice(stack, resource);
}

/** A site with these outputs, whatever its program declares. */
export function siteInOutputs(name: string, properties: Properties): SiteView {
  const site = fromSiteOutputs(withoutFront(properties));
  const facts = site.devices.map((state): DeviceFacts => {
    const { onDelete, settings } = state;
    const restores = onDelete === "restore" ? restoredIn({ settings }) : undefined;
    const declared = declaredIn(valuesOf(state), state);
    return { ...state, declared, ...defined({ restores, planes: planesOf({ ...state }) }) };
  });
  const planned = site.devices.map((kept) => ({ ...kept, given: deviceInputs(kept) }));
  return siteView({ name, stack: "", ...factsOf(site) }, { ...site.options, ...groupsOf(planned, facts) }, facts);
}

function siteOf(stack: string, { name, inputs, outputs, secrets }: ExportedResource): SiteView {
  const state = fromSiteOutputs(outputs);
  const kept = new Map(state.devices.map((one) => [labelOf(one), one]));
  const planned = plannedDevices({ ...inputs, policies: policiesIn(inputs, state) });
  const facts = planned.map((device): DeviceFacts => {
    const { values, planes: _, ...about } = device;
    const known = stateOf(kept.get(labelOf(device)), device);
    const secret = secretKeys(secrets, device);
    return {
      ...{ ...about, secret },
      declared: known ? { ...pick(valuesOf(known), secret), ...declaredIn(values, known) } : values,
      ...defined({ planes: planesOf({ ...device }) }),
      ...(known && pick<unknown>({ ...known }, ["settings", "physicalDevice"])),
    };
  });
  const labels = facts.map(labelOf);
  const groups = GROUP_NAMES.filter((group) => secrets.some(([first]) => first === group));
  const hidden = state.devices.filter((one) => groups.includes(one.group) && !labels.includes(labelOf(one)));
  const given = { ...inputs, ...secretLatitude(secrets), ...groupsOf(planned, facts) };
  return siteView({ name, stack, ...factsOf(state) }, given, facts, hidden.map(hiddenDevice));
}

function factsOf(state: SiteState) {
  const { latitude } = state.options as { latitude?: number };
  return { solar: isSolarState(state), openGaps: state.openGaps, ...defined({ latitude }) };
}

/** The groups with the program's values, even if somebody else has set other ones. */
function groupsOf(
  planned: readonly Pick<DeclaredDevice, "group" | "name" | "given">[],
  facts: readonly DeviceFacts[],
): Properties {
  const groups = GROUP_NAMES.map((group) => {
    const entries = planned.flatMap(({ name, given, ...device }, index) =>
      device.group === group ? [[name, { ...given, ...pick(facts[index]?.declared ?? {}, Object.keys(given)) }]] : [],
    );
    return [group, Object.fromEntries(entries)];
  });
  return Object.fromEntries(groups);
}

/**
 * The policies that a site gives its cars. State is preferred over the plan, because a check only assumes that a car
 * reports its undeclared values.
 */
function policiesIn({ policies: planned = {} }: ExportedResource["inputs"], { devices }: SiteState): Values {
  const cars = devices.filter(({ group }) => group === "vehicles");
  const given = cars.flatMap((car) => (car.policyFromSite ? [[car.name, valuesOf(car).policy]] : []));
  const applied = cars.map(({ name }) => name);
  return { ...omit(planned as Values, applied), ...Object.fromEntries(given) };
}

/** A device whose whole declaration is secret. */
function hiddenDevice({ onDelete: _, onDrift: __, physicalDevice: ___, ...kept }: SiteState["devices"][number]) {
  return deviceView({ ...kept, declared: declaredIn(valuesOf(kept), kept), secret: keysOf(kindOf(kept)) });
}

/** A device that has its own resource, as a site of that device alone. */
function loneDevice(stack: string, { kind, name, inputs, outputs, secrets }: ExportedResource): SiteView {
  const group: Group = kind === "vehicle" ? "vehicles" : "inverters";
  const [state] = devicesInState(kindOf({ group }), name, outputs) as [SiteState["devices"][number]];
  const { businessId, deviceId, values } = fromInputs(kindOf({ group }), { ...outputs, ...inputs });
  const secret = secretKeys(secrets, { group });
  const keys = [...Object.keys(inputs), ...(inputs.planes === undefined ? [] : FOLDED)];
  const readable = keys.filter((key) => !secret.includes(key));
  const declared = { ...pick(valuesOf(state), secret), ...declaredIn(pick(values, readable), state) };
  const given = { ...inputs, ...secretLatitude(secrets), ...pick(declared, Object.keys(inputs)) };
  const warnings = lintsOfDevice(group, given, secret);
  const { onDelete: _, planes: __, ...kept } = state;
  const device = deviceView({ ...kept, businessId, deviceId, declared, secret, warnings });
  return { name, stack, isSite: false, solar: false, gaps: [], warnings: [], devices: [device] };
}

/** The state of a device, if it still has the same id and role. */
function stateOf(
  kept: SiteState["devices"][number] | undefined,
  { businessId, deviceId, observe }: DeclaredDevice,
): State | undefined {
  const isSame = kept?.deviceId === deviceId && kept.businessId === businessId;
  return isSame && kept.observe === observe ? kept : undefined;
}

/** A text in place of a latitude that is a secret. */
function secretLatitude(secrets: ExportedResource["secrets"]) {
  return secrets.some((path) => path.join() === "latitude") ? { latitude: SECRET } : {};
}

/**
 * The settings of a device that the program declares as secrets, or that state still keeps as such after it declares
 * them no more.
 */
function secretKeys(secrets: ExportedResource["secrets"], { group, name }: { group: Group; name?: string }): string[] {
  const keys = keysOf(kindOf({ group }));
  const inputs = name === undefined ? [] : [group, name];
  const outputs = name === undefined ? [] : ["devices", labelOf({ group, name })];
  const begins = (whole: readonly string[], part: readonly string[]) =>
    part.every((one, index) => one === whole[index]);
  const isSecret = (key: string) =>
    secrets.some((path) => begins([...inputs, key], path) || begins(path, [...outputs, "settings", key]));
  const folded: readonly string[] = isSecret("planes") ? FOLDED : [];
  return keys.filter((key) => isSecret(key) || folded.includes(key));
}
