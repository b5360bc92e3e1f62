import { sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { shortenTraces } from "../provider/resources/traces";

/** A dynamic resource with the properties of a `VehicleSettings`, and nothing that makes or checks them. */
export class VehicleSettings extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs) {
    const outputs = { onDelete: undefined, reported: undefined, baseline: undefined, verification: undefined };
    const provider = 'exports.handler=()=>require("pulumi-floor-charging/host").vehicle';
    // As ours does: otherwise the floor would be above us.
    const restore = shortenTraces(__dirname + sep);
    try {
      super(
        "pulumi-nodejs:dynamic/floor-charging:VehicleSettings",
        name,
        { ...outputs, businessId: "acme", ...args, __provider: provider },
        {},
      );
    } finally {
      restore();
    }
  }
}
