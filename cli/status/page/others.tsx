import { valueInWords } from "../../../provider/settings/valueWords";
import { counted } from "../../counted";
import { settingInWords } from "../../settingWords";
import type { DeviceView } from "../../view/model";
import { conditionOf } from "../conditions";
import type { LoneDevice } from "../model";
import { Sign } from "./marks";
import { hrefOf } from "./route";
import { Table } from "./table";

/** The devices that no site has. */
export function Others({ devices, of }: { readonly devices: readonly LoneDevice[]; readonly of: number }) {
  return (
    <section aria-labelledby="others">
      <h2 id="others">Devices outside of a site</h2>
      <p class="muted">
        {devices.length === of ? counted(of, "device") : `${devices.length} of ${counted(of, "device")}`}. Only sites
        can be ready for solar-aware charging.
      </p>
      <Table
        caption="Devices outside of a site"
        rows={devices}
        noun="devices"
        keyOf={({ stack, label }) => `${stack} ${label}`}
        columns={[
          { title: "Device", cell: ({ stack, label }) => <a href={hrefOf("device", stack, label)}>{label}</a> },
          { title: "Id", cell: ({ device }) => device },
          { title: "Settings", cell: settingsOf },
        ]}
      />
    </section>
  );
}

function settingsOf(device: DeviceView) {
  return Object.keys(device.declared).map((key) => (
    <span class="setting" key={key}>
      <Sign state={conditionOf(device, key)} setting={key} /> {settingInWords(key)}{" "}
      {valueInWords(key, device.declared[key])}
    </span>
  ));
}
