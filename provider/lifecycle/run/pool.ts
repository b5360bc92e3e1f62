/**
 * Runs a task for each item, at most `limit` at a time. Starts no more after `isOver` returns true. Returns the
 * results in the order of the items.
 * @throws the error of a task; the other tasks continue unless `isOver`
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
  isOver: () => boolean,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) {
      if (isOver()) return;
      results[index] = await task(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return Object.values(results); // Leaves out items that were not started.
}
