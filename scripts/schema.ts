import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownPackage } from "../provider/engine/plugin";
import { PAGES_FOR_AGENTS } from "./agents";
import { manifestSchema } from "./manifestSchema";
import { outputSchema } from "./output";
import { packageSchema } from "./packageSchema";
import { PublishedTypes } from "./published";
import { repositoryOf } from "./repository";
import { REGISTRY, withLinksToRepository, withRepository } from "./site";
import { PAGES_WITH_TABLES, programsForSchema, withTables } from "./tables";

const ROOT = resolve(__dirname, "../..");
const types = new PublishedTypes(ROOT);

/**
 * Writes the files that come from the sources: the schemas of manifests, of the package and of `--json`, the tables in
 * docs/, and the pages for agents.
 */
for (const [file, schema] of [
  ["fleet.schema.json", manifestSchema(types)],
  ["output.schema.json", outputSchema(ROOT)],
  ["package.schema.json", packageSchema(types, ownPackage(), programsForSchema())],
] as const) {
  writeFileSync(join(ROOT, "schema", file), `${JSON.stringify(schema, null, 2)}\n`);
}
for (const page of PAGES_WITH_TABLES) {
  const file = join(ROOT, page);
  writeFileSync(file, withTables(readFileSync(file, "utf8")));
}

// The files that depend on the address of the repository, which is in the package.json of the root.
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const address = repositoryOf(ownPackage());
for (const directory of [undefined, "native-package", "policy", "simulator", "measure"]) {
  const file = join(directory ?? "", "package.json");
  const manifest = withRepository(JSON.parse(read(file)), address, directory);
  writeFileSync(join(ROOT, file), `${JSON.stringify(manifest, null, 2)}\n`);
}
for (const [file, made] of Object.entries(PAGES_FOR_AGENTS)) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), made(read));
}
for (const page of REGISTRY) writeFileSync(join(ROOT, page), withLinksToRepository(page, read(page), address));
