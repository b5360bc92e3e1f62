import { z } from "zod";
import { kindOfType, PROVIDER_KEY } from "../../provider/engine/tokens";
import type { State } from "../../provider/lifecycle/device/state";
import { devicesInState } from "../../provider/lifecycle/site/state";
import { SECRET } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { OPTION_KEYS } from "../../provider/settings/declaration";
import { listed } from "../../provider/settings/explain";
import { kindOf } from "../../provider/settings/groups";
import { inverter } from "../../provider/settings/inverter";
import { isObject, type Properties, pick, UNKNOWN } from "../../provider/settings/objects";
import { FOLDED } from "../../provider/settings/planes";
import { type DeviceKind, keysOf } from "../../provider/settings/setting";
import { SITE_KEYS } from "../../provider/settings/site";
import { vehicle } from "../../provider/settings/vehicle";
import { readGiven } from "../files";
import { parseExported } from "../view/exported";
import { previewIn } from "../view/pulumiPreview";

/** A resource of ours that a preview is going to create. */
export interface Previewed {
  readonly type: string;
  readonly name: string;
  /** The kind of device; undefined for a site. */
  readonly kind: DeviceKind | undefined;
  /** The inputs that the program gives, without secret and unknown ones. */
  readonly inputs: Properties;
  /** The paths of the inputs that are left out of `inputs`. */
  readonly omitted: readonly string[];
  /** The provider string of a dynamic resource. */
  readonly providerString?: unknown;
  /** The URNs of its parent and its provider, unless they are the stack and the default provider. */
  readonly parent?: string;
  readonly provider?: string;
}

const DEVICE_KINDS = { site: undefined, vehicle, inverter };

/**
 * The resources that a preview is going to create.
 * @throws Error if the file is not the output of `pulumi preview --json`, or hides the id of a device
 */
export function readPreview(file: string): Previewed[] {
  const { steps } = parsedAs(file, "pulumi preview --json", (text) => previewIn(JSON.parse(text)));
  return steps.flatMap(({ op, urn, newState }) => {
    const type = partsOf(urn).type;
    const ofType = kindOfType(type);
    if (op !== "create" || !newState || ofType === undefined) return [];
    const { inputs: given = {}, parent, provider = "" } = newState;
    const kind = DEVICE_KINDS[ofType];
    const keys = kind ? ["deviceId", "businessId", ...OPTION_KEYS, ...keysOf(kind)] : SITE_KEYS;
    const omitted: string[] = [];
    const inputs = withoutHidden(pick<unknown>(given, keys), "", omitted) as Record<string, unknown>;
    const ids = omitted.filter((path) => /(^|\.)(deviceId|businessId)$/.test(path));
    if (ids.length > 0) {
      const paths = listed(ids);
      throw new Error(
        `${file} hides ${paths} of '${partsOf(urn).name}', which is secret or not known yet: give it as plain text`,
      );
    }
    const providerUrn = provider.slice(0, provider.lastIndexOf("::"));
    return [
      {
        ...{ type, name: partsOf(urn).name, kind, inputs, omitted },
        providerString: given[PROVIDER_KEY],
        ...(parent !== undefined && partsOf(parent).type !== "pulumi:pulumi:Stack" && { parent }),
        ...(!/^default(_|$)/.test(partsOf(providerUrn).name) && { provider: providerUrn }),
      },
    ];
  });
}

/** A value without the parts that the preview does not show. @param omitted collects the paths of those parts */
function withoutHidden(value: unknown, path: string, omitted: string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const at = path === "" ? key : `${path}.${key}`;
      if (!isHidden(one)) return [[key, withoutHidden(one, at, omitted)]];
      omitted.push(at);
      return [];
    }),
  );
}

/** Whether a value is hidden, or a list that contains a hidden part. */
function isHidden(value: unknown): boolean {
  if (Array.isArray(value))
    return value.some((one) => isHidden(one) || (isObject(one) && Object.values(one).some(isHidden)));
  return value === SECRET || value === UNKNOWN;
}

/**
 * The settings of a device whose values the preview hides. Their present values must not be in a file or a state as
 * readable text: they may be the secret values.
 * @param path the path of the device in the inputs, with a dot at its end
 */
export function hiddenSettings({ omitted }: Previewed, kind: DeviceKind, path = ""): string[] {
  const isAt = (key: string) => omitted.includes(`${path}${key}`);
  return keysOf(kind).filter((key) => isAt(key) || (isAt("planes") && (FOLDED as readonly string[]).includes(key)));
}

/** The devices of some resources, by `keyOf`. */
export interface KeptStates {
  readonly devices: ReadonlyMap<string, State>;
  /** The resources that have encrypted parts. */
  readonly encrypted: readonly string[];
}

/**
 * The managed devices of another stack's state.
 * @throws Error if the file is not the output of `pulumi stack export`, or has no resource of ours
 */
export function readStates(file: string): KeptStates {
  const { resources } = parsedAs(file, "pulumi stack export", parseExported);
  if (resources.length === 0) throw new Error(`${file} has no resource of this provider: export the right stack`);
  const devices = resources.flatMap(({ kind, name, outputs }) => devicesInState(DEVICE_KINDS[kind], name, outputs));
  const managed = devices.filter(({ observe }) => !observe);
  return {
    devices: new Map(managed.map((one) => [keyOf(kindOf(one), one), one])),
    encrypted: resources.filter(({ secrets }) => secrets.length > 0).map(({ name }) => name),
  };
}

/** The key of a device, unique for kind, business and id. */
export function keyOf(kind: DeviceKind, { businessId, deviceId }: { businessId: string; deviceId: string }): string {
  return JSON.stringify([kind.name, businessId, deviceId]);
}

/** @param parse returns undefined, or throws, if the text has another form */
function parsedAs<T>(file: string, command: string, parse: (text: string) => T | undefined): T {
  const text = readGiven(file).toString("utf8");
  try {
    const parsed = parse(text);
    if (parsed !== undefined) return parsed;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw new Error(`${file} is not the output of '${command}'`);
}
