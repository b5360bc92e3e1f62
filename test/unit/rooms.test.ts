import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/project";

/** By folder of provider/, the folders that it may import. Types count too. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  messages: [],
  status: [],
  settings: ["messages", "measure/"],
  service: ["messages"],
  manifest: ["settings"],
  ledger: ["messages", "settings", "service"],
  lifecycle: ["messages", "settings", "service", "ledger"],
  configuration: ["messages", "settings", "service"],
  engine: ["messages", "settings", "service", "status", "lifecycle"],
  resources: ["messages", "settings", "lifecycle", "configuration", "run", "manifest", "engine", "status"],
  plugin: ["messages", "settings", "ledger", "lifecycle", "configuration", "run", "status", "engine"],
};

/** By folder of this repository, the folders that it may import. Only tests may import tests. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  measure: [],
  provider: ["measure"],
  simulator: [],
  policy: [], // policy/ imports the provider as a package.
  cli: ["provider", "measure"],
  scripts: ["provider", "measure", "cli"],
  bench: ["scripts"],
};

/** The files that connect all parts: they may import from above and from below. */
const ROOTS = ["provider/index.ts", "provider/native.ts", "cli/main.ts"];

const files = execFileSync("git", ["ls-files", ...Object.keys(FOLDERS)], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** The texts in `from "…"`, including imports of types. */
function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/\bfrom "([^"]+)"/g)].map(([, path = ""]) => path);
}

/** The files of this repository that a file imports. */
function neighboursOf(file: string): string[] {
  return importsOf(file).flatMap((path) => {
    const place = normalize(join(dirname(file), path));
    return path.startsWith(".") ? [`${place}.ts`, `${place}.tsx`].filter((one) => files.includes(one)) : [];
  });
}

describe("rooms", () => {
  for (const [folder, others] of Object.entries(FOLDERS)) {
    it(`${folder}/ imports nothing but ${["itself", ...others].join(", ")}`, () => {
      const strangers = files
        .filter((file) => file.startsWith(`${folder}/`))
        .flatMap((file) =>
          importsOf(file)
            .filter((path) => path.startsWith("."))
            .map((path) => normalize(join(dirname(file), path))),
        )
        .filter((path) => ![folder, ...others].includes(path.split("/")[0] ?? ""));
      expect(strangers).to.deep.equal([]);
    });
  }

  for (const [room, others] of Object.entries(ROOMS)) {
    const own = files.filter((file) => file.startsWith(`provider/${room}/`));

    it(`provider/${room} imports nothing but ${["itself", ...others].join(", ")}`, () => {
      const strangers = own.flatMap((file) =>
        neighboursOf(file).filter((other) => {
          const [folder = "", name = ""] = other.replace(/\.tsx?$/, "").split("/");
          const neighbour = folder === "provider" ? name : `${folder}/`;
          return neighbour !== room && !others.includes(neighbour);
        }),
      );
      expect(strangers).to.deep.equal([]);
    });

    if (room === "resources") continue;
    it(`provider/${room} does not load Pulumi's SDK`, () => {
      const ofPulumi = own.flatMap(importsOf).filter((path) => path.startsWith("@pulumi"));
      // The plugin loads the messages that it exchanges with the engine, but not the SDK for programs.
      expect(ofPulumi.filter((path) => !path.startsWith("@pulumi/pulumi/proto/") || room !== "plugin")).to.deep.equal(
        [],
      );
    });
  }

  it("the provider imports of measure/ nothing but the fold of planes", () => {
    const used = files.filter((file) => file.startsWith("provider/")).flatMap(neighboursOf);
    expect(new Set(used.filter((file) => file.startsWith("measure/")))).to.deep.equal(
      new Set(["measure/sky/plane.ts", "measure/sky/fold.ts"]),
    );
  });

  it("measure/sky/ loads neither Node nor Pulumi, and reads no file", () => {
    const packages = files.filter((file) => file.startsWith("measure/sky/")).flatMap(importsOf);
    expect(packages.filter((path) => !path.startsWith(".") && path !== "suncalc")).to.deep.equal([]);
  });

  it("have no circle of imports", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]) => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
      if (way.includes(file) || done.has(file)) return;
      for (const next of neighboursOf(file)) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).to.deep.equal([]);
  });

  it("have no circle of folders", () => {
    const folders = new Map<string, Set<string>>();
    for (const file of files.filter((one) => !ROOTS.includes(one))) {
      const known = folders.get(dirname(file)) ?? new Set();
      folders.set(dirname(file), known);
      for (const other of neighboursOf(file)) if (dirname(other) !== dirname(file)) known.add(dirname(other));
    }
    const reached = (from: string, done = new Set<string>()): Set<string> => {
      for (const next of folders.get(from) ?? []) if (!done.has(next)) reached(next, done.add(next));
      return done;
    };
    expect([...folders.keys()].filter((folder) => reached(folder).has(folder))).to.deep.equal([]);
  });
});
