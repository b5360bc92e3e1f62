import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { jsonSchemaOfManifests } from "../provider/manifest/jsonSchema";

const ROOT = resolve(__dirname, "../..");

/** Writes the JSON Schema of manifests, which editors read, anew. */
writeFileSync(join(ROOT, "schema", "fleet.schema.json"), `${JSON.stringify(jsonSchemaOfManifests(), null, 2)}\n`);
