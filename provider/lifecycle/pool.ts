/**
 * Does all of this, so many at a time; `isOver` keeps it from starting more. Gives what was done, in the order of the items.
 * @throws what a task throws; the others go on unless it is over then
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
  return Object.values(results); // Without those that were not started.
}
