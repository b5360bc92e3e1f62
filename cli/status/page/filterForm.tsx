import { counted, settingInWords } from "../../words";
import { CONDITIONS } from "../conditions";
import { type Filter, SHOWS, type Show } from "./filter";
import { hrefOfFilter } from "./route";

/** Puts the filter into the address, so that the browser's back button returns to it. */
function go(filter: Filter): void {
  history.replaceState(null, "", hrefOfFilter(filter));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function FilterForm({
  filter,
  shown,
  of,
}: {
  readonly filter: Filter;
  readonly shown: number;
  readonly of: number;
}) {
  return (
    <search>
      <form class="filter" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            value={filter.text}
            placeholder="site or device"
            onInput={({ currentTarget }) => go({ ...filter, text: currentTarget.value })}
          />
        </label>
        <label>
          Show
          <select
            value={filter.show}
            onChange={({ currentTarget }) => go({ ...filter, show: currentTarget.value as Show })}
          >
            {Object.entries(SHOWS).map(([value, [words]]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Without
          <select value={filter.lacks} onChange={({ currentTarget }) => go({ ...filter, lacks: currentTarget.value })}>
            <option value="">any condition</option>
            {CONDITIONS.map(({ key }) => (
              <option key={key} value={key}>
                {settingInWords(key)}
              </option>
            ))}
          </select>
        </label>
        <output aria-live="polite">{shown === of ? counted(of, "site") : `${shown} of ${counted(of, "site")}`}</output>
      </form>
    </search>
  );
}
