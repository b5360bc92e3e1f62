import { changeInWords } from "../../../provider/lifecycle/run/valueWords";
import { settingInWords } from "../../settingWords";
import type { Change, DeviceStatus } from "../../status/model";
import { byInWords, minuteOf } from "../../status/words";
import { Table } from "./table";

/** The last change of several devices: when, and by whom. */
export function lastChangeOf(devices: readonly DeviceStatus[]): string {
  const changes = devices.flatMap((device) => device.changes.slice(0, 1));
  const [last] = changes.sort((a, b) => (a.time < b.time ? 1 : -1));
  return last ? `${last.time.slice(0, 10)} ${byInWords(last.by)}` : "";
}

/** The changes of a device in the ledger. */
export function History({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="muted">The ledger has no changes of this device.</p>;
  return (
    <details>
      <summary>Last changes: {lastChangeText(changes)}</summary>
      <Table
        caption="Last changes"
        rows={changes}
        keyOf={({ time }) => time}
        columns={[
          { title: "When", cell: ({ time }) => minuteOf(time) },
          { title: "What", cell: whatChanged },
          { title: "By", class: "by", cell: ({ by }) => by },
        ]}
      />
    </details>
  );
}

function whatChanged({ settings, outcome }: Change) {
  return (
    <>
      {settings.map(({ key, from, to }) => (
        <div key={key}>
          {settingInWords(key)} {to === undefined ? "[secret]" : changeInWords(key, from, to)}
        </div>
      ))}
      {outcome !== "accepted" && <em>{outcome}</em>}
    </>
  );
}

function lastChangeText([last]: readonly Change[]): string {
  return last ? `${minuteOf(last.time)}, ${byInWords(last.by)}` : "";
}
