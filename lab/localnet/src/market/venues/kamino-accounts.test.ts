import {
  findBankVaultAuthority,
  findKlendMarketAuthority,
  findKlendObligation,
  klendObligationLayout,
  klendReserveLayout,
  mintLayout,
  NO_KEY,
  tokenAccountLayout,
} from '@lending/programs';
import { type AccountSearch, kaminoAdapter, type ReserveReading } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { createKaminoAccounts } from './kamino-accounts.ts';
import { KAMINO_RESERVES } from './kamino-reserves.ts';

const at = { unixTimestamp: 1_795_276_800n, slot: 7n };
const accounts = new Map(await createKaminoAccounts(at));
const banks = VENUE_BANKS.filter(({ assetTag }) => assetTag === 3);

async function readAll(seconds = 0n): Promise<readonly ReserveReading[]> {
  const found = await kaminoAdapter.discover(list, (_address, error) => {
    throw error;
  });
  const slot = at.slot + (seconds * 5n) / 2n;
  const moment = { slot, unixTimestamp: at.unixTimestamp + seconds, slotMicros: 400_000n };
  return found.map((keys) =>
    kaminoAdapter.readReserve(
      keys,
      keys.accounts.map((address) => ({ address, ...held(address) })),
      moment,
    ),
  );
}

async function list({ program, filters }: AccountSearch) {
  return [...accounts].flatMap(([address, { owner, data }]) => {
    const fits = filters.every((filter) =>
      filter.kind === 'size'
        ? data.length === filter.bytes
        : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
    );
    return owner === program && fits ? [{ address, owner, data }] : [];
  });
}

function held(address: Address): AccountState {
  const state = accounts.get(address);
  if (state === undefined) throw new Error(`there is no account ${address}`);
  return state;
}

const tokensOf = (address: Address) => tokenAccountLayout.decode(held(address).data);

describe('createKaminoAccounts', () => {
  it('stands behind every Kamino bank of the market at its address, and has one reserve more', async () => {
    const found = (await readAll()).map(({ keys }) => keys.address);
    const reached = banks.map(({ venueAccount }) => venueAccount);
    expect(found).toEqual(expect.arrayContaining(reached));
    expect(found).toHaveLength(reached.length + 1);
    expect([...found].sort()).toEqual(KAMINO_RESERVES.map(({ address }) => address).sort());
  });

  it('pays rates in every reserve, whose receipts are worth more than a token', async () => {
    for (const { rates, exchangeRateE18, status, limits, symbol } of await readAll()) {
      expect(status, symbol ?? '').toBe('active');
      expect(rates.depositApr).toBeGreaterThan(10n ** 15n);
      expect(rates.borrowApr).toBeGreaterThan(rates.depositApr ?? 0n);
      expect(exchangeRateE18).toBeGreaterThan(10n ** 18n);
      expect(limits.depositRoomBase).toBeGreaterThan(0n);
      expect(limits.withdrawRoomBase).toBeGreaterThan(0n);
    }
  });

  it('pays one reserve’s rewards into it, and another’s by a farm', async () => {
    const readings = await readAll();
    const rewarded = readings.filter(({ rates }) => rates.poolRewardApr !== 0n);
    expect(rewarded.map(({ symbol }) => symbol)).toEqual(['PYUSD']);
    expect(rewarded[0]?.rates.poolRewardApr).toBeGreaterThan(10n ** 16n);
    const farmed = readings.filter(({ incentives }) => incentives.length > 0);
    expect(farmed.map(({ marketName }) => marketName)).toEqual(['Maple Market']);
  });

  it('accrues with time', async () => {
    const [before, after] = [await readAll(), await readAll(3600n)];
    for (const [index, reading] of before.entries()) {
      expect(after[index]?.exchangeRateE18).toBeGreaterThan(reading.exchangeRateE18 ?? 0n);
    }
  });

  it('holds in each vault what its reserve counts, and what it is to pay as rewards', () => {
    for (const { address } of KAMINO_RESERVES) {
      const { liquidity, collateral, lendingMarket } = klendReserveLayout.decode(held(address).data);
      const vault = tokensOf(liquidity.supplyVault);
      expect(vault.amount).toBe(liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable);
      expect(vault.mint).toBe(liquidity.mintPubkey);
      expect(mintLayout.decode(held(collateral.mintPubkey).data).supply).toBe(collateral.mintTotalSupply);
      expect(tokensOf(collateral.supplyVault)).toMatchObject({
        amount: collateral.mintTotalSupply,
        mint: collateral.mintPubkey,
      });
      expect(accounts.has(lendingMarket)).toBe(true);
    }
  });

  it('puts the market’s authority in charge of vaults and receipts', async () => {
    for (const { address } of KAMINO_RESERVES) {
      const { liquidity, collateral, lendingMarket } = klendReserveLayout.decode(held(address).data);
      const [authority] = await findKlendMarketAuthority(lendingMarket);
      for (const vault of [liquidity.supplyVault, collateral.supplyVault])
        expect(tokensOf(vault).owner).toBe(authority);
      expect(mintLayout.decode(held(collateral.mintPubkey).data).mintAuthority.value).toBe(authority);
    }
  });

  it('gives each bank’s vault authority an obligation with as many receipts as the bank has shares', async () => {
    for (const { address, venueAccount, venueMarket, shares } of banks) {
      const [owner] = await findBankVaultAuthority('liquidity', address);
      const [obligation] = await findKlendObligation({
        ...{ tag: 0, id: 0, owner, seed1: NO_KEY, seed2: NO_KEY },
        market: venueMarket ?? NO_KEY,
      });
      const { deposits, lendingMarket } = klendObligationLayout.decode(held(obligation).data);
      expect(lendingMarket).toBe(venueMarket);
      expect(deposits.filter(({ depositReserve }) => depositReserve !== NO_KEY)).toMatchObject([
        { depositReserve: venueAccount, depositedAmount: BigInt(shares.assets) },
      ]);
    }
  });
});
