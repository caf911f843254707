/** The one of a list that must have just one. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new TypeError(`There is one expected, and ${items.length} found`);
  return item;
}
