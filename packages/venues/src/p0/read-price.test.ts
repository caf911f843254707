import { formatI80F48, parseI80F48 } from '@lending/domain';
import { BANK_ORACLE_SETUPS, MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { bankAccount } from '#testing/made-bank.ts';
import { madePyth, madeSwitchboard } from '#testing/made-feeds.ts';
import type { AccountBytes } from '../account.ts';
import type { P0Bank } from './bank.ts';
import { decodeBank } from './decode-bank.ts';
import { oracleAccountsOf } from './oracle-accounts.ts';
import { readPrice as readPriceOf } from './read-price.ts';

const NOW = 1_777_000_000n;
const bankWith = (config: NonNullable<Parameters<typeof bankAccount>[0]>['config'] = {}) =>
  decodeBank(bankAccount({ config: config ?? {} }), MARGINFI_PROGRAM);
const pyth = (fields: Parameters<typeof madePyth>[1] = {}, level?: 'Partial') => madePyth(NOW, fields, level);
const switchboard = (result: Parameters<typeof madeSwitchboard>[1] = {}, at = NOW) => madeSwitchboard(at, result);
const pythBank = bankWith({ oracleSetup: 3, oracleMaxAge: 60 });
const switchboardBank = bankWith({ oracleSetup: 4, oracleMaxAge: 30 });
const unavailable = (reason: string, programError: string | null = null) => ({
  kind: 'unavailable',
  reason,
  programError,
});
const at = (unixTimestamp: bigint) => ({ slot: 1n, unixTimestamp });
/** A bank's price read from its one feed. */
const readPrice = (bank: P0Bank, feed: AccountBytes | null, unixTimestamp: bigint) =>
  readPriceOf(bank, [feed], at(unixTimestamp));

describe('readPrice of a Pyth push feed', () => {
  it('gives the exact price and its edges at 2.12 intervals', () => {
    const reading = readPrice(pythBank, pyth(), NOW);
    expect(reading).toMatchObject({
      kind: 'priced',
      priceUsd: '150',
      emaPriceUsd: '149',
      publishTime: NOW,
      isStale: false,
    });
    if (reading.kind !== 'priced') return;
    expect(Number(reading.lowUsd)).toBeCloseTo(147.88, 10);
    expect(Number(reading.highUsd)).toBeCloseTo(152.12, 10);
    expect(Number(formatI80F48(reading.fixed.ema?.low ?? 0n))).toBeCloseTo(149 - 2.12 * 0.5, 10);
  });

  it('has none when the interval is wider than the bank allows, ten percent unless it says otherwise', () => {
    expect(readPrice(pythBank, pyth({ conf: 708_000_000n }), NOW)).toEqual(
      unavailable('confidence_too_wide', 'OracleMaxConfidenceExceeded'),
    );
    const strict = bankWith({ oracleSetup: 3, oracleMaxConfidence: 42_949_673 });
    expect(readPrice(strict, pyth(), NOW)).toEqual(unavailable('confidence_too_wide', 'OracleMaxConfidenceExceeded'));
  });

  it('keeps a spot price whose average is too uncertain', () => {
    const reading = readPrice(pythBank, pyth({ emaConf: 9_000_000_000n }), NOW);
    expect(reading).toMatchObject({ kind: 'priced', emaPriceUsd: '149', fixed: { ema: null } });
  });

  it('calls a price stale from the second after its age limit, and still gives it', () => {
    expect(readPrice(pythBank, pyth(), NOW + 60n)).toMatchObject({ isStale: false });
    expect(readPrice(pythBank, pyth(), NOW + 61n)).toMatchObject({ kind: 'priced', priceUsd: '150', isStale: true });
  });

  it('has none that is zero or negative', () => {
    expect(readPrice(pythBank, pyth({ price: 0n }), NOW)).toEqual(unavailable('price_not_positive'));
    expect(readPrice(pythBank, pyth({ price: -5n }), NOW)).toEqual(
      unavailable('price_not_positive', 'OracleMaxConfidenceExceeded'),
    );
  });

  it('has none beyond the range of the program', () => {
    expect(readPrice(pythBank, pyth({ exponent: -24 }), NOW)).toEqual(unavailable('price_out_of_range'));
    expect(readPrice(pythBank, pyth({ exponent: 23 }), NOW)).toEqual(unavailable('price_out_of_range', 'MathError'));
  });
});

describe('readPrice of a Switchboard pull feed', () => {
  it('gives the exact median, and its edges as the bank has them', () => {
    const bank = bankWith({ oracleSetup: 4, oracleMaxAge: 30, oracleMaxConfidence: 42_949_672 });
    const reading = readPrice(bank, switchboard({ value: 87_543_000_000_000_000_001n }), NOW);
    expect(reading).toMatchObject({
      priceUsd: '87.543000000000000001',
      emaPriceUsd: '87.543000000000000001',
      isStale: false,
    });
    if (reading.kind !== 'priced') return;
    expect(Number(reading.lowUsd)).toBeCloseTo(87.543 * (1 - 42_949_672 / 4_294_967_295), 10);
    expect(reading.fixed.ema?.low).toBe(reading.fixed.low);
  });

  it('calls a price stale from the second after its age limit', () => {
    expect(readPrice(switchboardBank, switchboard(), NOW + 30n)).toMatchObject({ isStale: false });
    expect(readPrice(switchboardBank, switchboard(), NOW + 31n)).toMatchObject({ isStale: true, priceUsd: '2' });
  });

  it('has none in a feed that was never updated, is cut short or beyond range', () => {
    expect(readPrice(switchboardBank, switchboard({ value: 0n }), NOW)).toEqual(unavailable('price_not_positive'));
    const short = { ...switchboard(), data: switchboard().data.subarray(0, 3207) };
    expect(readPrice(switchboardBank, short, NOW)).toEqual(unavailable('feed_malformed'));
    expect(readPrice(switchboardBank, switchboard({ value: 10n ** 36n }), NOW)).toEqual(
      unavailable('price_out_of_range'),
    );
  });
});

describe('readPrice of a time that no calendar has', () => {
  const LAST = 253_402_300_799n;

  it.each([-(2n ** 63n), -1n, LAST + 1n, 2n ** 63n - 1n])('has none at %s', (publishTime) => {
    const [pythStale, switchboardStale] =
      publishTime < 0n ? ['PythPushStalePrice', 'SwitchboardStalePrice'] : [null, null];
    expect(readPrice(pythBank, pyth({ publishTime }), NOW)).toEqual(unavailable('price_out_of_range', pythStale));
    expect(readPrice(switchboardBank, switchboard({}, publishTime), NOW)).toEqual(
      unavailable('price_out_of_range', switchboardStale),
    );
  });

  it.each([0n, LAST])('still has one at %s', (publishTime) => {
    expect(readPrice(pythBank, pyth({ publishTime }), NOW)).toMatchObject({ kind: 'priced', publishTime });
    expect(readPrice(switchboardBank, switchboard({}, publishTime), NOW)).toMatchObject({
      kind: 'priced',
      publishTime,
    });
  });
});

describe('readPrice of other setups', () => {
  it('gives a fixed price without edges, age or account', () => {
    const bank = bankWith({ oracleSetup: 8, fixedPrice: parseI80F48('80.5') });
    expect(readPriceOf(bank, [], at(NOW))).toMatchObject({
      priceUsd: '80.5',
      lowUsd: '80.5',
      highUsd: '80.5',
      publishTime: null,
      isStale: false,
    });
    expect(readPriceOf(bankWith({ oracleSetup: 8 }), [], at(NOW))).toEqual(unavailable('price_not_positive'));
  });

  it('says why each setup has no price where none of its accounts exists', () => {
    const reasons = BANK_ORACLE_SETUPS.map((_, oracleSetup) => {
      const bank = bankWith({ oracleSetup });
      const reading = readPriceOf(
        bank,
        oracleAccountsOf(bank).map(() => null),
        at(NOW),
      );
      return reading.kind === 'priced' ? 'priced' : reading.reason;
    });
    const [venue, rate] = ['venue_account_missing', 'rate_account_missing'];
    expect(reasons).toEqual([
      'oracle_setup_none',
      'oracle_setup_retired',
      'oracle_setup_retired',
      'feed_missing',
      'feed_missing',
      'staked_pool_missing',
      venue,
      venue,
      'price_not_positive',
      ...Array.from({ length: 9 }, () => venue),
      ...['feed_missing', rate, venue, venue, rate, venue, venue, rate, rate, venue, venue],
    ]);
    expect(readPriceOf(bankWith({ oracleSetup: 29 }), [], at(NOW))).toEqual(unavailable('oracle_setup_unknown'));
  });
});
