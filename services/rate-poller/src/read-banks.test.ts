import { formatI80F48, integerToI80F48 } from '@lending/domain';
import { describeError } from '@lending/errors';
import {
  anyAddress,
  type BankFields,
  bankContent,
  CHAIN_SECONDS,
  createFakeChain,
  FEED,
  GROUP,
  groupContent,
  MINT,
  pythContent,
  VAULT,
  vaultContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM, NO_KEY, STAKE_POOL_PROGRAM, STAKE_POOL_SIZE } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { readBanks } from './read-banks.ts';
import { NO_NATIVE_RATES } from './testing/no-native-rates.ts';

const [BANK, OTHER, NEW_FEED, POOL] = [anyAddress(1), anyAddress(2), anyAddress(3), anyAddress(4)];

function createMarket() {
  const fake = createFakeChain();
  fake.accounts
    .set(BANK, bankContent())
    .set(FEED, pythContent())
    .set(VAULT, vaultContent(300n))
    .set(GROUP, groupContent());
  const rejected: [string, string][] = [];
  const bankAs = (fields: BankFields = {}, address = BANK) =>
    decodeBank({ address, ...bankContent(fields) }, MARGINFI_PROGRAM);
  const read = (...banks: ReturnType<typeof bankAs>[]) =>
    readBanks(banks.length === 0 ? [bankAs()] : banks, {
      chain: fake.chain,
      program: MARGINFI_PROGRAM,
      group: GROUP,
      nativeRates: NO_NATIVE_RATES,
      slotMicros: 400_000n,
      signal: new AbortController().signal,
      onReject: (bank, error) => void rejected.push([bank, describeError(error)]),
    });
  return { fake, rejected, bankAs, read };
}

describe('readBanks', () => {
  it('reads bank, feed, vault and group as of one slot', async () => {
    const { fake, read } = createMarket();
    const readings = await read();
    expect(fake.reads).toEqual(['fetchAccountGroups']);
    expect(fake.asked).toEqual([[BANK, FEED, VAULT, MINT, GROUP]]);
    expect(readings).toMatchObject([
      {
        bank: { address: BANK },
        slot: fake.slot,
        unixTimestamp: CHAIN_SECONDS,
        rates: { totalAssetsBase: 1000n, totalLiabilitiesBase: 400n, availableLiquidityBase: 300n },
        price: { kind: 'priced', priceUsd: '150', publishTime: CHAIN_SECONDS },
      },
    ]);
    expect(Number(formatI80F48(readings[0]?.rates.borrowApr ?? 0n))).toBeCloseTo((0.125 * 0.4) / 0.75, 12);
  });

  it('believes the bank it reads, not the one it was asked for', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(BANK, bankContent({ totalAssetShares: integerToI80F48(2000n) }));
    expect(await read()).toMatchObject([{ rates: { totalAssetsBase: 2000n } }]);
  });

  it('misses a feed that the bank has just changed to, and has it with the bank as read', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(BANK, bankContent({ feed: NEW_FEED })).set(NEW_FEED, pythContent({ price: 14_000_000_000n }));
    const [first] = await read();
    expect(first).toMatchObject({ price: { kind: 'unavailable', reason: 'feed_missing' } });
    if (first === undefined) throw new Error('nothing was read');
    expect(await read(first.bank)).toMatchObject([{ price: { kind: 'priced', priceUsd: '140' } }]);
  });

  it('reads the stake pool that a price needs, and judges it by the epoch of the clock', async () => {
    const { fake, bankAs, read } = createMarket();
    const fields = { config: { oracleSetup: 22, oracleKeys: [FEED, POOL, NO_KEY, NO_KEY, NO_KEY] } };
    fake.accounts.set(BANK, bankContent(fields));
    for (const [behind, isStale] of [
      [1n, false],
      [2n, true],
    ] as const) {
      const data = new Uint8Array(STAKE_POOL_SIZE);
      data[0] = 1;
      for (const [nth, value] of [1_500n, 1_000n, fake.epoch - behind].entries())
        new DataView(data.buffer).setBigUint64(258 + 8 * nth, value, true);
      fake.accounts.set(POOL, { owner: STAKE_POOL_PROGRAM, data });
      const [reading] = await read(bankAs(fields));
      expect(reading?.price).toMatchObject({ kind: 'priced', priceUsd: '225', isStale });
      expect(reading?.riskPrice.kind).toBe(isStale ? 'failed' : 'loaded');
    }
    expect(fake.asked[0]).toContain(POOL);
  });

  it('does not know the liquidity behind a vault that is missing or of another mint', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(VAULT, vaultContent(300n, OTHER));
    expect(await read()).toMatchObject([{ rates: { availableLiquidityBase: null, totalAssetsBase: 1000n } }]);
    fake.accounts.delete(VAULT);
    expect(await read()).toMatchObject([{ rates: { availableLiquidityBase: null, totalAssetsBase: 1000n } }]);
  });

  it('does not know what a borrower pays when the group is missing', async () => {
    const { fake, read } = createMarket();
    fake.accounts.delete(GROUP);
    const [reading] = await read();
    expect(reading?.rates).toMatchObject({ borrowApr: null, totalAssetsBase: 1000n });
    expect(reading?.rates.depositApr).toBeGreaterThan(0n);
  });

  it.each([
    { name: 'of another owner', group: { ...groupContent(), owner: OTHER }, code: 'DECODE__OWNER_MISMATCH' },
    {
      name: 'cut short',
      group: { ...groupContent(), data: groupContent().data.subarray(0, 100) },
      code: 'DECODE__ACCOUNT_MALFORMED',
    },
    { name: 'that is a bank', group: bankContent(), code: 'DECODE__DISCRIMINATOR_MISMATCH' },
  ])('fails on a group $name', async ({ group, code }) => {
    const { fake, read } = createMarket();
    fake.accounts.set(GROUP, group);
    await expect(read()).rejects.toMatchObject({ code });
  });

  it('leaves out a bank that is gone, and reports and leaves out one that cannot be read', async () => {
    const { fake, read, rejected, bankAs } = createMarket();
    const { owner, data } = bankContent();
    const [gone, short] = [anyAddress(11), anyAddress(12)];
    fake.accounts.set(short, { owner, data: data.subarray(0, 1_000) });
    const readings = await read(bankAs({}, gone), bankAs({}, short), bankAs());
    expect(readings.map(({ bank }) => bank.address)).toEqual([BANK]);
    expect(rejected).toEqual([[short, expect.stringMatching(/^DECODE__ACCOUNT_MALFORMED/)]]);
  });

  it('keeps the rates of a bank whose price cannot be read', async () => {
    const { fake, read } = createMarket();
    fake.accounts.set(FEED, { ...pythContent(), data: new Uint8Array(3) });
    expect(await read()).toMatchObject([
      { rates: { totalAssetsBase: 1000n }, price: { kind: 'unavailable', reason: 'feed_malformed' } },
    ]);
  });
});
