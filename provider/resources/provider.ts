import * as pulumi from "@pulumi/pulumi";
import type { ConfigurationKey } from "../configuration/configurationKeys";
import { ownPlugin } from "../engine/plugin";

/** What a provider is given. It wins over the environment, from which comes what is not given. */
export type ProviderArgs = {
  readonly [Key in Exclude<ConfigurationKey, keyof Typed>]?: pulumi.Input<string | undefined>;
} & Typed;

/** Values that are no text. */
interface Typed {
  /** Wire name of each inverter setting. */
  readonly inverterFields?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>> | undefined>;
  readonly maxConcurrency?: pulumi.Input<number | undefined>;
  readonly requestTimeoutSeconds?: pulumi.Input<number | undefined>;
  readonly retryTimeoutSeconds?: pulumi.Input<number | undefined>;
  readonly verifyTimeoutSeconds?: pulumi.Input<number | undefined>;
  readonly livePreview?: pulumi.Input<boolean | undefined>;
  readonly allowGone?: pulumi.Input<boolean | undefined>;
}

/**
 * A service, or a business of one, with its own token: give it as the option `provider` of a resource.
 * @example
 * const north = new Provider("north", { businessId: "north", accessToken: config.requireSecret("northToken") });
 * new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh" }, { provider: north });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const secret = (value: pulumi.Input<string | undefined>) =>
      value === undefined ? undefined : pulumi.secret(value);
    const { accessToken, oauthClientSecret } = args;
    const properties = { ...args, accessToken: secret(accessToken), oauthClientSecret: secret(oauthClientSecret) };
    super("solar-charging", name, properties, { ...ownPlugin(), ...opts });
  }
}
