import type { WireActivity } from './wire-account.ts';

/** What was told while a page was open before what it was answered, newest first; the same activity stands once, as it was told last. */
export function mergeActivity(
  told: readonly WireActivity[],
  answered: readonly WireActivity[],
  most: number,
): readonly WireActivity[] {
  const ids = new Set(told.map(({ id }) => id));
  return [...told, ...answered.filter(({ id }) => !ids.has(id))].toSorted((a, b) => b.slot - a.slot).slice(0, most);
}
