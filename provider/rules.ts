/** What declared values are judged by, for tools beside a program: pure, and nothing of Pulumi is loaded. */
export { inverter } from "./settings/inverter";
export { LINTS } from "./settings/lintTable";
export { type Gap, GROUPS, gapInWords, gapsOfDevice } from "./settings/readiness";
export { type DeviceKind, keysOf, type Value } from "./settings/setting";
export { type LintedDevice, roofsOf, SITE_LINTS } from "./settings/siteLints";
export { ChargePolicy, vehicle } from "./settings/vehicle";
