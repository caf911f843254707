import { findBankVaultAuthority, juplendLendingLayout, mintLayout, tokenAccountLayout } from '@lending/programs';
import { type AccountSearch, type ReserveReading, VENUE_ADAPTERS } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { deriveBankAddresses } from '../bank-addresses.ts';
import { DEMO_TOKENS } from '../tokens.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { createJuplendAccounts } from './juplend-accounts.ts';
import { JUPLEND_RESERVES } from './juplend-reserves.ts';

const at = { unixTimestamp: 1_795_276_800n, slot: 7n };
const accounts = new Map(await createJuplendAccounts(at));
const juplendBanks = VENUE_BANKS.filter(({ assetTag }) => assetTag === 6);
const adapter = VENUE_ADAPTERS.find(({ venue }) => venue === 'juplend');

async function readAll(seconds = 0n): Promise<readonly ReserveReading[]> {
  if (adapter === undefined) throw new Error('there is no adapter of JupLend');
  const list = async ({ program, filters, slice }: AccountSearch) =>
    [...accounts].flatMap(([address, { owner, data }]) => {
      const fits = filters.every((filter) =>
        filter.kind === 'size'
          ? data.length === filter.bytes
          : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
      );
      if (owner !== program || !fits) return [];
      const end = slice === undefined ? data.length : slice.offset + slice.length;
      return [{ address, owner, data: data.subarray(slice?.offset ?? 0, end) }];
    });
  const found = await adapter.discover(list, (_address, error) => {
    throw error;
  });
  const moment = { slot: at.slot, unixTimestamp: at.unixTimestamp + seconds, slotMicros: 400_000n };
  return found.map((keys) =>
    adapter.readReserve(
      keys,
      keys.accounts.map((address) => ({ address, ...held(address) })),
      moment,
    ),
  );
}

function held(address: Address): AccountState {
  const state = accounts.get(address);
  if (state === undefined) throw new Error(`there is no account ${address}`);
  return state;
}

const tokensOf = (address: Address) => tokenAccountLayout.decode(held(address).data);

describe('createJuplendAccounts', () => {
  it('stands behind every JupLend bank of the market at its address', async () => {
    const found = (await readAll()).map(({ keys }) => keys.address);
    expect([...found].sort()).toEqual(juplendBanks.map(({ venueAccount }) => venueAccount).sort());
    expect([...found].sort()).toEqual(JUPLEND_RESERVES.map(({ address }) => address).sort());
    for (const address of found) expect(held(address).data).toHaveLength(juplendLendingLayout.fixedSize);
  });

  it('has live pools with rates of their own', async () => {
    const readings = await readAll();
    for (const { status, rates, limits, sizes } of readings) {
      expect(status).toBe('active');
      expect(rates.depositApr).toBeGreaterThan(0n);
      expect(rates.borrowApr).toBeGreaterThan(rates.depositApr ?? 0n);
      expect(limits.withdrawRoomBase).toBeGreaterThan(0n);
      expect(sizes.availableBase).toBe(sizes.depositsBase - sizes.borrowsBase);
    }
    const usdc = readings.find(({ keys }) => keys.mint === DEMO_TOKENS.USDC.mint);
    // Mainnet's published rate.
    expect(usdc?.rates.borrowApr).toBe(44_200_000_000_000_000n);
    const rewarded = readings.filter(({ rates }) => (rates.poolRewardApr ?? 0n) > 0n);
    expect(rewarded.map(({ keys }) => keys.mint)).toEqual([DEMO_TOKENS.USDT.mint]);
  });

  it('earns by the second', async () => {
    const [now, later] = [await readAll(), await readAll(3_600n)];
    for (const [index, { exchangeRateE18 }] of later.entries()) {
      expect(exchangeRateE18).toBeGreaterThan(now[index]?.exchangeRateE18 ?? 0n);
    }
  });

  it('has every fToken in an account, the banks’ shares among them', async () => {
    const mints = new Map<Address, bigint>();
    for (const { data } of accounts.values()) {
      if (data.length !== 165) continue;
      const { mint, amount } = tokenAccountLayout.decode(data);
      mints.set(mint, (mints.get(mint) ?? 0n) + amount);
    }
    for (const { keys } of await readAll()) {
      const fTokenMint = keys.accounts[5] as Address;
      expect(mints.get(fTokenMint)).toBe(mintLayout.decode(held(fTokenMint).data).supply);
    }
    for (const bank of juplendBanks) {
      const { integration } = await deriveBankAddresses(bank);
      const [authority] = await findBankVaultAuthority('liquidity', bank.address);
      expect(tokensOf(integration[1])).toMatchObject({ owner: authority, amount: BigInt(bank.shares.assets) });
      expect(tokensOf(integration[2])).toMatchObject({
        owner: authority,
        mint: DEMO_TOKENS[bank.token].mint,
        amount: 0n,
      });
    }
  });

  it('can redeem every fToken: the pool’s supply is worth what its receipts are', async () => {
    for (const { keys, exchangeRateE18 } of await readAll()) {
      const { supply } = mintLayout.decode(held(keys.accounts[5] as Address).data);
      const owed = (supply * (exchangeRateE18 ?? 0n)) / 10n ** 18n;
      const position = held(keys.accounts[3] as Address).data;
      const raw = new DataView(position.buffer, position.byteOffset).getBigUint64(73, true);
      const reserve = held(keys.accounts[1] as Address).data;
      const price = new DataView(reserve.buffer, reserve.byteOffset).getBigUint64(86, true);
      const backing = (raw * price) / 10n ** 12n;
      expect(backing).toBeGreaterThanOrEqual(owed);
      expect(backing - owed).toBeLessThan(10n);
    }
  });
});
