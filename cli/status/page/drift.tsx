import { defined } from "../../../provider/settings/objects";
import { driftByCause } from "../../view/causes";
import type { DeviceChange, DeviceView, SettingChange, SiteView } from "../../view/model";
import { settingInWords } from "../../words";
import type { LoneDevice } from "../model";
import { shownValue } from "../words";
import { hrefOf } from "./route";
import { Table } from "./table";

/** The settings that somebody changed after they were applied. */
export function Drift({
  sites,
  devices,
}: {
  readonly sites: readonly SiteView[];
  readonly devices: readonly LoneDevice[];
}) {
  const { shared, others } = driftByCause([
    ...sites.flatMap(({ name, title = name, stack, devices: own }) =>
      driftOfDevices(own, title).map((one) => ({ ...one, stack, href: hrefOf("site", stack, name) })),
    ),
    ...devices.flatMap((device) =>
      driftOfDevices([device]).map((one) => ({
        ...{ ...one, stack: device.stack },
        href: hrefOf("device", device.stack, device.label),
      })),
    ),
  ]);
  const rows = others.flatMap((one) =>
    one.change.settings.map(({ setting: key }) => ({ ...one, device: one.of, key })),
  );
  if (shared.length + rows.length === 0) return null;
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Drift</h2>
      <p class="muted">
        Settings that somebody changed since they were applied. The next up writes the declared value again. To keep a
        new value, declare it: fleet drift --accept writes it into a manifest.
      </p>
      {shared.map((one) => (
        <details key={one.words}>
          <summary>{one.words}</summary>
          <p>{one.names.join(", ")}</p>
        </details>
      ))}
      {rows.length > 0 && (
        <Table
          caption="Drifted settings"
          rows={rows}
          noun="settings"
          keyOf={({ device, stack, key }) => `${stack} ${device.device} ${device.label} ${key}`}
          columns={[
            {
              title: "Site",
              cell: ({ device, site, href }) => <a href={href}>{site ?? device.label}</a>,
            },
            { title: "Device", cell: ({ device }) => device.label },
            { title: "Setting", cell: ({ key }) => settingInWords(key) },
            { title: "Declared", cell: ({ device, key }) => shownValue(device, key, device.declared) },
            {
              title: "Reported",
              class: "drifted",
              cell: ({ device, key }) => shownValue(device, key, device.reported),
            },
          ]}
        />
      )}
    </section>
  );
}

/** The drift of devices, from declared to reported values. @param site absent outside of a site */
function driftOfDevices(devices: readonly DeviceView[], site?: string) {
  return devices.flatMap((of) => {
    const { label, drift, declared, reported, secret } = of;
    const settings = drift.map((setting): SettingChange => {
      const [from, to] = [declared[setting], reported[setting]];
      return secret.includes(setting) ? { setting, secret: true } : { setting, from, to };
    });
    const change: DeviceChange = { label, kind: "changed", settings };
    return settings.length === 0 ? [] : [{ ...defined({ site }), change, of }];
  });
}
