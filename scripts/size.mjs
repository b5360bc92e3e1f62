/**
 * `npm run size` writes sizes.json: for each room of the product its tokens, without imports, comments and layout, and
 * its doors, which are the names that other rooms import. With `--check`, it fails if the file does not match, or if
 * the sum is above the cap in the file. Without the check, the product would grow a little with each change, unseen.
 * The cap is set by hand, and only falls: who needs room in one place makes it in another.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILE = join(ROOT, "sizes.json");

/** The rooms that have several folders, in order: the first that fits counts. Each other folder is a room. */
const ROOMS = Object.entries({
  settings: /^provider\/(settings|messages|status)\//,
  lifecycle: /^provider\/(lifecycle|approval)\//,
  front: /^provider\/(resources|engine|configuration)\/|^provider\/\w+\.ts$/,
  measure: /^measure\/|^cli\/(measured|measure)\//,
  review: /^cli\/(review|clearDays|sun)\//,
  fleet: /^cli\/(stacks|fleet|edit)\//,
  frame: /^cli\/(command|program|output|ledger)\/|^cli\/\w+\.ts$/,
});

/** @typedef {{ files: number, tokens: number, doors: Set<string> }} Room */

/** @param {string} file */
function roomOf(file) {
  const [found] = ROOMS.find(([, folders]) => folders.test(file)) ?? [file.split("/")[1] ?? ""];
  return found;
}

/**
 * The number of tokens below a node.
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 * @returns {number}
 */
function tokensOf(node, source) {
  if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return 0;
  const children = node.getChildren(source);
  if (children.length > 0) return children.reduce((sum, child) => sum + tokensOf(child, source), 0);
  return node.getWidth(source) > 0 ? 1 : 0;
}

/**
 * The names that a file imports, with the file that has them.
 * @param {string} file
 * @param {ts.SourceFile} source
 * @returns {[string, string][]}
 */
function importsOf(file, source) {
  /** @type {[string, string][]} */
  const found = [];
  /** @param {string} path @param {readonly string[]} names */
  const add = (path, names) => {
    if (!path.startsWith(".")) return;
    const place = normalize(join(dirname(file), path)).replace(/\.js$/, "");
    const target = [`${place}.ts`, `${place}.tsx`].find((one) => existsSync(join(ROOT, one)));
    if (target) found.push(...names.map((name) => /** @type {[string, string]} */ ([target, name])));
  };
  for (const one of source.statements) {
    if (!(ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) || !one.moduleSpecifier) continue;
    const names = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : one.exportClause;
    const isList = names && (ts.isNamedImports(names) || ts.isNamedExports(names));
    const path = /** @type {ts.StringLiteral} */ (one.moduleSpecifier).text;
    add(path, isList ? names.elements.map(({ propertyName, name }) => (propertyName ?? name).text) : ["*"]);
  }
  for (const [, path = "", name] of source.text.matchAll(/import\("(\.[^"]+)"\)\)?\.?(\w*)/g)) add(path, [name || "*"]);
  return found;
}

/** The sizes of today, by room. */
function measure() {
  /** @type {Record<string, Room>} */
  const rooms = {};
  /** @param {string} file */
  const at = (file) => (rooms[roomOf(file)] ??= { files: 0, tokens: 0, doors: new Set() });
  const files = execFileSync("git", ["ls-files", "provider", "cli", "measure"], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const room = at(file);
    room.files++;
    room.tokens += tokensOf(source, source);
    for (const [target, name] of importsOf(file, source)) {
      if (roomOf(target) !== roomOf(file)) at(target).doors.add(`${target}:${name}`);
    }
  }
  const sizes = Object.entries(rooms)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, { files, tokens, doors }]) => /** @type {const} */ ([name, { files, tokens, doors: doors.size }]));
  /** @param {"files" | "tokens" | "doors"} key */
  const sum = (key) => sizes.reduce((all, [, size]) => all + size[key], 0);
  return { sum: { files: sum("files"), tokens: sum("tokens"), doors: sum("doors") }, rooms: Object.fromEntries(sizes) };
}

const before = existsSync(FILE) ? readFileSync(FILE, "utf8") : "{}";
const today = measure();
const { cap = { tokens: today.sum.tokens, doors: today.sum.doors } } = JSON.parse(before);
const text = `${JSON.stringify({ cap, ...today }, null, 2)}\n`;
if (process.argv.includes("--check")) {
  if (text !== before) fail('sizes.json does not match the sources. Run "npm run size", and look at what has grown.');
} else {
  writeFileSync(FILE, text);
  console.table({ ...today.rooms, sum: today.sum, cap });
}
for (const key of /** @type {const} */ (["tokens", "doors"])) {
  if (today.sum[key] > cap[key])
    fail(`The product has ${today.sum[key]} ${key}, and the cap is ${cap[key]}: remove as many.`);
}

/** @param {string} reason */
function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}
