/** The laws that are known to break, by the shortest path. A path that no longer breaks one has to leave this list. */
export const KNOWN: readonly string[] = [];
