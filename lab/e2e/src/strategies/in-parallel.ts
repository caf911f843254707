/** Does something with each of many, a few at a time. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  doOne: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await doOne(item);
    }),
  );
}
