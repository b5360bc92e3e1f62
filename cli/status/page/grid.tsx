import type { SiteView } from "../../view/model";
import { counted, settingInWords } from "../../words";
import { CONDITIONS, conditionAt, ownConditionAt } from "../conditions";
import { warningsOf } from "../model";
import { lastChangeOf } from "./history";
import { CONDITION_WORDS, Mark, ReadyBadge, Sign, VerdictBadge } from "./marks";
import { hrefOf } from "./route";
import { useRows } from "./rows";

/** Sites in rows, conditions in columns. */
export function Grid({ sites, isOffline }: { readonly sites: readonly SiteView[]; readonly isOffline: boolean }) {
  const { rows, more } = useRows(sites, "sites");
  const kinds = ["vehicle", "inverter"] as const;
  return (
    <>
      <table class="grid">
        <caption class="hidden">Sites and the conditions of solar-aware charging</caption>
        <thead>
          <tr>
            <th rowSpan={2} scope="col">
              Site
            </th>
            {!isOffline && (
              <th rowSpan={2} scope="col">
                Now
              </th>
            )}
            <th rowSpan={2} scope="col">
              Declared
            </th>
            <th rowSpan={2} scope="col">
              Device status
            </th>
            {kinds.map((kind) => (
              <th
                key={kind}
                class="group"
                scope="colgroup"
                colSpan={CONDITIONS.filter((one) => one.kind === kind).length}
              >
                {kind === "vehicle" ? "Cars" : "Inverters"}
              </th>
            ))}
            <th rowSpan={2} scope="col">
              Our last change
            </th>
          </tr>
          <tr>
            {CONDITIONS.map(({ key }) => (
              <th key={key} class="condition" scope="col">
                {inShort(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((site) => (
            <Row key={`${site.stack} ${site.name}`} site={site} isOffline={isOffline} />
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function Row({ site, isOffline }: { readonly site: SiteView; readonly isOffline: boolean }) {
  const warnings = warningsOf(site).length;
  const own = ownConditionAt(site);
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf("site", site.stack, site.name)}>{site.title ?? site.name}</a>
        {site.change && <span class="note">{site.change === "new" ? "not applied yet" : "no longer declared"}</span>}
        {warnings > 0 && <span class="note">{counted(warnings, "value")} may be wrong</span>}
      </th>
      {!isOffline && (
        <td class="verdict" data-label="Now">
          <VerdictBadge observed={site.observed} />
        </td>
      )}
      <td class="verdict" data-label="Declared">
        <ReadyBadge {...site} />
      </td>
      <td class="cell" data-label="Device status">
        <Mark state={own} words={own === "ok" ? "no device reports that it does not charge" : CONDITION_WORDS[own]} />
      </td>
      {CONDITIONS.map((condition) => (
        <td key={condition.key} class="cell" data-label={inShort(condition.key)}>
          <Sign state={conditionAt(site, condition)} setting={condition.key} />
        </td>
      ))}
      <td class="change">{lastChangeOf(site.devices)}</td>
    </tr>
  );
}

/** A short name of a setting, for a narrow column. */
function inShort(key: string): string {
  return settingInWords(key).replace(" threshold", "");
}
