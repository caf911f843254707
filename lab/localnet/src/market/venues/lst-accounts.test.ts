import { MARINADE_STATE, MSOL_MINT } from '@lending/programs';
import { type EpochRate, nativeAprOf, readLst, rememberRate } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { DEMO_FEEDS } from '../feeds.ts';
import { DEMO_TOKENS } from '../tokens.ts';
import { createLstAccounts, createLstRewards } from './lst-accounts.ts';
import { LST_POOLS } from './lst-pools.ts';

const SLOTS_PER_EPOCH = 432_000n;
const at = { unixTimestamp: 1_795_276_800n, slot: 2n * SLOTS_PER_EPOCH + 5n };
const keys = [
  ...LST_POOLS.map(({ token, address }) => ({ token, mint: DEMO_TOKENS[token].mint, accounts: [address] })),
  { token: 'mSOL' as const, mint: MSOL_MINT, accounts: [MARINADE_STATE] },
];

async function openLedger() {
  const accounts = new Map<Address, AccountState>(await createLstAccounts(at));
  const ledger = {
    ...{ unixTimestamp: at.unixTimestamp, writes: 0 },
    account: (address: Address) => accounts.get(address),
    writeAccounts(writes: Iterable<readonly [Address, AccountState]>) {
      ledger.writes += 1;
      for (const [address, state] of writes) accounts.set(address, state);
    },
  };
  const read = () =>
    keys.map((each) => {
      const reading = readLst(
        each,
        each.accounts.map((address) => bytesOf(address, accounts.get(address))),
      );
      if (reading === null) throw new Error(`${each.token} has no pool`);
      return reading;
    });
  return { ledger, read };
}

function bytesOf(address: Address, state: AccountState | undefined) {
  return state === undefined ? null : { address, ...state };
}

describe('createLstAccounts', () => {
  it('values tokens near what their prices say', async () => {
    const { read } = await openLedger();
    for (const [index, reading] of read().entries()) {
      const feed = DEMO_FEEDS[keys[index]?.token as 'JitoSOL' | 'JupSOL' | 'mSOL'];
      const inSol = Number(feed.baseRaw) / Number(DEMO_FEEDS.SOL.baseRaw);
      expect(Math.abs(Number(reading.exchangeRateE18) / 1e18 / inSol - 1)).toBeLessThan(0.001);
    }
  });

  it('knows what stake pools earn from the first slot on', async () => {
    const { read } = await openLedger();
    const yields = read().map((reading) => nativeAprOf(reading, [], { epoch: 2n, slotMicros: 400_000n }));
    expect(yields.map((each) => (each === null ? null : Math.round(Number(each) / 1e13)))).toEqual([5916, 6226, null]);
  });
});

describe('createLstRewards', () => {
  it('pays each epoch once, and Marinade what the ends of two show', async () => {
    const { ledger, read } = await openLedger();
    const reward = createLstRewards();
    const before = read();
    reward(ledger, at.slot + 1n);
    expect(read()).toEqual(before);
    let seen: readonly EpochRate[] = [];
    for (const epoch of [2n, 3n, 4n]) {
      reward(ledger, epoch * SLOTS_PER_EPOCH + 1n);
      reward(ledger, epoch * SLOTS_PER_EPOCH + 2n);
      createLstRewards()(ledger, epoch * SLOTS_PER_EPOCH + 3n);
      seen = rememberRate(seen, { epoch, rateE18: read().at(-1)?.exchangeRateE18 ?? -1n });
    }
    const after = read();
    const yields = after.map((reading) => nativeAprOf(reading, seen, { epoch: 4n, slotMicros: 400_000n }));
    expect(yields.map((each) => Math.round(Number(each) / 1e13))).toEqual([5916, 6226, 5685]);
    expect(after.map(({ epoch }) => epoch)).toEqual([4n, 4n, null]);
    const growth = after.map(
      ({ exchangeRateE18 }, index) => Number(exchangeRateE18) / Number(before[index]?.exchangeRateE18),
    );
    expect(growth.map((each) => each.toFixed(7))).toEqual(['1.0006301', '1.0006621', '1.0006061']);
  });

  it('looks at the pools once an epoch', async () => {
    const { ledger } = await openLedger();
    const reward = createLstRewards();
    for (let slot = at.slot; slot < at.slot + 100n; slot += 1n) reward(ledger, slot);
    expect(ledger.writes).toBe(1);
  });
});
