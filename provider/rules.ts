/** What declared values are judged by, for tools beside a program: pure, and nothing of Pulumi is loaded. */
export { inverter } from "./settings/inverter";
export { LINTS } from "./settings/lintTable";
export { type Gap, gapInWords, gapsOf, gapsOfDevice } from "./settings/readiness";
export { type DeviceKind, keysOf, type Value } from "./settings/setting";
export { ChargePolicy, vehicle } from "./settings/vehicle";
