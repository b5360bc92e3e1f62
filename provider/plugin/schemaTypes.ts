import { nativeType } from "../engine/tokens";
import { DELETE_EFFECTS, OnDelete, OnDrift } from "../settings/declaration";
import { ARGUMENTS, describeOnDelete, describePlain, describeReported } from "../settings/describe";
import { inverter } from "../settings/inverter";
import { FOLDED, PLANES } from "../settings/planes";
import { GapReason } from "../settings/readiness";
import { type DeviceKind, pick, type Setting } from "../settings/setting";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { SettingStatus } from "../settings/verification";

export type Schema = Readonly<Record<string, unknown>>;
export type SchemaProperties = Readonly<Record<string, Schema>>;

export const TEXT = { type: "string" };
export const NUMBER = { type: "number" };
export const FLAG = { type: "boolean" };
export const TEXTS = { type: "array", items: TEXT };

/** A type of the package by its name, such as `ChargePolicy`. */
export const typeRef = (name: string) => ({ $ref: `#/types/${nativeType(name)}` });

/** Values by names that a program chooses. */
export const byNames = (items: Schema) => ({ type: "object", additionalProperties: items });

export function object(description: string, properties: SchemaProperties, required: readonly string[] = []): Schema {
  return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

/** A name in a token, such as `Vehicle`. */
export const capitalized = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

type Settings = DeviceKind["settings"];

/** A property for each setting. */
export function settingsOf(settings: Settings, schemaOf: (setting: Setting) => Schema): SchemaProperties {
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, schemaOf(setting)]));
}

/**
 * A setting in a program. A number has a single type. With an alternative text type, SDKs would accept anything, and
 * no compiler would refuse a wrong type. An azimuth may also be a point of the compass.
 */
export function argument(setting: Setting): Schema {
  if (setting.type === "choice") return { ...typeRef("ChargePolicy"), description: describePlain(setting) };
  if (!setting.otherForms) return { ...NUMBER, description: describePlain(setting) };
  return {
    oneOf: [NUMBER, TEXT],
    description: describePlain(setting, "; a text is a point of the compass, such as SSW"),
  };
}

/** A setting as state and the service have it. */
export function value(setting: Setting): Schema {
  return { ...(setting.type === "number" ? NUMBER : TEXT), description: describeReported(setting) };
}

/** A setting that the program declares, in state. */
export function declared(setting: Setting): Schema {
  return setting.type === "number" ? value(setting) : { ...typeRef("ChargePolicy"), description: setting.description };
}

/** The arguments of a device or a site besides its settings, as programs give them. @param whose `vehicle`, `site` */
export function optionsOf(whose: string, fallback = "retain"): SchemaProperties {
  const { reset: _, ...withoutReset } = DELETE_EFFECTS;
  const effects = describeOnDelete(whose === "inverter" ? withoutReset : DELETE_EFFECTS);
  const hasPlanes = whose !== "vehicle" && whose !== "site";
  return {
    ...(hasPlanes && { planes: { type: "array", items: typeRef("Plane"), description: PLANES } }),
    onDelete: { ...typeRef("OnDelete"), description: `${effects} Default: ${fallback}.` },
    onDrift: {
      oneOf: [typeRef("OnDrift"), byNames(typeRef("OnDrift"))],
      description: `${ARGUMENTS.onDrift} Default: ${fallback === "retain" ? "repair" : fallback}.`,
    },
    ignoreLints: { ...TEXTS, description: `${ARGUMENTS.ignoreLints} Default: none.` },
  };
}

/** A device of a site: its settings, or `observe: true`. */
function siteDevice(kind: DeviceKind): Schema {
  const properties = {
    deviceId: { ...TEXT, description: ARGUMENTS.deviceId },
    businessId: { ...TEXT, description: `The business of the ${kind.name}. Default: the site's.` },
    observe: { ...FLAG, description: ARGUMENTS.observe },
    ...settingsOf(kind.settings, argument),
    ...optionsOf(kind.name, "the site's"),
  };
  return object(`One ${kind.name} of a site.`, properties, ["deviceId"]);
}

/** The records of these settings, by key. */
function statesOf(settings: Settings, whose: string): Schema {
  const records = settingsOf(settings, ({ type }) => typeRef(type === "number" ? "NumberState" : "TextState"));
  return object(`The state of each setting of ${whose}: declared, or only reported.`, records);
}

/** The record of one setting in state. */
function settingState(one: Schema): Schema {
  const properties = {
    status: {
      ...typeRef("SettingStatus"),
      description: "The status of the setting. Absent if the cached read shows the declared value.",
    },
    reported: {
      ...one,
      description: "The value that the last cached read showed, if it differs from the declared one.",
    },
    baseline: {
      ...one,
      description: "The value before this stack first wrote the setting, if the service reported one.",
    },
    ours: {
      ...one,
      description:
        "The value that the service last accepted from the provider, if somebody else set the present one, or if the setting is uncertain.",
    },
    sent: {
      ...{ type: "array", items: one },
      description: "The values that the provider sent without a known outcome, if the setting is uncertain.",
    },
  };
  return object("The state of one setting.", properties);
}

/** The fingerprint of a device. */
export const PHYSICAL_DEVICE = {
  ...TEXT,
  description:
    "A hash of the id of the car or inverter, if the service shows one. It stays if the device gets another id.",
};

/** The settings of both kinds, for the devices of a site and for a device without a known type. */
const ALL_SETTINGS: Settings = { ...vehicle.settings, ...inverter.settings };

/** A device of a site in state. */
function siteDeviceState(): Schema {
  const properties = {
    deviceId: { ...TEXT, description: ARGUMENTS.deviceId },
    businessId: { ...TEXT, description: "The business of the device, if the program declares one for it." },
    observe: { ...FLAG, description: ARGUMENTS.observe },
    ...settingsOf(ALL_SETTINGS, declared),
    ...optionsOf("device", "the site's"),
    physicalDevice: PHYSICAL_DEVICE,
    settings: { ...typeRef("DeviceSettingStates"), description: "The state of each setting." },
  };
  return object("One device of a site, with its declared arguments.", properties, ["deviceId"]);
}

/** Fields of a device's configuration: units, bounds and allowed values are not documented. */
const CONFIG: SchemaProperties = {
  optOut: { ...FLAG, description: "Whether the car is opted out. The service then does nothing." },
  optOutUntil: { ...TEXT, description: "End of the opt-out. Empty if none is set." },
  chargeBy: { ...TEXT, description: "Time of day, HH:MM." },
  chargeFrom: { ...TEXT, description: "Time of day, HH:MM." },
  guaranteedMaxPrice: { ...NUMBER, description: "Price. The service does not document its currency and unit." },
  guaranteedSoc: { ...NUMBER, description: "State of charge in percent." },
  targetSoc: { ...NUMBER, description: "State of charge in percent." },
};

function enumeration(description: string, values: Readonly<Record<string, string>>): Schema {
  return { ...TEXT, description, enum: Object.entries(values).map(([name, one]) => ({ name, value: one })) };
}

const GAP: SchemaProperties = {
  device: { ...TEXT, description: "`vehicle/<name>` or `inverter/<name>`; `site` for the site as a whole." },
  setting: {
    ...TEXT,
    description:
      "The setting, such as `maxCapacity`; `vehicles`, `inverters` or `solar` of a site; `deviceId` of a device.",
  },
  reason: { ...typeRef("GapReason"), description: "The reason why it is a gap." },
};

/** The named types of the package. */
export function typeSchemas(): Record<string, Schema> {
  const kinds = [vehicle, inverter];
  return {
    ChargePolicy: enumeration("Charging policy of a vehicle.", ChargePolicy),
    OnDelete: enumeration("The effect of a delete on a device.", OnDelete),
    OnDrift: enumeration("The answer to a value that somebody else set after the last update.", OnDrift),
    GapReason: enumeration("The reason why a setting, a device or a whole site is a gap.", GapReason),
    SettingStatus: enumeration(
      "The status of a setting. Absent if the cached read shows the declared value. Accepted by the service: pending, " +
        "adjusted or notReported. Changed by somebody else: drifted, or kept with onDrift. Updated with an unknown outcome: " +
        "uncertain. Declared by no program: unmanaged.",
      SettingStatus,
    ),
    Plane: object("One plane of panels on an inverter.", settingsOf(pick(inverter.settings, FOLDED), argument), FOLDED),
    NumberState: settingState(NUMBER),
    TextState: settingState(TEXT),
    Gap: object("One thing that keeps a site from being ready for solar-aware charging.", GAP, Object.keys(GAP)),
    ...Object.fromEntries(kinds.map((kind) => [`Site${capitalized(kind.name)}`, siteDevice(kind)])),
    ...Object.fromEntries(
      kinds.map(({ name, settings }) => [`${capitalized(name)}SettingStates`, statesOf(settings, `one ${name}`)]),
    ),
    DeviceSettingStates: statesOf(ALL_SETTINGS, "a device of either kind"),
    SiteDevice: siteDeviceState(),
    ReportedSettings: object("The settings that a device reports.", settingsOf(ALL_SETTINGS, value)),
    DeviceConfig: object("The configuration of a device at the service, if it reports one.", CONFIG),
  };
}
