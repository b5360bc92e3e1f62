import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Number of rows at first (our choice): a browser needs seconds for ten thousand. */
const FIRST = 200;

/** Whether all is shown: after `show`, or for print. */
export function useAll(): readonly [isAll: boolean, show: () => void] {
  const [isAll, setAll] = useState(false);
  const show = () => setAll(true);
  useEffect(() => {
    addEventListener("beforeprint", show);
    return () => removeEventListener("beforeprint", show);
  }, []);
  return [isAll, show];
}

/** The first rows; all rows after a click on "more", or for print. */
export function useRows<T>(all: readonly T[], noun: string): { rows: readonly T[]; more: ComponentChildren } {
  const [isAll, show] = useAll();
  if (isAll || all.length <= FIRST) return { rows: all, more: null };
  const more = (
    <p class="more">
      <button type="button" onClick={show}>
        Show all {all.length} {noun}
      </button>
    </p>
  );
  return { rows: all.slice(0, FIRST), more };
}

/** Sets the title of the page for tabs, printouts and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
