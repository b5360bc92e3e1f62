/**
 * The rules by which declared values are judged, for tools such as a policy pack. They are pure functions, and load
 * nothing of Pulumi.
 * @module pulumi-solar-charging/rules
 */
export { inverter } from "./inverter";
export { type DeviceLintName, type Found, LINTS, type Lint } from "./lintTable";
export { declaredValues, FOLDED } from "./planes";
export {
  type Counted,
  type Gap,
  type GapReason,
  GROUPS,
  gapInWords,
  gapsOfDevice,
  type ReadinessMember,
} from "./readiness";
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
} from "./setting";
export { type LintedDevice, type Roof, roofsOf, SITE_LINTS, type SiteLintName } from "./siteLints";
export { ChargePolicy, RECOMMENDED, reportedByCar, vehicle } from "./vehicle";
