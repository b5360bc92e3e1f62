import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { jsonSchemaOfManifests } from "../provider/manifest/jsonSchema";
import { packageSchema } from "../provider/plugin/schema";
import { PAGES_WITH_TABLES, withTables } from "./tables";

const ROOT = resolve(__dirname, "../..");

/** Writes what comes from the tables of settings: the schemas of manifests and of the package, and the tables in docs/. */
for (const [file, schema] of [
  ["fleet.schema.json", jsonSchemaOfManifests()],
  ["package.schema.json", packageSchema()],
] as const) {
  writeFileSync(join(ROOT, "schema", file), `${JSON.stringify(schema, null, 2)}\n`);
}
for (const page of PAGES_WITH_TABLES) {
  const file = join(ROOT, page);
  writeFileSync(file, withTables(readFileSync(file, "utf8")));
}
