import {
  anyAddress,
  type BankFields,
  bankContent,
  CHAIN_SECONDS,
  createFakeChain,
  FEED,
  MINT,
  pythContent,
  VAULT,
  vaultContent,
} from '@lending/fakes';
import { DRIFT_PROGRAM, driftSpotMarketLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { createPairReader } from './read-pair.ts';

const [OWN, BEHIND, OTHER_FEED, MARKET, OTHER_MINT] = [1, 2, 3, 4, 5].map(anyAddress) as [
  typeof FEED,
  typeof FEED,
  typeof FEED,
  typeof FEED,
  typeof FEED,
];
/** A bank on Drift, whose receipts are worth 1.25 of its mint. */
const DRIFT: BankFields = {
  mint: OTHER_MINT,
  mintDecimals: 9,
  integrationAcc1: MARKET,
  config: { assetTag: 4, oracleSetup: 9, oracleKeys: [OTHER_FEED, MARKET, MINT, MINT, MINT] },
};

function marketContent() {
  const data = new Uint8Array(driftSpotMarketLayout.fixedSize);
  data.set(driftSpotMarketLayout.discriminator);
  const view = new DataView(data.buffer);
  view.setBigUint64(464, 12_500_000_000n, true);
  view.setBigUint64(568, CHAIN_SECONDS, true);
  return { owner: DRIFT_PROGRAM, data };
}

function createMarket() {
  const fake = createFakeChain();
  fake.accounts
    .set(OWN, bankContent())
    .set(FEED, pythContent())
    .set(VAULT, vaultContent(300n))
    .set(BEHIND, bankContent(DRIFT))
    .set(OTHER_FEED, pythContent({ price: 20_000_000_000n }))
    .set(MARKET, marketContent());
  const readPair = createPairReader({ chain: fake.chain, program: MARGINFI_PROGRAM });
  const bankAs = (address: typeof FEED, fields?: BankFields) =>
    decodeBank({ address, ...bankContent(fields) }, MARGINFI_PROGRAM);
  const pair = { key: 'a:b', in: bankAs(OWN), out: bankAs(BEHIND, DRIFT) };
  return { fake, pair, read: () => readPair(pair, new AbortController().signal) };
}

describe('createPairReader', () => {
  it('reads both prices and the clock of one slot, in one question', async () => {
    const { fake, read } = createMarket();
    const pair = await read();
    expect(fake.reads).toEqual(['fetchAccountGroups']);
    expect(fake.asked).toEqual([[OWN, FEED, VAULT, BEHIND, OTHER_FEED, MARKET]]);
    expect(pair?.moment).toEqual({ slot: fake.slot, unixTimestamp: CHAIN_SECONDS });
    expect(pair).toMatchObject({ key: 'a:b', in: { mint: MINT, decimals: 6, priceUsd: '150' } });
  });

  it('tells the price of the mint of a bank on another venue, not that of its receipts', async () => {
    const { read } = createMarket();
    expect((await read())?.out).toEqual({
      mint: OTHER_MINT,
      decimals: 9,
      priceUsd: '200',
      priceE18: 200_000_000_000_000_000_000n,
    });
  });

  it('believes the oracle as it is now', async () => {
    const { fake, read } = createMarket();
    await read();
    fake.accounts.set(FEED, pythContent({ price: 14_000_000_000n }));
    expect((await read())?.in.priceUsd).toBe('140');
  });

  it.each([
    ['an old price', pythContent({ publishTime: CHAIN_SECONDS - 61n })],
    ['a price of nothing', pythContent({ price: 0n })],
    ['bytes that are no price', { ...pythContent(), data: new Uint8Array(3) }],
  ])('has nothing to tell of %s', async (_what, content) => {
    for (const feed of [FEED, OTHER_FEED]) {
      const { fake, read } = createMarket();
      fake.accounts.set(feed, content);
      expect(await read()).toBeNull();
    }
  });

  it('has nothing to tell where a feed or a bank is gone', async () => {
    for (const gone of [FEED, BEHIND]) {
      const { fake, read } = createMarket();
      fake.accounts.delete(gone);
      expect(await read()).toBeNull();
    }
  });

  it('fails where the chain does, or has a clock that no calendar has', async () => {
    const { fake, read } = createMarket();
    fake.unixTimestamp = 2n ** 62n;
    await expect(read()).rejects.toThrow();
    fake.onRead = () => Promise.reject(new Error('no chain'));
    await expect(read()).rejects.toThrow('no chain');
  });
});
