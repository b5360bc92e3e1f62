import { useEffect } from "preact/hooks";

/** Gives the page this title, by which tabs, printouts and screen readers name it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
