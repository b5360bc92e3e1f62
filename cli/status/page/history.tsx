import { changeInWords } from "../../../provider/settings/valueWords";
import type { DeviceView, Update } from "../../view/model";
import { settingInWords } from "../../words";
import { byInWords, minuteOf } from "../words";
import { Table } from "./table";

/** The last change of several devices: when, and by whom. */
export function lastChangeOf(devices: readonly DeviceView[]): string {
  const updates = devices.flatMap((device) => device.updates.slice(0, 1));
  const [last] = updates.sort((a, b) => (a.time < b.time ? 1 : -1));
  return last ? `${last.time.slice(0, 10)} ${byInWords(last.by)}` : "";
}

/** The updates of a device in the ledger. */
export function History({ updates }: { readonly updates: readonly Update[] }) {
  const [last] = updates;
  // There may be no ledger.
  if (!last) return null;
  return (
    <details>
      <summary>
        Last changes: {minuteOf(last.time)}, {byInWords(last.by)}
      </summary>
      <Table
        caption="Last changes"
        rows={updates}
        noun="changes"
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

function whatChanged({ settings, outcome }: Update) {
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
