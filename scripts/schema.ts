import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { jsonSchemaOfManifests } from "../provider/manifest/jsonSchema";
import { packageSchema } from "../provider/plugin/schema";

const FOLDER = join(resolve(__dirname, "../.."), "schema");

/** Writes both schemas anew: that of manifests, which editors read, and that of the package, which Pulumi reads. */
for (const [file, schema] of [
  ["fleet.schema.json", jsonSchemaOfManifests()],
  ["package.schema.json", packageSchema()],
] as const) {
  writeFileSync(join(FOLDER, file), `${JSON.stringify(schema, null, 2)}\n`);
}
