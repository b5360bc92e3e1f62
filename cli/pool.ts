/**
 * Does all of this, so many at a time; `isOver` keeps it from starting more. Gives what was done, in that order.
 * @param task never rejects
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
  isOver: () => boolean,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items];
  const worker = async () => {
    while (!isOver()) {
      const item = left.shift();
      if (item === undefined) return;
      results.push(await task(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
