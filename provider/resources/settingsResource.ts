import * as pulumi from "@pulumi/pulumi";
import { type OnDelete, type OnDrift, OPTION_KEYS } from "../settings/declaration";
import type { LintName } from "../settings/lints";
import { type DeviceKind, keysOf } from "../settings/setting";
import type { SettingStatus } from "../settings/verification";
import { DYNAMIC, type Front } from "./front";
import { hiddenInput, liveDevice, refuseLost } from "./hidden";
import { shortenTraces } from "./privateHooks";

/** The arguments of `VehicleSettings` and `InverterSettings` besides the settings of their kind. */
export interface SettingsArgs {
  /** Device identifier at the service. A change replaces the resource. */
  deviceId: pulumi.Input<string>;
  /** The business that the device belongs to. Default: `solar-charging:businessId`. A change replaces the resource. */
  businessId?: pulumi.Input<string | undefined>;
  /** Names of warnings that are off for this resource. Default: none. */
  ignoreLints?: pulumi.Input<readonly LintName[] | undefined>;
  /**
   * The effect of a delete on the device: `retain` (default) leaves its values; `restore` writes back the values from
   * before the first update; `reset` writes the service's defaults. An inverter has no defaults, so `reset` fails its
   * check.
   */
  onDelete?: pulumi.Input<OnDelete | undefined>;
  /**
   * The answer to a value that somebody else set after the last update, and that a refresh found: `repair` (default)
   * sends the declared value again; `keep` leaves theirs until the program declares another one. One answer for all
   * settings, or one by setting.
   * @example { policy: "keep" }
   */
  onDrift?: DriftInput;
}

/** The answers to drift: one for all settings, or one by setting. */
export type DriftInput = pulumi.Input<OnDrift | Readonly<Record<string, pulumi.Input<OnDrift>>> | undefined>;

/** The state of each setting, by key: declared, or only reported. @typeParam Settings the values of the settings */
export type SettingStates<Settings> = {
  [Key in keyof Settings]?: Exclude<Settings[Key], undefined> extends number ? NumberState : TextState;
};

/** The state of a setting that is a number. */
export interface NumberState extends SettingState<number> {}

/** The state of a setting that is a text. */
export interface TextState extends SettingState<string> {}

/** The state of one setting. */
export interface SettingState<Value extends number | string = number | string> {
  /** The status of the setting. Absent if the cached read shows the declared value. */
  readonly status?: SettingStatus;
  /** The value that the cached read showed last, if it is not the declared one. */
  readonly reported?: Value;
  /** The value from before the provider first wrote the setting, if the service reported it. */
  readonly baseline?: Value;
  /** The value that the service last accepted from us, if somebody else set the present one, or if the setting is `uncertain`. */
  readonly ours?: Value;
  /** The values that updates of unknown outcome sent, if the setting is `uncertain`. */
  readonly sent?: readonly Value[];
}

/** The settings of one device, which exists already: creating the resource adopts it, deleting it stops managing it. */
export abstract class SettingsResource extends pulumi.CustomResource {
  /** @internal */
  static readonly front: Front = DYNAMIC;

  /** Device identifier at the service. */
  declare readonly deviceId: pulumi.Output<string>;
  /** The business that the device belongs to. */
  declare readonly businessId: pulumi.Output<string>;
  /**
   * A hash of the id of the car or inverter behind the device; undefined if the service shows none. It stays the same if
   * the service gives the car another device id.
   */
  declare readonly physicalDevice: pulumi.Output<string | undefined>;
  /** The effect of a delete on the device; undefined if it is not declared, which means `retain`. */
  declare readonly onDelete: pulumi.Output<OnDelete | undefined>;
  /** The answer to somebody else's later values; undefined if it is not declared, which means `repair`. */
  declare readonly onDrift: pulumi.Output<OnDrift | Record<string, OnDrift> | undefined>;
  /** Names of warnings that are off for this resource; undefined if it is not declared. */
  declare readonly ignoreLints: pulumi.Output<LintName[] | undefined>;

  constructor(kind: DeviceKind, name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    const { front } = new.target;
    refuseLost(name, args);
    const properties = propertiesOf(front, kind, { name, args, opts });
    const restore = shortenTraces();
    try {
      super(front.typeOf(kind.resource), name, properties, front.options(kind.resource, opts));
    } finally {
      restore();
    }
  }
}

/** The options of devices of both kinds. */
const OPTIONS_OF_EACH = ["onDelete", "onDrift", "ignoreLints"] as const;

/** Whether `obj` is a resource of this type, of this copy of the package or another one. */
export function isOfType(type: string, obj: unknown): boolean {
  return pulumi.CustomResource.isInstance(obj) && "__pulumiType" in obj && obj.__pulumiType === type;
}

/** The arguments of a resource's constructor. */
interface ResourceArguments {
  readonly name: string;
  readonly args: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions | undefined;
}

function propertiesOf(front: Front, kind: DeviceKind, { name, args, opts }: ResourceArguments): pulumi.Inputs {
  const type = front.typeOf(kind.resource);
  const options = kind.name === "inverter" ? OPTION_KEYS : OPTIONS_OF_EACH;
  const outputs = ["businessId", "deviceId", ...keysOf(kind), ...options, "physicalDevice", "settings"];
  return {
    ...Object.fromEntries(outputs.map((key) => [key, undefined])),
    ...args,
    ...front.hidden(kind.name, () =>
      // With an id in the options, the program only reads the resource.
      opts?.id === undefined
        ? hiddenInput({ type, name, args, parent: opts?.parent, live: () => liveDevice(kind, args) })
        : {},
    ),
  };
}
