import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fold, type Losses } from "../measure/sky/fold";
import { CONFIGURATION_KEYS, type ConfigurationKey } from "../provider/configuration/configurationKeys";
import { isReleased, ownPackage, type Package } from "../provider/engine/plugin";
import { variableOf } from "../provider/messages/names";
import { inverter } from "../provider/settings/inverter";
import { lossText, percent, planesText } from "../provider/settings/planes";
import type { DeviceKind, NumberSetting, Setting } from "../provider/settings/setting";
import { vehicle } from "../provider/settings/vehicle";
import { repositoryOf } from "./repository";

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replace(/ {2,}/g, " ");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const code = (value: unknown) => `\`${value}\``;

/** The numbers that a setting accepts: `1000 to 300000`, or `0 to below peakPower`. */
export function rangeOf({ minimum, maximum, below }: NumberSetting): string {
  return `${minimum} to ${below ? `below ${below}` : maximum}`;
}

/** The values that a setting accepts. */
function acceptedBy(setting: Setting): string {
  if (setting.type === "choice") return Object.keys(setting.choices).map(code).join(", ");
  return rangeOf(setting).replace(/[a-z]\w*[A-Z]\w*/, code);
}

function settingsTable({ name, settings, isDocumented }: DeviceKind): string {
  const range = isDocumented ? "range, as the service documents" : "range (our choice)";
  const rows = Object.entries(settings).map(([key, setting]) => [
    code(key),
    setting.type === "number" ? setting.unit : "",
    acceptedBy(setting),
    ...(isDocumented ? [setting.type === "choice" ? code(setting.default) : String(setting.default)] : []),
    setting.description,
  ]);
  return table([name, "unit", range, ...(isDocumented ? ["the service's default"] : []), "meaning"], rows);
}

/** Pages with more information about a value of the configuration. */
const MORE: Partial<Readonly<Record<ConfigurationKey, string>>> = {
  inverterFields: "As a JSON object: [names of an inverter's settings](#names-of-an-inverters-settings).",
  livePreview: "See [live preview](reviewing.md#live-preview).",
  allowGone: "Set it in the environment, for one run: [most devices are gone](recovery.md#most-devices-are-gone).",
  ledgerFile: "See [ledger](ledger.md).",
};

function configurationTable(): string {
  // The schema has the docstrings of `ProviderArgs`.
  const schema = JSON.parse(readFileSync(resolve(__dirname, "../../schema/package.schema.json"), "utf8"));
  const rows = CONFIGURATION_KEYS.map((key) => [
    `${code(`solar-charging:${key}`)}<br>${code(variableOf(key))}`,
    [schema.provider.inputProperties[key].description, MORE[key]].filter(Boolean).join(" "),
  ]);
  return table(["configuration, environment", "meaning"], rows);
}

/** Planes of 10 kWp together: peak power in kW, azimuth, tilt. */
const FOLDED_EXAMPLES: readonly (readonly (readonly [number, number, number])[])[] = [
  ...[30, 45].map(
    (tilt) =>
      [
        [5, 90, tilt],
        [5, 270, tilt],
      ] as const,
  ),
  [
    [5, 180, 35],
    [5, 270, 35],
  ],
  [
    [3, 90, 35],
    [4, 180, 35],
    [3, 270, 35],
  ],
];

/** The change of a year's energy, and the share of it at another time of day: `−3 %, 4 %`. */
export function lossesText({ yearLoss = 0, shapeLoss = 0 }: Losses): string {
  return `${lossText(yearLoss)}, ${percent(shapeLoss)}`;
}

/** A table of single planes in place of several, with their losses. */
function planesTable(): string {
  const rows = FOLDED_EXAMPLES.map((example) => {
    const planes = example.map(([kilowatts, azimuth, tilt]) => ({ peakPower: kilowatts * 1000, azimuth, tilt }));
    const fit = fold(planes, 50);
    return [planesText(planes), planesText([fit]), lossesText(fit)];
  });
  return table(["planes", "as one", "of a year, at another time"], rows);
}

/** The tables in docs/ that come from the code, by the name in their mark. */
const TABLES: Readonly<Record<string, () => string>> = {
  vehicle: () => settingsTable(vehicle),
  inverter: () => settingsTable(inverter),
  configuration: configurationTable,
  planes: planesTable,
};

/** The programs of examples/languages, by the name in their mark. That of README is `ts`. */
const PROGRAMS: Readonly<Record<string, string>> = { yaml: "Pulumi.yaml", python: "__main__.py", go: "main.go" };

/** The names of languages in the schema of the package. */
const LANGUAGES: Readonly<Record<string, string>> = { ts: "typescript", python: "python", go: "go", yaml: "yaml" };

/**
 * The programs for the descriptions of resources in the schema, by resource and language: those of a site from
 * examples/languages, those of a device from docs/. Tests run each of them.
 */
export function programsForSchema(): Record<string, Record<string, string>> {
  const pages = ["resources.md", "settings.md"].map((page) =>
    readFileSync(resolve(__dirname, "../../docs", page), "utf8"),
  );
  const blocks = [...pages.join("").matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const textOf = (name: string, language: string) => {
    if (name === "SiteSettings") return program(language).replace(/^```.*\n?/gm, "");
    const declares = new RegExp(`(new ${name}|solar\\.${name}|New${name})\\(|solar-charging:${name}\\b`);
    const text = blocks.find(([, of, one = ""]) => of === language && declares.test(one))?.[2];
    if (text === undefined) throw new Error(`docs/ has no ${name} in ${language}`);
    return text;
  };
  const ofResource = (name: string) =>
    Object.entries(LANGUAGES).map(([language, title]) => [
      title,
      textOf(name, language).replace('"pulumi-solar-charging"', '"pulumi-solar-charging/native"'),
    ]);
  const names = ["SiteSettings", vehicle.resource, inverter.resource];
  return Object.fromEntries(names.map((name) => [name, Object.fromEntries(ofResource(name))]));
}

function program(language: string): string {
  const read = (...path: string[]) => readFileSync(resolve(__dirname, "../..", ...path), "utf8");
  if (language === "ts") return /```ts\n.*?```/s.exec(read("README.md"))?.[0] ?? "";
  const file = PROGRAMS[language];
  if (file === undefined) throw new Error(`there is no example ${language}`);
  return `\`\`\`${language}\n${read("examples", "languages", language, file).trimEnd()}\n\`\`\``;
}

/**
 * A page with the current program of each language, between `<!-- example: language -->` and `<!-- end of example -->`.
 */
function withPrograms(page: string): string {
  return page.replace(
    /(<!-- example: (\w+)[^>]*-->\n\n).*?(<!-- end of example -->)/gs,
    (_all, start, language, end) => `${start}${program(language)}\n\n${end}`,
  );
}

/**
 * A page with its current tables and programs. A table stands between `<!-- table: name -->` and
 * `<!-- end of table -->`.
 */
export function withTables(page: string): string {
  return withPrograms(withInstall(page, ownPackage())).replace(
    /(<!-- table: (\w+)[^>]*-->\n\n).*?(\n?<!-- end of table -->)/gs,
    (_all, start, name, end) => {
      const made = TABLES[name];
      if (!made) throw new Error(`there is no table ${name}`);
      return `${start}${made()}\n\n${end.trim()}`;
    },
  );
}

/** The only sentence of other pages about an installation before a release. */
function notYet(own: Package, page: string): string {
  return isReleased(own) ? "" : `The packages are not at npm yet: [install them from a clone](${page}#a-project).`;
}

/** The commands that install the packages: from npm after a release, from a clone before it. */
const INSTALL: Readonly<Record<string, (own: Package) => string>> = {
  readme(own) {
    const before = "In a Pulumi project for Node (`pulumi new typescript`)";
    if (isReleased(own)) return `${before}:\n\n\`\`\`sh\nnpm install ${own.name}\n\`\`\``;
    return [
      "The package is not at npm yet. Make it in a clone of this repository, after `npm install`:",
      `\`\`\`sh\nnpm pack\n\`\`\``,
      `${before}, install it. \`clone\` is the folder of the clone:`,
      `\`\`\`sh\nnpm install ./clone/${own.name}-${own.version}.tgz\n\`\`\``,
    ].join("\n\n");
  },
  note(own) {
    if (isReleased(own)) return "";
    const simulator = "solar-charging-simulator";
    return (
      `The packages are not at npm yet. Run \`npm install\`, \`npm pack\` and \`npm pack --workspace simulator\` in a clone ` +
      `of this page's repository. Then install both files, instead of the two commands above; \`clone\` is the folder of the clone: ` +
      `\`npm install ./clone/${own.name}-${own.version}.tgz ./clone/${simulator}-${own.version}.tgz\`.`
    );
  },
  link: (own) => notYet(own, "getting-started.md"),
  registry: (own) => notYet(own, `${repositoryOf(own)}/blob/main/docs/getting-started.md`),
};

/** A page with the present way to install, between `<!-- install: name -->` and `<!-- end of install -->`. */
export function withInstall(page: string, own: Package): string {
  return page.replace(
    /(<!-- install: (\w+)[^>]*-->\n\n).*?\n?(<!-- end of install -->)/gs,
    (_all, start, name, end) => {
      const made = INSTALL[name];
      if (!made) throw new Error(`there is no way ${name} to install`);
      const text = made(own);
      return `${start}${text}${text && "\n\n"}${end}`;
    },
  );
}

/** The pages with such tables, programs or ways to install. */
export const PAGES_WITH_TABLES = [
  "README.md",
  "docs/configuration.md",
  "docs/getting-started.md",
  "docs/installation-configuration.md",
  "docs/languages.md",
  "docs/reviewing.md",
  "docs/settings.md",
  "docs/roof.md",
];
