import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Rows that are there at first (our choice): ten thousand of them take a browser seconds. */
const FIRST = 200;

/** The first of many rows, and all of them when somebody asks for them, or prints. */
export function useRows<T>(all: readonly T[], noun: string): { rows: readonly T[]; more: ComponentChildren } {
  const [isAll, setAll] = useState(false);
  useEffect(() => {
    const showAll = () => setAll(true);
    addEventListener("beforeprint", showAll);
    return () => removeEventListener("beforeprint", showAll);
  }, []);
  if (isAll || all.length <= FIRST) return { rows: all, more: null };
  const more = (
    <p class="more">
      <button type="button" onClick={() => setAll(true)}>
        Show all {all.length} {noun}
      </button>
    </p>
  );
  return { rows: all.slice(0, FIRST), more };
}
