import { I80F48_ONE } from '@lending/domain';
import { anyAddress, bankContent, CHAIN_SECONDS, createLineLogger, FEED, pythContent } from '@lending/fakes';
import { type Bank, bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { cachedPriceOf, decodeBank, loadOracle, oracleAccountsOf } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { createPriceAudit, type OracleReading, type PriceAuditOptions } from './price-audit.ts';

const BANK = anyAddress(1);
const USD = 100_000_000n;

interface Sight {
  /** USD of the feed as it is read. */
  readonly usd: bigint;
  readonly at: bigint;
  /** What the program cached when; raw. */
  readonly cached?: { readonly price: bigint; readonly at: bigint };
}

function readingOf({ usd, at, cached }: Sight): OracleReading {
  const zero = bankLayout.decode(bankContent().data);
  const cache: Bank['cache'] = {
    ...zero.cache,
    priceMultiplier: I80F48_ONE,
    lastOraclePrice: cached?.price ?? 0n,
    lastOraclePriceTimestamp: cached === undefined ? 0n : CHAIN_SECONDS + cached.at,
  };
  const data = Uint8Array.from(bankLayout.encode({ ...zero, cache }));
  const bank = decodeBank({ address: BANK, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
  const moment = { slot: 1_000n + at, unixTimestamp: CHAIN_SECONDS + at };
  const feed = pythContent({ price: usd * USD, publishTime: CHAIN_SECONDS });
  const accounts = oracleAccountsOf(bank).map(() => ({ address: FEED, slot: moment.slot, lamports: 1n, ...feed }));
  return { bank, oracle: { loaded: loadOracle(bank, accounts, moment), accounts, moment } };
}

/** The price that the program caches of a feed of so many USD. */
function rawOf(usd: bigint): bigint {
  const { bank, oracle } = readingOf({ usd, at: 0n });
  const price = cachedPriceOf(bank, oracle.loaded);
  if ('error' in price) throw new Error(price.error);
  return price.price;
}

function createRounds(recall: PriceAuditOptions['recall'] = async () => []) {
  const { logger, lines } = createLineLogger();
  const prices = createPriceAudit({ source: 'localnet', recall, logger });
  const round = async (sight: Sight) => (await prices.audit([readingOf(sight)])).map(({ payload }) => payload);
  return { round, lines };
}

const differed = (found: Awaited<ReturnType<ReturnType<typeof createRounds>['round']>>) =>
  found.map((payload) => ('differed' in payload ? payload.differed : null));

describe('createPriceAudit', () => {
  it('compares exactly what was cached while the feed stood still', async () => {
    const { round } = createRounds();
    expect(await round({ usd: 150n, at: 0n })).toEqual([]);
    const confident = rawOf(150n);
    expect(await round({ usd: 150n, at: 10n, cached: { price: confident + 1n, at: 5n } })).toMatchObject([
      {
        bank: BANK,
        figure: 'price',
        unverifiedSince: '1010',
        lastDifference: { field: 'cache.lastOraclePriceConfidence', bound: '0' },
      },
    ]);
  });

  it('lets a price be anything between both readings, and no more than a tenth beyond', async () => {
    for (const [cached, expected] of [
      [150n, '0'],
      [80n, '0'],
      [100n, '0'],
      [73n, '0'],
      [71n, '1'],
      [170n, '1'],
    ] as const) {
      const { round } = createRounds();
      await round({ usd: 150n, at: 0n });
      const found = await round({ usd: 80n, at: 10n, cached: { price: rawOf(cached), at: 5n } });
      expect([cached, ...differed(found)]).toEqual([cached, expected]);
    }
  });

  it('compares a price once, when it is new', async () => {
    const { round } = createRounds();
    await round({ usd: 150n, at: 0n });
    const cached = { price: rawOf(150n), at: 5n };
    expect(await round({ usd: 150n, at: 10n, cached })).toHaveLength(1);
    expect(await round({ usd: 150n, at: 20n, cached })).toEqual([]);
  });

  it('keeps what one venue found while another was waiting for what was known', async () => {
    const answers = [Promise.withResolvers<[]>(), Promise.withResolvers<[]>()];
    const { round } = createRounds(
      () => answers.shift()?.promise ?? Promise.reject(new Error('nothing more is known')),
    );
    const [first, second] = answers;
    const rounds = [round({ usd: 150n, at: 0n }), round({ usd: 150n, at: 0n })];
    first?.resolve([]);
    await rounds[0];
    const cached = (at: bigint) => ({ usd: 150n, at: at + 5n, cached: { price: rawOf(150n) + 1n, at } });
    expect(await round(cached(10n))).toMatchObject([{ differed: '2' }]);
    second?.resolve([]);
    await rounds[1];
    expect(await round(cached(20n))).toMatchObject([{ differed: '4' }]);
  });

  it('compares nothing before it knows what an earlier process found, and goes on from that', async () => {
    let fails = true;
    const { round, lines } = createRounds(async () => {
      if (fails) throw new Error('no database');
      return [];
    });
    await round({ usd: 150n, at: 0n });
    expect(lines).toMatchObject([{ level: 'warn', event: 'price.audit.fail' }]);
    fails = false;
    await round({ usd: 150n, at: 10n });
    expect(await round({ usd: 150n, at: 20n, cached: { price: rawOf(150n), at: 15n } })).toHaveLength(1);
  });
});
