/**
 * The rules by which declared values are judged, for tools such as a policy pack. They are pure functions, and load
 * nothing of Pulumi.
 * @module pulumi-solar-charging/rules
 */
export { inverter } from "./settings/inverter";
export { type DeviceLintName, type Found, LINTS, type Lint } from "./settings/lintTable";
export { declaredValues, FOLDED } from "./settings/planes";
export {
  type Counted,
  type Gap,
  type GapReason,
  GROUPS,
  gapInWords,
  gapsOfDevice,
  type ReadinessMember,
} from "./settings/readiness";
export {
  type ChoiceSetting,
  type Choices,
  type DeviceKind,
  keysOf,
  type NumberSetting,
  type ReadNumber,
  type Setting,
  type Value,
  type Values,
} from "./settings/setting";
export { type LintedDevice, type Roof, roofsOf, SITE_LINTS, type SiteLintName } from "./settings/siteLints";
export { ChargePolicy, RECOMMENDED, reportedByCar, vehicle } from "./settings/vehicle";
