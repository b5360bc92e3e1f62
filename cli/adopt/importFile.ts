import { existsSync } from "node:fs";
import { grouped } from "../../measure/sky/numbers";
import { nativeType, PROVIDER_KEY } from "../../provider/engine/tokens";
import { fromInputs } from "../../provider/lifecycle/device/state";
import { recover, recoverReported } from "../../provider/lifecycle/recover";
import type { DeviceRef } from "../../provider/service/device";
import { listed } from "../../provider/settings/explain";
import { kindOf, labelOf } from "../../provider/settings/groups";
import { omit, pick } from "../../provider/settings/objects";
import { declaredSite } from "../../provider/settings/planSite";
import { type DeviceKind, keysOf } from "../../provider/settings/setting";
import { AT_COMMAND_LINE } from "../environment";
import { replaceFile } from "../files";
import { version } from "../package";
import { startProgress } from "../progress";
import { observe } from "../view/reads";
import { counted, quoted } from "../words";
import { nameFor } from "./addition";
import type { AdoptOptions } from "./command";
import { type Listed, listedDevices } from "./list";
import { hiddenSettings, type KeptStates, keyOf, type Previewed, readPreview, readStates } from "./previewed";
import { type Adopted, type Adoption, adoptionOf, reachableRun, reportSorted, sortByKind } from "./read";

type ImportOptions = AdoptOptions & { readonly importFile: string };

/**
 * Reads devices, and writes the file with which `pulumi import --file` imports all of them into a stack, with their
 * baselines.
 * @throws Error if nothing was written
 */
export async function imported(ids: readonly string[], options: ImportOptions): Promise<Adoption> {
  const { importFile, force, business, preview, ledger, state } = options;
  if (existsSync(importFile) && !force) {
    throw new Error(`${importFile} exists: give another --import-file, or overwrite it with --force`);
  }
  if (preview !== undefined && (ids.length > 0 || options.devices !== undefined)) {
    throw new Error("with --preview, the preview names the devices: leave out the ids and --devices");
  }
  if (state !== undefined && preview === undefined) throw new Error("--state needs --preview: give it too");
  if (ledger !== undefined && !existsSync(ledger))
    throw new Error(`the ledger ${ledger} does not exist: correct --ledger`);
  const run = reachableRun(ledger === undefined ? {} : { SOLAR_CHARGING_LEDGER_FILE: ledger });
  const { businessId } = run.configuration();
  const previewed = preview === undefined ? undefined : readPreview(preview);
  const devices = previewed
    ? distinctDevices(previewed)
    : withoutSettings(listedDevices(ids, options, { businessAt: () => business ?? businessId }));
  const kept = state === undefined ? undefined : readStates(state);
  const progress = startProgress(devices.length);
  const onProgress = progress.step;
  const found = await observe(run, devices, { onProgress, audience: AT_COMMAND_LINE }).finally(progress.end);
  const sorted = sortByKind(devices, found);
  reportSorted(sorted);
  const call: AdoptionCall = { store: run.store, warn: run.report.warn };
  const resources = previewed
    ? recovered(call, previewed, sorted.adopted, kept)
    : await listedResources(call, sorted.adopted);
  if (resources.length === 0) throw new Error(`nothing can be imported, so ${importFile} is not written`);
  replaceFile(importFile, `${JSON.stringify({ ...nameTableOf(previewed ?? []), resources }, null, 2)}\n`);
  const count = counted(resources.length, "resource");
  console.error(`${count} in ${importFile}: next, run pulumi import --file ${quoted(importFile)}`);
  return adoptionOf(importFile, sorted.adopted, sorted.failed);
}

/** The parts of a call that make a state without a request. */
type AdoptionCall = Parameters<typeof recoverReported>[0];

/** The devices of a list, without the settings that the list gives them: an import takes the reported values. */
function withoutSettings(devices: readonly Listed[]): Listed[] {
  if (devices.some(({ settings }) => settings))
    console.error("note: an import takes the reported values, so the settings in the list are ignored");
  return devices.map(({ settings: _, ...device }) => device);
}

/** Names are unique across kinds, because they become variables of one program. */
async function listedResources(call: AdoptionCall, adopted: readonly Adopted[]): Promise<object[]> {
  const names = new Set<string>();
  const ids = grouped(adopted, ({ deviceId }) => deviceId);
  const resources = adopted.map(async (device) => {
    const { kind, reported, businessId, deviceId } = device;
    const name = nameFor(device, { isShared: ids.get(deviceId)?.length !== 1, names });
    const read = await recoverReported(call, kind, { businessId, deviceId }, pick(reported, keysOf(kind)));
    return { type: nativeType(kind.resource), name, ...read, version };
  });
  return await Promise.all(resources);
}

/**
 * The devices that previewed resources declare, each once. A device that a site observes can also have a resource of
 * its own.
 */
function distinctDevices(previewed: readonly Previewed[]): Listed[] {
  const all = previewed.flatMap(listedIn);
  return [...new Map(all.map((device) => [keyOf(device.kind, device), device])).values()];
}

function listedIn({ name, kind, inputs }: Previewed): (Listed & { readonly kind: DeviceKind })[] {
  if (kind) {
    const { businessId, deviceId } = fromInputs(kind, inputs);
    return [{ businessId, deviceId, kind, site: "", place: `${kind.resource} '${name}'` }];
  }
  return declaredSite(inputs).devices.map((device) => {
    const { businessId, deviceId } = device;
    const place = `SiteSettings '${name}', ${labelOf(device)}`;
    return { businessId, deviceId, kind: kindOf(device), site: name, place };
  });
}

/**
 * The previewed resources with the present values of their devices. A resource whose device could not be read is left
 * out.
 */
function recovered(
  call: AdoptionCall,
  previewed: readonly Previewed[],
  adopted: readonly Adopted[],
  kept: KeptStates | undefined,
): object[] {
  const read = new Map(adopted.map((device) => [keyOf(device.kind, device), device.reported]));
  const remainsOf = (kind: DeviceKind, device: DeviceRef, hidden: readonly string[]) => {
    const key = keyOf(kind, device);
    const reported = read.get(key);
    const own = kept?.devices.get(key);
    return (
      reported && {
        reported: omit(pick(reported, keysOf(kind)), hidden),
        kept: own && { ...own, settings: omit(own.settings, hidden) },
      }
    );
  };
  for (const { name, omitted } of previewed.filter(({ omitted }) => omitted.length > 0)) {
    console.error(
      `warning: ${name}: the import lacks ${listed(omitted)}, because the preview hides secrets and unknown values. The next ` +
        "update sends the declared value. The baseline comes from the ledger, or else is the present value",
    );
  }
  for (const name of kept?.encrypted ?? []) {
    console.error(`warning: the state of ${name} has encrypted values: their baselines are not imported`);
  }
  return previewed.flatMap((one): object[] => {
    const { type, name, kind, providerString, parent, provider } = one;
    const own = providerString === undefined ? { version } : {};
    const hidden = providerString === undefined ? {} : { [PROVIDER_KEY]: providerString };
    const found = recover(call.store, one, (device) => {
      const path = kind ? "" : `${device.group}.${device.name}.`;
      return remainsOf(kindOf(device), device, hiddenSettings(one, kindOf(device), path));
    });
    if (!found) return [];
    return [
      {
        ...{ type, name, id: found.id, ...own },
        ...(parent !== undefined && { parent: keyIn(parent) }),
        ...(provider !== undefined && { provider: keyIn(provider) }),
        inputs: { ...found.inputs, ...hidden },
        outputs: { ...found.outputs, ...hidden },
      },
    ];
  });
}

/** The engine's names of parents and explicit providers, which have to be in the stack. */
function nameTableOf(previewed: readonly Previewed[]): { readonly nameTable?: Readonly<Record<string, string>> } {
  const urns = previewed.flatMap(({ parent, provider }) => [parent, provider].filter((urn) => urn !== undefined));
  return urns.length === 0 ? {} : { nameTable: Object.fromEntries(urns.map((urn) => [keyIn(urn), urn])) };
}

/** The key of a resource that is not in the file. */
function keyIn(urn: string): string {
  return urn.split("::").slice(2).join(" ");
}
