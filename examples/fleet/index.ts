import { FleetSettings } from "pulumi-solar-charging";

const fleet = new FleetSettings("fleet", { manifest: "fleet.yaml" });

export const { ready, missing, unverified } = fleet;
