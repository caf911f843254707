import { parseI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { BANK, FEED, GROUP } from '#testing/made-bank.ts';
import { bankOfSetup, madeKlendReserve, madeScope } from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import { loadOracle } from './load-oracle.ts';
import { loadRiskPrice } from './load-risk-price.ts';
import { readPrice } from './read-price.ts';

const NOW = 1_777_000_000n;
const moment = { slot: 400_000_000n, unixTimestamp: NOW };
const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);

const bankOf = (scopeEntryIndex = 0) => bankOfSetup(18, { config: { scopeEntryIndex } });
const error = (account: AccountBytes | null, entry = 0) => {
  const loaded = loadOracle(bankOf(entry), [account], moment);
  return loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
};

describe('loadOracle of Scope', () => {
  it('takes the entry that the bank names', () => {
    const account = madeScope(NOW, { entry: 511, value: 10_344_510_800n, exp: 8n });
    expect(loadOracle(bankOf(511), [account], moment)).toMatchObject({
      ...{ kind: 'loaded', staleError: null, feed: { value: 10_344_510_800n, exponent: -8, publishTime: NOW } },
    });
    expect(error(account, 510)).toBe('ScopeInvalidEntry');
    expect(error(account, 512)).toBe('ScopeInvalidEntry');
  });

  it('takes a table of Scope’s own program, of its kind and of its very size', () => {
    const table = madeScope(NOW);
    expect(error(table)).toBeNull();
    expect(error(null)).toBe('ScopeInvalidAccount');
    expect(error({ ...table, owner: GROUP })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, data: table.data.map((byte, at) => (at === 7 ? byte ^ 1 : byte)) })).toBe(
      'ScopeInvalidAccount',
    );
    expect(error({ ...table, data: table.data.subarray(0, -1) })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, data: Uint8Array.of(...table.data, 0) })).toBe('ScopeInvalidAccount');
    expect(error({ ...table, address: BANK })).toBe('WrongOracleAccountKeys');
  });

  it('refuses an entry without a price or a time, of the future, or with too many decimals', () => {
    expect(error(madeScope(NOW, { value: 0n }))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(0n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW + 1n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(2n ** 64n - 1n))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW, { exp: 24n }))).toBe('ScopeInvalidEntry');
    expect(error(madeScope(NOW, { exp: 23n }))).toBeNull();
  });

  it('calls a price stale from the second after its age', () => {
    expect(error(madeScope(NOW - 60n))).toBeNull();
    expect(error(madeScope(NOW - 61n))).toBe('ScopeStalePrice');
    expect(readPrice(bankOf(), [madeScope(NOW - 61n)], moment)).toMatchObject({ priceUsd: '2.5', isStale: true });
  });

  it('has no interval and no average: one price for all', () => {
    const spot = parseI80F48('2.5');
    const band = { spot, low: spot, high: spot };
    expect(loadRiskPrice(bankOf(), [madeScope(NOW)], moment)).toEqual({
      kind: 'loaded',
      spot: band,
      ema: band,
      hasBorrowingPower: true,
    });
    expect(readPrice(bankOf(), [madeScope(NOW)], moment)).toMatchObject({
      ...{ priceUsd: '2.5', emaPriceUsd: '2.5', lowUsd: '2.5', highUsd: '2.5', publishTime: NOW, tokensPerUnit: null },
    });
  });

  it('shows the price of the token where the bank holds receipts', () => {
    const bank = bankOfSetup(27);
    const accounts = [madeScope(NOW), madeKlendReserve(moment.slot, { available: 4n, supply: 2n, decimals: 0n })];
    expect(readPrice(bank, accounts, moment)).toMatchObject({
      ...{ priceUsd: '2.5', tokensPerUnit: 2n << 48n, publishTime: NOW, fixed: { spot: parseI80F48('5') } },
    });
  });

  it('fails where a receipt is worth more than fixed point holds', () => {
    const rich = madeKlendReserve(moment.slot, { available: 2n ** 62n, supply: 1n, decimals: 0n });
    const accounts = [madeScope(NOW, { value: 2n ** 63n, exp: 0n }), rich];
    expect(loadOracle(bankOfSetup(27), accounts, moment)).toMatchObject({ programError: 'MathError' });
  });
});

describe.skipIf(isMissing)('a real table of Scope (FIXTURES_DIR)', () => {
  const tables = dumps('scope', 'oracle-prices');

  it('finds the dump', () => {
    expect(tables).toHaveLength(1);
  });

  it.each(tables)('gives the prices of $name that were recorded', ({ account, expected: { essentials } }) => {
    for (const { index, value, exp, unixTimestamp } of essentials.prices) {
      const bank = bankOf(Number(index));
      const at = { slot: 1n, unixTimestamp: BigInt(unixTimestamp) };
      const loaded = loadOracle(bank, [{ ...account, address: FEED }], at);
      if (BigInt(exp) >= 24n) continue;
      expect(loaded, `entry ${index}`).toMatchObject({
        ...{ staleError: null, feed: { value: BigInt(value), exponent: -Number(exp), publishTime: at.unixTimestamp } },
      });
    }
    expect(essentials.prices.length).toBeGreaterThan(3);
  });
});
