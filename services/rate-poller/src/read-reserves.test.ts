import { describeError } from '@lending/errors';
import {
  anyAddress,
  bankContent,
  CHAIN_SECONDS,
  createFakeChain,
  FEED,
  GROUP,
  groupContent,
  MINT,
  pythContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import type { NativeRates } from './native-rates.ts';
import { readReserves } from './read-reserves.ts';
import { createMadeAdapter, MADE_MARKET, madeKeys, madeReserveContent } from './testing/made-venue.ts';
import { NO_NATIVE_RATES } from './testing/no-native-rates.ts';

const [RESERVE, OTHER, BANK, POOL] = [anyAddress(1), anyAddress(2), anyAddress(3), anyAddress(4)];

function bankContentOn(reserve: typeof RESERVE) {
  const oracleKeys = [FEED, reserve, anyAddress(0), anyAddress(0), anyAddress(0)];
  return bankContent({ integrationAcc1: reserve, config: { assetTag: 3, oracleSetup: 6, oracleKeys } });
}

function createMarket() {
  const fake = createFakeChain();
  fake.accounts
    .set(RESERVE, madeReserveContent({ depositsBase: 77n }))
    .set(BANK, bankContentOn(RESERVE))
    .set(FEED, pythContent())
    .set(GROUP, groupContent());
  const rejected: [string, string][] = [];
  const bank = decodeBank({ address: BANK, ...bankContentOn(RESERVE) }, MARGINFI_PROGRAM);
  const read = ({ reserves = [RESERVE], banks = [bank], nativeRates = NO_NATIVE_RATES as NativeRates } = {}) =>
    readReserves(
      reserves.map((address) => madeKeys(address)),
      banks,
      {
        chain: fake.chain,
        adapter: createMadeAdapter(),
        program: MARGINFI_PROGRAM,
        group: GROUP,
        nativeRates,
        slotMicros: 450_000n,
        signal: new AbortController().signal,
        onReject: (address, error) => void rejected.push([address, describeError(error)]),
      },
    );
  return { fake, rejected, bank, read };
}

describe('readReserves', () => {
  it('reads a reserve and the banks on it as of one slot, in one question', async () => {
    const { fake, read } = createMarket();
    const readings = await read();
    expect(fake.reads).toEqual(['fetchAccountGroups']);
    expect(fake.asked).toEqual([[RESERVE, MADE_MARKET, BANK, FEED, GROUP]]);
    expect(readings).toMatchObject([
      {
        slot: fake.slot,
        unixTimestamp: CHAIN_SECONDS,
        reserve: { keys: { address: RESERVE }, sizes: { depositsBase: 77n }, rates: { slotMicros: 450_000n } },
        banks: [{ bank: { address: BANK }, reserve: { sizes: { depositsBase: 77n } } }],
      },
    ]);
  });

  it('leaves out what is gone, and reports and leaves out what cannot be read', async () => {
    const { fake, read, rejected, bank } = createMarket();
    fake.accounts.set(RESERVE, { ...madeReserveContent(), data: new Uint8Array([123]) });
    const { owner, data } = bankContentOn(RESERVE);
    const short = { ...bank, address: POOL };
    fake.accounts.set(POOL, { owner, data: data.subarray(0, 1_000) });
    const readings = await read({
      reserves: [RESERVE, OTHER],
      banks: [bank, short, { ...bank, address: anyAddress(9) }],
    });
    expect(readings.map(({ reserve }) => reserve)).toEqual([null, null]);
    expect(readings.map(({ unread }) => unread)).toEqual([
      { address: RESERVE, venue: 'kamino', error: expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' }) },
      null,
    ]);
    expect(readings[0]?.banks).toMatchObject([{ bank: { address: BANK }, reserve: null }]);
    expect(rejected.map(([address, text]) => [address, text.split(':')[0]])).toEqual([
      [RESERVE, 'DECODE__ACCOUNT_MALFORMED'],
      [POOL, 'DECODE__ACCOUNT_MALFORMED'],
    ]);
  });

  it('reads the price of a bank whose reserve is not known', async () => {
    const { read } = createMarket();
    const [reading] = await read({ reserves: [] });
    expect(reading).toMatchObject({ reserve: null, banks: [{ bank: { address: BANK }, reserve: null }] });
  });

  it('does not take a reserve for that of a bank that has moved to another since', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(BANK, bankContentOn(OTHER));
    const [reading] = await read();
    expect(reading).toMatchObject({
      reserve: { sizes: { depositsBase: 77n } },
      banks: [{ bank: { venueAccount: OTHER }, reserve: null }],
    });
  });

  it('reads beside what the token earns by itself', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(POOL, madeReserveContent());
    const nativeRates: NativeRates = {
      ...NO_NATIVE_RATES,
      accountsOf: () => [POOL],
      read: ({ mint }, find, { epoch, slotMicros }) => ({
        apr: find(POOL) && mint === MINT ? epoch : 0n,
        exchangeRate: slotMicros,
      }),
    };
    const [reading] = await read({ nativeRates });
    expect(reading?.native).toEqual({ apr: 900n, exchangeRate: 450_000n });
    expect(reading?.banks[0]?.native).toEqual({ apr: 900n, exchangeRate: 450_000n });
  });

  it.each([-1n, 2n ** 62n])('fails on a clock that says %s', async (clock) => {
    const { fake, read } = createMarket();
    fake.unixTimestamp = clock;
    await expect(read()).rejects.toMatchObject({ code: 'DECODE__VALUE_OUT_OF_RANGE' });
  });
});
