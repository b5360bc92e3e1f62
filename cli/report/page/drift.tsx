import { settingInWords } from "../../settingWords";
import type { DeviceStatus, SiteStatus } from "../../status/model";
import { shownValue } from "../../status/words";
import { hrefOf } from "./route";
import { useRows } from "./rows";

/** What somebody changed since it was applied. */
export function Drift({
  sites,
  devices,
}: {
  readonly sites: readonly SiteStatus[];
  readonly devices: readonly DeviceStatus[];
}) {
  const drifted = [
    ...sites.flatMap(({ site, stack, devices: own }) =>
      own.map((device) => ({ device, site, href: hrefOf("site", stack, site) })),
    ),
    ...devices.map((device) => ({ device, site: "–", href: hrefOf("device", device.stack, device.label) })),
  ].flatMap((one) => one.device.drift.map((key) => ({ ...one, key })));
  const { rows, more } = useRows(drifted, "settings");
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Drift</h2>
      {drifted.length === 0 ? (
        <p class="empty">Nothing has drifted: what is reported is what was applied.</p>
      ) : (
        <>
          <p class="muted">
            Settings that somebody changed since they were applied. The next up writes the declared value again.
          </p>
          <table class="plain stacked">
            <caption class="hidden">Drifted settings</caption>
            <thead>
              <tr>
                <th scope="col">Site</th>
                <th scope="col">Device</th>
                <th scope="col">Setting</th>
                <th scope="col">Declared</th>
                <th scope="col">Reported</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ device, site, href, key }) => (
                <tr key={`${device.stack} ${device.device} ${device.label} ${key}`}>
                  <td data-label="Site">
                    <a href={href}>{site === "–" ? device.label : site}</a>
                  </td>
                  <td data-label="Device">{device.label}</td>
                  <td data-label="Setting">{settingInWords(key)}</td>
                  <td data-label="Declared">{shownValue(device, key, device.declared)}</td>
                  <td data-label="Reported" class="drifted">
                    {shownValue(device, key, device.reported)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {more}
        </>
      )}
    </section>
  );
}
