import { baselinesIn } from "../../../provider/lifecycle/device/record";
import { kindOf } from "../../../provider/settings/groups";
import { isEmpty } from "../../../provider/settings/objects";
import { keysOf } from "../../../provider/settings/setting";
import { type DeviceView, isReportedByCar, obstaclesIn, type SiteView } from "../../view/model";
import { settingInWords } from "../../words";
import { conditionOf } from "../conditions";
import { reasonInWords, shownValue } from "../words";
import { History } from "./history";
import { CONDITION_WORDS, Sign, Warnings } from "./marks";
import type { PageProps } from "./route";
import { useTitle } from "./rows";

/** The page of a device that no site has. */
export function DevicePage({ status, stack, name }: PageProps) {
  const device = status.devices.find((one) => one.stack === stack && one.label === name);
  useTitle(`${name} – ${status.name}`);
  return (
    <>
      <nav>
        <a href="#/">← All sites</a>
      </nav>
      <h1 tabIndex={-1}>{name}</h1>
      {device ? <Device device={device} /> : <p class="empty">This report has no such device.</p>}
    </>
  );
}

/** One device: declared and reported values, its own status, and its history. */
export function Device({ device, site }: { readonly device: DeviceView; readonly site?: SiteView }) {
  const { label, device: id, observe, problem, warnings, updates, settings = {} } = device;
  const baseline = baselinesIn(settings);
  const Heading = site ? "h3" : "h2";
  const hasBaseline = !isEmpty(baseline);
  return (
    <article class="device" aria-label={label}>
      <Heading class="name">
        {label} <span class="id">{id}</span>
      </Heading>
      {observe && <p class="muted">Only observed: the provider reads this device, and never updates it.</p>}
      {device.isLeftOut && (
        <p class="muted">This car declares its own policy, so it does not count for the site's readiness.</p>
      )}
      {problem && <p class="alert">{problem.finding}</p>}
      <OwnStatus device={device} />
      <table class="plain values">
        <caption class="hidden">Settings of {label}</caption>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Declared</th>
            <th scope="col">Reported</th>
            {hasBaseline && <th scope="col">Before</th>}
            <th scope="col">
              <span class="hidden">Status</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keysOf(kindOf(device)).map((key) => {
            const state = conditionOf(device, key, site);
            return (
              <tr key={key} class={state}>
                <th scope="row">{settingInWords(key)}</th>
                <td data-label="Declared">
                  {isReportedByCar(device, key) ? "reported by the car" : shownValue(device, key, device.declared)}
                </td>
                <td data-label="Reported">{shownValue(device, key, device.reported)}</td>
                {hasBaseline && (
                  <td class="muted" data-label="Before">
                    {shownValue(device, key, baseline)}
                  </td>
                )}
                <td class="state">
                  <Sign state={state} setting={key} /> <span class="words">{CONDITION_WORDS[state]}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Warnings warnings={warnings} />
      <History updates={updates} />
    </article>
  );
}

/** The device's own status. */
function OwnStatus({ device }: { readonly device: DeviceView }) {
  const { ownStatus, label } = device;
  if (!ownStatus) return null;
  const against = obstaclesIn(ownStatus);
  const { serviceStatus, chargingStatus, meaning, advice } = ownStatus;
  return (
    <>
      {against.map((code) => (
        <p class="alert" key={code}>
          {capitalized(reasonInWords({ device: label, code }, device))}
        </p>
      ))}
      {serviceStatus && (
        <p class="muted">
          {[serviceStatus, chargingStatus].filter(Boolean).join(", ")}: {meaning} {advice}
        </p>
      )}
    </>
  );
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
