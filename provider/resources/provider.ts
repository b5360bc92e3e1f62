import * as pulumi from "@pulumi/pulumi";
import { ownPlugin } from "../engine/plugin";

/** The configuration of a `Provider`. A value that is not given comes from the environment. */
export interface ProviderArgs {
  /** Address of the service: https, or http on loopback. A path in it is kept. */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /** Default business id, for devices without a `businessId`. */
  readonly businessId?: pulumi.Input<string | undefined>;
  /** Backend access token, or `file:<path>`. */
  readonly accessToken?: pulumi.Input<string | undefined>;
  /** Shell command that prints the token. */
  readonly tokenCommand?: pulumi.Input<string | undefined>;
  /** OAuth 2.0 token endpoint: https, or http on loopback. */
  readonly oauthTokenUrl?: pulumi.Input<string | undefined>;
  /** Client id at the token endpoint. */
  readonly oauthClientId?: pulumi.Input<string | undefined>;
  /** Secret of that client, or `file:<path>`. */
  readonly oauthClientSecret?: pulumi.Input<string | undefined>;
  /** Scopes, separated by a space. */
  readonly oauthScope?: pulumi.Input<string | undefined>;
  /** Wire name of each inverter setting, by key. The service does not document them. */
  readonly inverterFields?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>> | undefined>;
  /**
   * Requests in flight at once. A number of requests, from 1 to 1000. Default: 16.
   * @asType integer
   */
  readonly maxConcurrency?: pulumi.Input<number | undefined>;
  /**
   * Maximum number of requests a minute, over all stacks of a fleet and all providers of a program. Default: no limit.
   * A number of requests, from 0.1 to 1000000.
   */
  readonly maxRequestsPerMinute?: pulumi.Input<number | undefined>;
  /** Time limit of one request, and of the token command. A number of seconds, from 0.1 to 3600. Default: 30. */
  readonly requestTimeoutSeconds?: pulumi.Input<number | undefined>;
  /**
   * Time limit of all tries of one request. With 0, the provider tries once. A number of seconds, from 0 to 3600.
   * Default: 120.
   */
  readonly retryTimeoutSeconds?: pulumi.Input<number | undefined>;
  /** Longest wait for a stale cache after an update. A number of seconds, from 0 to 3600. Default: 10. */
  readonly verifyTimeoutSeconds?: pulumi.Input<number | undefined>;
  /** Whether a preview reads the declared devices. Default: false. */
  readonly livePreview?: pulumi.Input<boolean | undefined>;
  /**
   * Whether to remove devices that the service does not know from state, even if they are most devices of a run.
   * Default: false.
   */
  readonly allowGone?: pulumi.Input<boolean | undefined>;
  /** File to which the provider appends each PATCH as a line. */
  readonly ledgerFile?: pulumi.Input<string | undefined>;
  /** Approved set of values, and its digest: `<file>#sha256:<digest>`. The provider sends no other value. */
  readonly approved?: pulumi.Input<string | undefined>;
}

/**
 * A service, or a business of one, with its own token. Pass it to resources as their option `provider`.
 * @example
 * const config = new pulumi.Config();
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
