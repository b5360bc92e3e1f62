import { settingInWords } from "../../settingWords";
import type { LoneDevice } from "../../status/model";
import { shownValue } from "../../status/words";
import type { SiteView } from "../../view/model";
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
  const drifted = [
    ...sites.flatMap(({ name: site, stack, devices: own }) =>
      own.map((device) => ({ device, site, stack, href: hrefOf("site", stack, site) })),
    ),
    ...devices.map((device) => ({
      ...{ device, site: "–", stack: device.stack },
      href: hrefOf("device", device.stack, device.label),
    })),
  ].flatMap((one) => one.device.drift.map((key) => ({ ...one, key })));
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Drift</h2>
      {drifted.length === 0 ? (
        <p class="empty">Nothing has drifted.</p>
      ) : (
        <>
          <p class="muted">
            Settings that somebody changed since they were applied. The next up writes the declared value again.
          </p>
          <Table
            caption="Drifted settings"
            rows={drifted}
            noun="settings"
            keyOf={({ device, stack, key }) => `${stack} ${device.device} ${device.label} ${key}`}
            columns={[
              {
                title: "Site",
                cell: ({ device, site, href }) => <a href={href}>{site === "–" ? device.label : site}</a>,
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
        </>
      )}
    </section>
  );
}
