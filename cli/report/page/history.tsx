import { changeInWords, settingInWords } from "../../settingWords";
import type { Change, DeviceStatus } from "../../status/model";
import { minuteOf } from "../../status/time";
import { byInWords } from "../../status/words";

/** The last change of several devices: when, and by whom. */
export function lastChangeOf(devices: readonly DeviceStatus[]): string {
  const changes = devices.flatMap((device) => device.changes.slice(0, 1));
  const [last] = changes.sort((a, b) => (a.time < b.time ? 1 : -1));
  return last ? `${last.time.slice(0, 10)} ${byInWords(last.by)}` : "";
}

/** What the ledger has of a device. */
export function History({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="muted">The ledger has no change of it.</p>;
  return (
    <details>
      <summary>Last changes: {lastChangeText(changes)}</summary>
      <table class="plain stacked">
        <caption class="hidden">Last changes</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.time}>
              <td data-label="When">{minuteOf(change.time)}</td>
              <td data-label="What">
                {change.settings.map(({ key, from, to }) => (
                  <div key={key}>
                    {settingInWords(key)} {to === undefined ? "[secret]" : changeInWords(key, from, to)}
                  </div>
                ))}
                {change.outcome !== "accepted" && <em>{change.outcome}</em>}
              </td>
              <td class="by" data-label="By">
                {change.by}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function lastChangeText([last]: readonly Change[]): string {
  return last ? `${minuteOf(last.time)}, ${byInWords(last.by)}` : "";
}
