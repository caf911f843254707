import { getAddressBytes, KLEND_PROGRAM, klendReserveLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { openBalance, sortBalances } from '../state/balance-state.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
/** Kamino's USDC bank of the main market. */
const KAMINO_USDC = '27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4' as Address;

let chain: MarketChain;
let party: Party;
let bank: P0Bank;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
  bank = chain.bankAt(KAMINO_USDC);
  refreshReserve(5n);
});

/** A reserve in which four receipts are worth `liquidity` tokens, refreshed in this slot. */
function refreshReserve(liquidity: bigint): void {
  const data = new Uint8Array(klendReserveLayout.fixedSize);
  data.set(klendReserveLayout.discriminator);
  const view = new DataView(data.buffer);
  view.setBigUint64(16, chain.context.slot, true);
  view.setBigUint64(224, liquidity * 1_000_000_000_000n, true);
  view.setBigUint64(272, 6n, true);
  view.setBigUint64(2_592, 4n * 1_000_000_000_000n, true);
  const address = bank.oracle.keys[1] as Address;
  chain.accounts.set(address, { lamports: 1_000_000_000n, owner: KLEND_PROGRAM, data, executable: false });
}

/** Puts receipts into the account, as a deposit to Kamino leaves them. */
function holdReceipts(receipts: bigint): void {
  chain.edit(party.account, (data) => {
    const key = getAddressBytes(KAMINO_USDC);
    const balance = openBalance({ data }, { bank: key, assetTag: 3, unixTimestamp: chain.context.unixTimestamp });
    if (balance !== undefined) balance.assetShares = receipts << 48n;
    sortBalances({ data });
  });
}

const pulse = () => {
  expectDone(chain.send(party.wallet, act.pulseHealth(party.account, chain.healthAccounts(party.account))));
  return chain.marginfiAccount(party.account);
};

describe('balances in other venues’ banks', () => {
  it('count with the venue’s rate in every requirement', () => {
    const before = pulse().healthCache;
    holdReceipts(1_000_000_000n);
    const after = pulse().healthCache;
    const added = Number(after.assetValueEquity - before.assetValueEquity) / 2 ** 48;
    expect(added).toBeCloseTo(1_250, -1);
    expect(after.assetValue - before.assetValue).toBeGreaterThan(0n);
    expect(chain.marginfiAccount(party.account).indexerFlags.hasKamino).toBe(1);
  });

  it('count as nothing once their reserve is a slot old, and fail what asks for all of them', () => {
    holdReceipts(1_000_000_000n);
    chain.context = { ...chain.context, slot: chain.context.slot + 1n };
    const { healthCache } = pulse();
    expect(healthCache).toMatchObject({ internalErr: 6206, internalLiqErr: 6206, mrgnErr: 0 });
    refreshReserve(5n);
    expect(pulse().healthCache).toMatchObject({ internalErr: 0, internalLiqErr: 6068 });
  });

  it('are read anew when their reserve changes within a slot', () => {
    holdReceipts(1_000_000_000n);
    const before = pulse().healthCache.assetValueEquity;
    refreshReserve(10n);
    expect(Number(pulse().healthCache.assetValueEquity - before) / 2 ** 48).toBeCloseTo(1_250, -1);
  });

  it('carry a borrow', () => {
    holdReceipts(1_000_000_000n);
    const list = chain.healthAccounts(party.account);
    expectDone(chain.send(party.wallet, act.borrow(party, chain.bank('SOL'), 1_000n, list)));
    const short = list.filter((address) => address !== bank.oracle.keys[1]);
    expect(errorOf(chain.send(party.wallet, act.borrow(party, chain.bank('SOL'), 1_000n, short)))).toBe(
      'WrongNumberOfOracleAccounts',
    );
  });

  it('are not for the instructions of P0’s own banks', () => {
    const usdc = { ...chain.bank('USDC'), address: KAMINO_USDC, liquidityVault: bank.liquidityVault };
    expect(errorOf(chain.send(party.wallet, act.deposit(party, usdc, 1n)))).toBe(
      'WrongAssetTagForStandardInstructions',
    );
    const list = chain.healthAccounts(party.account);
    expect(errorOf(chain.send(party.wallet, act.withdraw(party, usdc, 1n, list)))).toBe(
      'WrongAssetTagForStandardInstructions',
    );
  });
});
