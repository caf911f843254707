/** How old an answer says it is. */
export interface AsOf {
  readonly slot: number | null;
  readonly age_seconds: number;
  readonly stale: boolean;
  readonly source: string;
}

/** Slots are 200 ms and longer. Rates of venues are read every half minute, and may be two minutes old. */
const MOST_SLOTS_BEHIND = 600;
/** A node behind a balancer may lag behind another. */
const MOST_SLOTS_AHEAD = 150;
const SOURCES = ['chain', 'indexer'];

/** What is wrong with the age of an answer, given the slot that a node is at. */
export function freshnessFaults(what: string, { slot, stale, source }: AsOf, nodeSlot: number): readonly string[] {
  const faults: string[] = [];
  if (stale) faults.push(`${what} says that it is stale`);
  if (!SOURCES.includes(source)) faults.push(`${what} is of source ${source}`);
  if (slot === null) return [...faults, `${what} is of no slot`];
  if (slot < nodeSlot - MOST_SLOTS_BEHIND) faults.push(`${what} is of slot ${slot}, and the chain at ${nodeSlot}`);
  if (slot > nodeSlot + MOST_SLOTS_AHEAD)
    faults.push(`${what} is of slot ${slot}, which is not yet: the chain is at ${nodeSlot}`);
  return faults;
}
