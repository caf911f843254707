import { LendingError } from '@lending/errors';
import { createLogger } from '@lending/runtime';
import type { Crank, FeedToCrank } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { crankFeeds } from './crank-feeds.ts';

const feed = (address: string) => ({ address }) as FeedToCrank;
const [DEBT, DEAD] = [feed('debt'), feed('dead')];
const STALE = new LendingError('ORACLE__PRICE_STALE', { context: { feeds: ['dead'] } });
const logger = createLogger({ level: 'silent', name: 'test' });

/** Oracles that sign for all but one feed; and what an action is refused for without some. */
function cranking(least: readonly FeedToCrank[], refusals: (uncranked: readonly string[]) => LendingError | null) {
  const asked: string[][] = [];
  const judged: string[][] = [];
  const cranker = {
    async crank(feeds: readonly FeedToCrank[]): Promise<readonly Crank[]> {
      asked.push(feeds.map(({ address }) => address));
      if (feeds.includes(DEAD)) throw STALE;
      return [{ feeds: feeds.map(({ address }) => address) } as unknown as Crank];
    },
  };
  const refusalWithout = (uncranked: ReadonlySet<Address>) => {
    judged.push([...uncranked]);
    return refusals([...uncranked]);
  };
  const wanted = { feeds: [DEBT, DEAD], least, payer: 'wallet' as Address, refusalWithout };
  return { asked, judged, run: () => crankFeeds({ cranker: cranker as never, logger }, wanted) };
}

describe('crankFeeds', () => {
  it('cranks what is wanted for more than premiums by itself, where not all are signed for', async () => {
    const { asked, judged, run } = cranking([DEBT], () => null);
    expect(await run()).toMatchObject([{ feeds: ['debt'] }]);
    expect(asked).toEqual([['debt', 'dead'], ['debt']]);
    expect(judged).toEqual([['dead']]);
  });

  it('refuses what does not land without the price of a premium, with the bank that the check names', async () => {
    const missing = new LendingError('ORACLE__PRICE_STALE', { context: { bank: 'collateral' } });
    const { asked, run } = cranking([DEBT], () => missing);
    await expect(run()).rejects.toMatchObject({ context: { bank: 'collateral', feeds: ['dead'] } });
    expect(asked).toHaveLength(1);
  });

  it('judges with all prices as they are where every feed is wanted for more', async () => {
    const { asked, judged, run } = cranking([DEBT, DEAD], () => null);
    expect(await run()).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(judged).toEqual([['debt', 'dead']]);
  });

  it('cranks nothing more where premiums alone wanted it', async () => {
    const { asked, judged, run } = cranking([], () => null);
    expect(await run()).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(judged).toEqual([['debt', 'dead']]);
  });
});
