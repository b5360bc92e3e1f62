import { z } from "zod";
import { manifestForm } from "./form";

/** The form of a manifest as a JSON Schema, in the draft that editors know best. */
export function jsonSchemaOfManifests(): object {
  return z.toJSONSchema(manifestForm, { target: "draft-07", io: "input" });
}
