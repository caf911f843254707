import type { Strategy } from './strategy.ts';

type Scored = Pick<Strategy, 'score'> & {
  readonly supply: Pick<Strategy['supply'], 'address'>;
  readonly borrow: Pick<Strategy['borrow'], 'address'>;
};

/** The best first; of the same score by address, so that the order never depends on how the banks came. */
export function byScore(one: Scored, other: Scored): number {
  return (
    other.score - one.score ||
    compareText(one.supply.address, other.supply.address) ||
    compareText(one.borrow.address, other.borrow.address)
  );
}

/** The order of addresses: by their characters, not by a language's. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
