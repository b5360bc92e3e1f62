import { type Settings, type Simulator, startSimulator } from "solar-charging-simulator";
import { fingerprintOf } from "../../provider/service/device";
import type { HostOptions, Properties, ProviderHost } from "./host";
import { PLUGIN, type Sdk } from "./installation";
import { startHost } from "./startHost";

/** The provider string in every stack's state. A literal here, not an import. */
export const PROVIDERS = {
  vehicle: 'exports.handler=()=>require("pulumi-solar-charging/host").vehicle',
  inverter: 'exports.handler=()=>require("pulumi-solar-charging/host").inverter',
  site: 'exports.handler=()=>require("pulumi-solar-charging/host").site',
};
export type Kind = "vehicle" | "inverter";

/** The engine's text for a value that is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const BUSINESS = "acme";

/** Inputs in the engine's form, with the provider of their kind. */
export function inputsOf(kind: keyof typeof PROVIDERS, declared: Properties): Properties {
  return { ...declared, __provider: PROVIDERS[kind] };
}

/** Inputs of a site in the engine's form. The hidden input gives the dynamic host the site's name. */
export function siteInputs(sdk: Sdk, declared: Properties, name = "home"): Properties {
  return inputsOf("site", { ...declared, __program: { urn: urnOf(sdk, "SiteSettings", name) } });
}

/** The records of verified settings. @param baselines of settings that had another value before */
export function verified(values: Properties, baselines: Properties = {}): Properties {
  const record = (key: string) => ({ ...(key in baselines && { baseline: baselines[key] }) });
  return Object.fromEntries(Object.keys(values).map((key) => [key, record(key)]));
}

/** The record of a setting that is reported but not declared. */
export function unmanaged(reported: unknown): Properties {
  return { status: "unmanaged", reported };
}

/** The engine's name of a resource in this host. */
export function urnOf(sdk: Sdk, className: string, name: string): string {
  const module = sdk === PLUGIN ? "solar-charging:index" : "pulumi-nodejs:dynamic/solar-charging";
  return `urn:pulumi:dev::fleet::${module}:${className}::${name}`;
}

/** A device of the simulator that only one test uses. */
export class TestDevice {
  /** The hash of its `phys_id` in outputs. */
  readonly physicalDevice: string | undefined;
  readonly resourceId: string;

  constructor(
    private readonly simulator: Simulator,
    readonly kind: Kind,
    readonly deviceId: string,
    settings: Settings,
  ) {
    this.resourceId = `${BUSINESS}/${deviceId}`;
    const physId = `VIN of ${deviceId}`;
    simulator.add(BUSINESS, deviceId, { type: kind, physId, settings });
    this.physicalDevice = fingerprintOf({ businessId: BUSINESS }, { phys_id: physId });
  }

  /** The inputs of a program that declares these settings. */
  declares(declared: Properties): Properties {
    return inputsOf(this.kind, { businessId: BUSINESS, deviceId: this.deviceId, ...declared });
  }

  /** Its true settings. */
  get settings(): Settings {
    return this.simulator.device(BUSINESS, this.deviceId);
  }

  /** Its requests since the last call, as `GET` or `PATCH {…}`. */
  takeRequests(): string[] {
    const { requests } = this.simulator;
    const own = requests.filter(({ deviceId }) => deviceId === this.deviceId);
    requests.splice(0, requests.length, ...requests.filter((request) => !own.includes(request)));
    return own.map(({ method, body }) => (body === undefined ? method : `${method} ${JSON.stringify(body)}`));
  }

  remove(): void {
    this.simulator.remove(BUSINESS, this.deviceId);
  }
}

/** A provider process, and the simulator that it uses. */
export class TestProvider {
  #devices = 0;

  private constructor(
    readonly simulator: Simulator,
    readonly host: ProviderHost,
  ) {}

  static async start(sdk: Sdk, options: (simulator: Simulator) => HostOptions): Promise<TestProvider> {
    const simulator = await startSimulator({ fleet: { businesses: { [BUSINESS]: {} } } });
    return new TestProvider(simulator, await startHost(sdk, options(simulator)));
  }

  vehicle(settings: Settings = {}): TestDevice {
    return this.#device("vehicle", settings);
  }

  inverter(settings: Settings = {}): TestDevice {
    return this.#device("inverter", settings);
  }

  #device(kind: Kind, settings: Settings): TestDevice {
    this.#devices += 1;
    return new TestDevice(this.simulator, kind, `${kind}-${this.#devices}`, settings);
  }

  async stop(): Promise<void> {
    await Promise.all([this.host.stop(), this.simulator.close()]);
  }
}

/** Options for a provider at the simulator. It tries everything once, and does not wait for a stale cache. */
export function connected(simulator: Simulator): Required<Omit<HostOptions, "engine">> {
  return {
    config: {
      "solar-charging:baseUrl": simulator.url,
      "solar-charging:businessId": BUSINESS,
      "solar-charging:retryTimeoutSeconds": "0",
      "solar-charging:requestTimeoutSeconds": "10",
      "solar-charging:verifyTimeoutSeconds": "0",
    },
    environment: { SOLAR_CHARGING_ACCESS_TOKEN: simulator.token },
  };
}

const shared = new Map<string, Promise<TestProvider>>();

/**
 * A provider process of this SDK, connected to a simulator. It takes most of a second to start, so tests that need no
 * special configuration share it, even across files, until this process ends. Each test uses its own devices.
 */
export function sharedProvider(sdk: Sdk): () => TestProvider {
  return providerOf(() => {
    const provider = shared.get(sdk.alias) ?? startShared(sdk);
    shared.set(sdk.alias, provider);
    return provider;
  });
}

async function startShared(sdk: Sdk): Promise<TestProvider> {
  const provider = await TestProvider.start(sdk, connected);
  process.once("exit", () => provider.host.kill());
  return provider;
}

/** One process for all tests of a describe. */
export function ownProvider(sdk: Sdk, options: (simulator: Simulator) => HostOptions): () => TestProvider {
  const provider = providerOf(() => TestProvider.start(sdk, options));
  after(() => provider().stop());
  return provider;
}

function providerOf(start: () => Promise<TestProvider>): () => TestProvider {
  let provider: TestProvider | undefined;
  before(async () => {
    provider = await start();
  });
  return () => {
    if (!provider) throw new Error("the provider is there in tests only");
    return provider;
  };
}

/** Returns a function that starts provider processes. They are stopped after the test. */
export function ownProviders(sdk: Sdk): (options?: (simulator: Simulator) => HostOptions) => Promise<TestProvider> {
  const running: TestProvider[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((provider) => provider.stop()));
  });
  return async (options = connected) => {
    const provider = await TestProvider.start(sdk, options);
    running.push(provider);
    return provider;
  };
}
