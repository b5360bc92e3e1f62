import type { Behaviour, FleetDevice, Settings } from "./types";

/** One device: its true settings, and the older ones that a cache still shows. */
export class Device {
  readonly description: FleetDevice;
  /** The differences of this device from the common behaviour. */
  readonly behaviour: Partial<Behaviour>;
  readonly #now: () => number;
  #settings: Settings;
  /** Earlier settings, each with the end of its time; oldest first, as far back as the cache needs. */
  #past: { until: number; settings: Settings }[] = [];
  /** The settings that the cached read still shows after a PATCH, and for how many reads. */
  #stale: { readsLeft: number; settings: Settings } = { readsLeft: 0, settings: {} };

  constructor(description: FleetDevice, now: () => number) {
    const defaults = description.type === "vehicle" ? { policy: "CHARGE BY" } : {};
    this.description = description;
    this.behaviour = { ...description.behaviour };
    this.#now = now;
    this.#settings = { ...defaults, ...description.settings };
  }

  /** The true settings now. */
  get settings(): Settings {
    return { ...this.#settings };
  }

  /** Settings changed at the source: by the app user, or by a PATCH. */
  set(changes: Settings): void {
    this.#past.push({ until: this.#now(), settings: this.#settings });
    this.#settings = { ...this.#settings, ...changes };
  }

  patch(changes: Settings, behaviour: Behaviour): void {
    if (behaviour.ignoresPatches) return;
    this.#stale = { readsLeft: behaviour.cacheLagReads, settings: this.#cached(behaviour) };
    this.set(changes);
  }

  /** The settings that the cached read shows. Each call counts as one read. */
  cachedRead(behaviour: Behaviour): Settings {
    const settings = this.#cached(behaviour);
    this.#stale.readsLeft -= 1;
    return settings;
  }

  #cached({ cacheLagSeconds }: Behaviour): Settings {
    if (this.#stale.readsLeft > 0) return this.#stale.settings;
    const shownTime = this.#now() - cacheLagSeconds * 1000;
    this.#past = this.#past.filter(({ until }) => until > shownTime);
    return this.#past[0]?.settings ?? this.#settings;
  }
}
