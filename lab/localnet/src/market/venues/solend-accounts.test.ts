import {
  mintLayout,
  SOLEND_MAIN_MARKET,
  solendObligationLayout,
  solendReserveLayout,
  tokenAccountLayout,
} from '@lending/programs';
import { type AccountSearch, type ReserveReading, solendAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { deriveBankAddresses } from '../bank-addresses.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { createSolendAccounts } from './solend-accounts.ts';
import { SOLEND_RESERVES } from './solend-reserves.ts';

const at = { unixTimestamp: 1_795_276_800n, slot: 1_000_000n };
const accounts = new Map(await createSolendAccounts(at));
const readings = await readAll();
const of = (token: string): ReserveReading => {
  const address = SOLEND_RESERVES.find((each) => each.token === token)?.address;
  return readings.find(({ keys }) => keys.address === address) as ReserveReading;
};
const data = (address: Address) => accounts.get(address)?.data ?? new Uint8Array();

async function readAll(): Promise<readonly ReserveReading[]> {
  const bytesAt = (address: Address) => {
    const state = accounts.get(address);
    return state === undefined ? null : { address, ...state };
  };
  const list = async ({ program, filters }: AccountSearch) =>
    [...accounts.keys()].flatMap((address) => {
      const account = bytesAt(address);
      const fits = filters.every((filter) =>
        filter.kind === 'size'
          ? account?.data.length === filter.bytes
          : filter.bytes.every((byte, index) => account?.data[filter.offset + index] === byte),
      );
      return account !== null && account.owner === program && fits ? [account] : [];
    });
  const found = await solendAdapter.discover(list, (_address, error) => {
    throw error;
  });
  return found.map((keys) =>
    solendAdapter.readReserve(keys, keys.accounts.map(bytesAt), { ...at, slotMicros: 400_000n }),
  );
}

describe('createSolendAccounts', () => {
  it('has three live reserves in the main pool, with rates on both sides', () => {
    expect(readings.map(({ keys }) => keys.address).sort()).toEqual(
      SOLEND_RESERVES.map(({ address }) => address).sort(),
    );
    for (const { keys, status, rates, limits } of readings) {
      expect(keys.market).toBe(SOLEND_MAIN_MARKET);
      expect(status).toBe('active');
      expect(rates.depositApr).toBeGreaterThan(0n);
      expect(rates.borrowApr).toBeGreaterThan(rates.depositApr ?? 0n);
      expect(limits.depositRoomBase).toBeGreaterThan(0n);
      expect(limits.withdrawRoomBase).toBeGreaterThan(0n);
    }
  });

  it('gives USDC the totals and the rate of mainnet', () => {
    expect(of('USDC')).toMatchObject({
      decimals: 6,
      sizes: { depositsBase: 22_513_745_961_773n, borrowsBase: 17_175_893_161_672n, availableBase: 5_337_852_800_102n },
      price: { usdE18: 999_900_000_000_000_000n },
    });
    expect(Number(of('USDC').rates.borrowApr) / 1e18).toBeCloseTo(0.0265849336 * 1.25, 9);
  });

  it('lets SOL leave within its window', () => {
    expect(of('SOL').limits.withdrawRoomBase).toBe(60_000_000_000_000n);
  });

  it('holds what the books say in every vault and mint', () => {
    for (const { address } of SOLEND_RESERVES) {
      const { liquidity, collateral } = solendReserveLayout.decode(data(address));
      const amount = (account: Address) => tokenAccountLayout.decode(data(account)).amount;
      expect(amount(liquidity.supplyPubkey)).toBe(liquidity.availableAmount);
      expect(amount(collateral.supplyPubkey)).toBe(collateral.mintTotalSupply);
      expect(mintLayout.decode(data(collateral.mintPubkey))).toMatchObject({
        supply: collateral.mintTotalSupply,
        decimals: liquidity.mintDecimals,
      });
    }
  });

  it('gives each bank an obligation with as many receipts as the bank has shares', async () => {
    for (const bank of VENUE_BANKS.filter(({ assetTag }) => assetTag === 5)) {
      const { integration, liquidity } = await deriveBankAddresses(bank);
      const obligation = solendObligationLayout.decode(data(integration[1]));
      expect(obligation.owner).toBe(liquidity.authority);
      expect(obligation.deposits).toMatchObject([
        { depositReserve: bank.venueAccount, depositedAmount: BigInt(bank.shares.assets) },
      ]);
    }
  });
});
