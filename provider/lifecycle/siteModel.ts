import type { Gap } from "../settings/readiness";
import type { SiteDevice } from "../settings/site";
import type { State } from "./state";

/** What identifies a device of a site, and what the site does with it. */
export type Role = Pick<SiteDevice, "group" | "name" | "observe" | "policyFromSite">;

/** One device of a site between two runs. */
export interface KeptDevice {
  readonly role: Role;
  readonly state: State;
}

/** What is kept about a site between runs: the outputs of its resource, without what follows from them. */
export interface SiteState {
  readonly site: string;
  readonly solar: boolean;
  readonly latitude?: number;
  readonly devices: readonly KeptDevice[];
  /** Declared settings that the service has not accepted, as an update failed. */
  readonly openGaps: readonly Gap[];
}

/** What a program declares for a site. */
export interface SiteDeclaration extends Pick<SiteState, "site" | "solar" | "latitude"> {
  /** Inverters first. */
  readonly devices: readonly SiteDevice[];
}
