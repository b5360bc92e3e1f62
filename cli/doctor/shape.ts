import { deviceSchema, deviceTypeOf } from "../../provider/service/device";
import { extractOf } from "../../provider/service/extract";
import { listed } from "../../provider/settings/explain";
import { isObject, type Properties } from "../../provider/settings/objects";
import { type DeviceKind, fromDevice, mistypedIn, PLACES } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { explainStatus } from "../../provider/status/explain";
import { statusOf } from "../../provider/status/find";
import { isChargingStatus, isServiceStatus, ServiceStatus } from "../../provider/status/vocabulary";
import { type Check, failed, ok, skipped } from "./check";
import { type Structure, structureOf } from "./structure";

/** JSON types of the fields of a vehicle's device object, by path. */
export const DOCUMENTED: Readonly<Record<string, string>> = {
  __typename: "string",
  id: "string",
  dev_make: "string",
  phys_id: "string",
  dev_type: "string",
  metadata: "object",
  "metadata.id": "string",
  "metadata.dev_id": "string",
  "metadata.dev_type": "string",
  "metadata.dev_make": "string",
  "metadata.phys_id": "string",
  "metadata.setup_complete": "boolean",
  connector_data: "object",
  "connector_data.title": "string",
  "connector_data.display_name": "string",
  "connector_data.location_aware": "boolean",
  config: "object",
  "config.opt_out": "boolean",
  "config.opt_out_until": "string",
  "config.charge_by": "string",
  "config.charge_from": "string",
  "config.guaranteed_max_price": "number|null",
  "config.guaranteed_soc": "number",
  "config.target_soc": "number",
  policy: "string",
  setup_complete: "boolean",
};

/** Fields whose values identify a device or its owner. */
const IDENTITIES = ["id", "dev_id", "phys_id", "title", "display_name"];

/** A device object as the service sends it, with its fields, its type, and the kind whose settings are checked. */
export interface ExaminedDevice {
  readonly device: Properties;
  readonly structure: Structure;
  /** Absent if the object shows no type. */
  readonly type: string | undefined;
  /** Vehicle or inverter, with the configured wire names. */
  readonly kind: DeviceKind;
}

/** @param known ids that the user gave */
export function structureOfDevice(device: Properties, known: readonly string[]): Structure {
  const objects = [device, device.metadata, device.connector_data].filter(isObject);
  const values = objects.flatMap((object) => IDENTITIES.map((field) => object[field]));
  return structureOf(device, new Set([...known, ...values.filter((value) => typeof value === "string")]));
}

/** The type of a device, from any of its possible places. */
export function typeOfDevice(device: Properties): string | undefined {
  return deviceTypeOf(deviceSchema.parse(device));
}

/** Compares the shape of a device object with the documented one. Shows no value but the type. */
export function shapeChecks(shown: ExaminedDevice): Check[] {
  return [typeCheck(shown), ...fieldChecks(shown), settingsCheck(shown), ...statusChecks(shown)];
}

function typeCheck({ type, kind }: ExaminedDevice): Check {
  if (type === undefined) {
    return failed(
      "type",
      "the answer has no device type",
      "Without a type, the provider cannot reject a device of the wrong kind",
    );
  }
  const isVehicle = kind === vehicle;
  return ok(
    "type",
    `'${extractOf(type, new Set())}', ${isVehicle ? "a vehicle" : "not a vehicle, so it counts as an inverter"}`,
  );
}

/** Checks the fields that inverters share with vehicles, by type: the service documents no structure of an inverter. */
function fieldChecks({ structure, kind }: ExaminedDevice): Check[] {
  const paths = Object.keys(DOCUMENTED);
  const isVehicle = kind === vehicle;
  const wrong = paths.filter(
    (path) => path in structure && !fits(structure[path] as string, DOCUMENTED[path] as string),
  );
  const missing = paths.filter((path) => !(path in structure));
  const settings = new Set(
    Object.values(kind.settings).flatMap(({ wireName }) => PLACES.map((place) => at(place, wireName))),
  );
  const unknown = Object.keys(structure).filter((path) => !(path in DOCUMENTED) && !settings.has(path));
  const types = isVehicle ? "all documented fields" : "all fields that vehicles have too";
  return [
    wrong.length === 0
      ? ok("fields", `${types} have the documented types`)
      : failed(
          "fields",
          `not of the documented type: ${wrong.map((path) => `${path} is ${structure[path]}, not ${DOCUMENTED[path]}`).join("; ")}`,
          "The provider treats such a field as missing. If the service has changed, report this to the maintainers, without values",
        ),
    ...(isVehicle && missing.length > 0 ? [missingCheck(missing)] : []),
    ...(unknown.length > 0 ? [skipped("other fields", `not documented: ${listed(unknown)}`)] : []),
  ];
}

function missingCheck(missing: readonly string[]): Check {
  const finding = `missing, but documented: ${listed(missing)}`;
  if (missing.includes("policy")) {
    return failed("missing fields", finding, "The provider cannot verify updates of policy");
  }
  return skipped("missing fields", finding, "The provider does not need them");
}

/** Shows the settings in the object. For an inverter, the wire names come from the configuration. */
function settingsCheck({ device, kind }: ExaminedDevice): Check {
  const reported = fromDevice(kind, device);
  const settings = Object.entries(kind.settings);
  const there = settings.filter(([key]) => key in reported);
  const not = settings.filter(([key]) => !(key in reported));
  const words = (list: typeof there) => listed(list.map(([key, { wireName }]) => `${key} (${wireName})`));
  const mistyped = mistypedIn(kind, device);
  const odd = not.filter(([key]) => mistyped.includes(key));
  if (odd.length > 0) {
    const advice = "The provider cannot verify updates of these settings";
    return failed("settings", `of the wrong type: ${words(odd)}`, advice);
  }
  const notShown = not.length > 0 ? `not reported: ${words(not)}` : "";
  if (there.length > 0) return ok("settings", [`reported: ${words(there)}`, notShown].filter(Boolean).join("; "));
  return skipped("settings", notShown, "The provider sends declared values, but cannot verify them");
}

function statusChecks({ device, kind }: ExaminedDevice): Check[] {
  if (kind !== vehicle) return [];
  const { serviceStatus, chargingStatus } = statusOf(device);
  const { meaning: optedOut, advice: optIn } = explainStatus(ServiceStatus.InactiveOptedOut);
  // The service does not document where the status is. Without this, the doctor would show only ticks for a car that
  // the service ignores.
  const isOptedOut = deviceSchema.parse(device).config?.opt_out && serviceStatus !== ServiceStatus.InactiveOptedOut;
  const check = (name: string, status: string | undefined, isKnown: (text: string) => boolean) => {
    if (status === undefined) return skipped(name, "not found in the answer; the service does not document its place");
    if (!isKnown(status)) return skipped(name, "found, with a value that is not documented");
    // For an opted-out car, a tick would look as if the service controlled it.
    if (status !== ServiceStatus.InactiveOptedOut) return ok(name, `found, ${status}`);
    const { meaning, advice } = explainStatus(status);
    return skipped(name, `found, ${status}: ${meaning}`, advice);
  };
  return [
    ...(isOptedOut ? [skipped("opted out", `config.opt_out is true: ${optedOut}`, optIn)] : []),
    check("service status", serviceStatus, isServiceStatus),
    check("charging status", chargingStatus, isChargingStatus),
  ];
}

function fits(found: string, documented: string): boolean {
  return found.split("|").every((type) => documented.split("|").includes(type));
}

/** The path of a field in a device object. */
export function at(place: string, field: string): string {
  return place === "" ? field : `${place}.${field}`;
}
