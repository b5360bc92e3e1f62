import { deviceSchema, deviceTypeOf } from "../../provider/service/device";
import { extractOf } from "../../provider/service/extract";
import { type DeviceKind, fromDevice, isObject, PLACES } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { statusOf } from "../../provider/status/find";
import { isChargingStatus, isServiceStatus } from "../../provider/status/vocabulary";
import { type Check, failed, ok, skipped } from "./check";
import { DOCUMENTED, IDENTITIES } from "./interface";
import { type Structure, structureOf } from "./structure";

type Fields = Readonly<Record<string, unknown>>;

/** A device object, and what is known of it before it is looked at. */
export interface Shown {
  readonly device: Fields;
  readonly structure: Structure;
  /** Absent if the object shows no type. */
  readonly type: string | undefined;
  /** Vehicle or inverter, with the configured wire names. */
  readonly kind: DeviceKind;
}

/** @param known ids that the user gave */
export function structureOfDevice(device: Fields, known: readonly string[]): Structure {
  const objects = [device, device.metadata, device.connector_data].filter(isObject);
  const values = objects.flatMap((object) => IDENTITIES.map((field) => object[field]));
  return structureOf(device, new Set([...known, ...values.filter((value) => typeof value === "string")]));
}

/** The type of a device, wherever it stands. */
export function typeOfDevice(device: Fields): string | undefined {
  return deviceTypeOf(deviceSchema.parse(device));
}

/** The shape of a device object, compared with the documented one. Shows no value but the type's. */
export function shapeChecks(shown: Shown): Check[] {
  return [typeCheck(shown), ...fieldChecks(shown), settingsCheck(shown), ...statusChecks(shown)];
}

function typeCheck({ type, kind }: Shown): Check {
  if (type === undefined) {
    return failed("type", "the object shows no device type", "Without it no resource is refused for a wrong device");
  }
  const isVehicle = kind === vehicle;
  return ok(
    "type",
    `'${extractOf(type, new Set())}', ${isVehicle ? "a vehicle" : "no vehicle, so it passes for an inverter"}`,
  );
}

/** The service documents no structure of an inverter. So only the fields that it shares with a vehicle are checked, by type. */
function fieldChecks({ structure, kind }: Shown): Check[] {
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
  const types = isVehicle ? "the documented fields" : "the fields that a vehicle has too";
  return [
    wrong.length === 0
      ? ok("fields", `${types} are of their types`)
      : failed(
          "fields",
          `of another type than documented: ${wrong.map((path) => `${path} is ${structure[path]}, not ${DOCUMENTED[path]}`).join("; ")}`,
          "The provider takes such a field for missing. Has the service changed? Tell us, without values",
        ),
    ...(isVehicle && missing.length > 0 ? [missingCheck(missing)] : []),
    ...(unknown.length > 0 ? [skipped("other fields", `not documented: ${unknown.join(", ")}`)] : []),
  ];
}

function missingCheck(missing: readonly string[]): Check {
  const finding = `documented and not there: ${missing.join(", ")}`;
  if (missing.includes("policy")) {
    return failed("missing fields", finding, "Without policy no update of it can be seen in a read");
  }
  return skipped("missing fields", finding, "The provider does not need them");
}

/** Which settings the object shows. For an inverter, the wire names are those of the configuration. */
function settingsCheck({ device, kind, structure }: Shown): Check {
  const reported = fromDevice(kind, device);
  const [there, not] = split(Object.entries(kind.settings), ([key]) => key in reported);
  const words = (list: typeof there) => list.map(([key, { wireName }]) => `${key} (${wireName})`).join(", ");
  const odd = not.filter(([, { wireName }]) => PLACES.some((place) => at(place, wireName) in structure));
  if (odd.length > 0) {
    const advice = "Such a setting cannot be read back: its updates stay unverified";
    return failed("settings", `not of their types: ${words(odd)}`, advice);
  }
  const notShown = not.length > 0 ? `not reported: ${words(not)}` : "";
  if (there.length > 0) return ok("settings", [`reported: ${words(there)}`, notShown].filter(Boolean).join("; "));
  return skipped("settings", notShown, "What is declared of them is sent, and cannot be seen in a read");
}

function statusChecks({ device, kind }: Shown): Check[] {
  if (kind !== vehicle) return [];
  const { serviceStatus, chargingStatus } = statusOf(device);
  const check = (name: string, status: string | undefined, isKnown: (text: string) => boolean) => {
    if (status === undefined) return skipped(name, "not found in the object; the service does not document its place");
    return isKnown(status) ? ok(name, `found, ${status}`) : skipped(name, "found, with a value that is not documented");
  };
  return [
    check("service status", serviceStatus, isServiceStatus),
    check("charging status", chargingStatus, isChargingStatus),
  ];
}

function fits(found: string, documented: string): boolean {
  const allowed = documented.split("|");
  return found.split("|").every((type) => allowed.includes(type));
}

function at(place: string, field: string): string {
  return place === "" ? field : `${place}.${field}`;
}

function split<T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}
