import {
  CONFIGURATION_KEYS,
  type ConfigurationKey,
  describeConfiguration,
  variableOf,
} from "../provider/configuration/configurationKeys";
import { rangeOf } from "../provider/settings/describe";
import { inverter } from "../provider/settings/inverter";
import type { DeviceKind, Setting } from "../provider/settings/setting";
import { vehicle } from "../provider/settings/vehicle";

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replace(/ {2,}/g, " ");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const code = (value: unknown) => `\`${value}\``;

/** The values that a setting accepts. */
function acceptedBy(setting: Setting): string {
  if (setting.type === "choice") return setting.choices.map(code).join(", ");
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

/** Pages that say more about a value of the configuration. */
const MORE: Partial<Readonly<Record<ConfigurationKey, string>>> = {
  inverterFields: "As a JSON object: [names of an inverter's settings](#names-of-an-inverters-settings).",
  livePreview: "See [live preview](reviewing.md#live-preview).",
  allowGone: "Set it in the environment, for one run: [most devices are gone](reliability.md#most-devices-are-gone).",
  ledgerFile: "See [ledger](ledger.md).",
};

function configurationTable(): string {
  const rows = CONFIGURATION_KEYS.map((key) => [
    `${code(`solar-charging:${key}`)}<br>${code(variableOf(key))}`,
    [describeConfiguration(key), MORE[key]].filter(Boolean).join(" "),
  ]);
  return table(["configuration, environment", "meaning"], rows);
}

/** The tables in docs/ that come from the code, by the name in their mark. */
const TABLES: Readonly<Record<string, () => string>> = {
  vehicle: () => settingsTable(vehicle),
  inverter: () => settingsTable(inverter),
  configuration: configurationTable,
};

/** A page with its tables written anew. Each stands between `<!-- table: name -->` and `<!-- end of table -->`. */
export function withTables(page: string): string {
  return page.replace(/(<!-- table: (\w+)[^>]*-->\n\n).*?(\n?<!-- end of table -->)/gs, (_all, start, name, end) => {
    const made = TABLES[name];
    if (!made) throw new Error(`there is no table ${name}`);
    return `${start}${made()}\n\n${end.trim()}`;
  });
}

/** The pages with such tables. */
export const PAGES_WITH_TABLES = ["docs/configuration.md", "docs/resources.md"];
