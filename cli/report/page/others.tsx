import { settingInWords, valueInWords } from "../../settingWords";
import type { DeviceStatus } from "../../status/model";
import { standingOf } from "../conditions";
import { Sign } from "./marks";
import { hrefOf } from "./route";
import { useRows } from "./rows";

/** The devices that no site has. */
export function Others({ devices, of }: { readonly devices: readonly DeviceStatus[]; readonly of: number }) {
  const { rows, more } = useRows(devices, "devices");
  return (
    <section aria-labelledby="others">
      <h2 id="others">Devices outside of a site</h2>
      <p class="muted">
        {devices.length === of ? `${of} devices` : `${devices.length} of ${of} devices`}. Whether they are ready for
        solar-aware charging is a question about a site.
      </p>
      <table class="plain stacked">
        <caption class="hidden">Devices outside of a site</caption>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Id</th>
            <th scope="col">Settings</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((device) => (
            <tr key={`${device.stack} ${device.label}`}>
              <td data-label="Device">
                <a href={hrefOf("device", device.stack, device.label)}>{device.label}</a>
              </td>
              <td data-label="Id">{device.device}</td>
              <td data-label="Settings">
                {Object.keys(device.declared).map((key) => (
                  <span class="setting" key={key}>
                    <Sign standing={standingOf(device, key)} setting={key} /> {settingInWords(key)}{" "}
                    {valueInWords(key, device.declared[key])}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </section>
  );
}
