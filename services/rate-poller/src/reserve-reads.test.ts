import { anyAddress, type BankFields, bankContent, FEED, MINT } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, type P0Bank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { toReserveReads } from './reserve-reads.ts';
import { MADE_MARKET, madeKeys } from './testing/made-venue.ts';
import { NO_NATIVE_RATES } from './testing/no-native-rates.ts';

const [RESERVE, OTHER, POOL] = [anyAddress(1), anyAddress(2), anyAddress(3)];

/** The nth bank on a reserve, with a feed of its own where one is given. */
function bankOn(reserve: typeof RESERVE, nth: number, fields: BankFields = {}): P0Bank {
  const content = bankContent({
    ...fields,
    integrationAcc1: reserve,
    config: { assetTag: 3, oracleSetup: 6, oracleKeys: [fields.feed ?? FEED, reserve, POOL, POOL, POOL] },
  });
  return decodeBank({ address: anyAddress(100 + nth), ...content }, MARGINFI_PROGRAM);
}

describe('toReserveReads', () => {
  it('puts a reserve, the banks on it and their oracles into one group', () => {
    const banks = [bankOn(RESERVE, 1), bankOn(OTHER, 2), bankOn(RESERVE, 3)];
    const reads = toReserveReads([madeKeys(RESERVE), madeKeys(OTHER)], banks, NO_NATIVE_RATES);
    expect(reads).toMatchObject([
      { reserve: RESERVE, banks: [banks[0]?.address, banks[2]?.address], isFirst: true },
      { reserve: OTHER, banks: [banks[1]?.address], isFirst: true },
    ]);
    expect(reads[0]?.accounts).toEqual([RESERVE, MADE_MARKET, banks[0]?.address, FEED, banks[2]?.address]);
  });

  it('reads a bank whose reserve is not known by itself, after the others', () => {
    const bank = bankOn(OTHER, 1);
    const reads = toReserveReads([madeKeys(RESERVE)], [bank], NO_NATIVE_RATES);
    expect(reads[1]).toEqual({
      keys: null,
      reserve: OTHER,
      banks: [bank.address],
      accounts: [bank.address, FEED, OTHER],
      isFirst: true,
    });
  });

  it('asks beside for what says what the token earns by itself', () => {
    const native = { ...NO_NATIVE_RATES, accountsOf: (mint: typeof MINT) => (mint === MINT ? [POOL] : []) };
    const [read] = toReserveReads([madeKeys(RESERVE)], [bankOn(RESERVE, 1)], native);
    expect(read?.accounts).toEqual([RESERVE, MADE_MARKET, POOL, bankOn(RESERVE, 1).address, FEED]);
  });

  it('reads a reserve again beside the banks that do not fit, and never more than a call takes', () => {
    const banks = Array.from({ length: 120 }, (_, nth) => bankOn(RESERVE, nth, { feed: anyAddress(1_000 + nth) }));
    const reads = toReserveReads([madeKeys(RESERVE)], banks, NO_NATIVE_RATES);
    expect(reads.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
    expect(reads.flatMap((read) => read.banks)).toEqual(banks.map(({ address }) => address));
    for (const { accounts, keys } of reads) {
      expect(accounts.length).toBeLessThanOrEqual(99);
      expect(accounts.slice(0, 2)).toEqual(keys?.accounts);
    }
  });
});
