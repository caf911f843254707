import type { Build } from '@lending/api';
import { floorI80F48, multiplyI80F48 } from '@lending/domain';
import { findSwapAuthority, type Ledger } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, type P0Account, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { expectHealthKept, readAccount } from '../builders/promise.ts';
import type { Pair } from './pairs.ts';
import { gained, type TokenHolders, tokenHolders } from './token-holders.ts';

/** The chain before or after a loop or a close, as far as it is about the pair and the wallet. */
export interface Snapshot {
  readonly lamports: bigint;
  readonly holders: TokenHolders;
}

export function takeSnapshot(ledger: Ledger, wallet: Address): Snapshot {
  return { lamports: ledger.account(wallet)?.lamports ?? 0n, holders: tokenHolders(ledger) };
}

/** What moved at the banks of a pair, base units. */
export interface Moved {
  /** What the deposit bank, or the venue behind it, got. */
  readonly supplied: bigint;
  /** What left the borrow bank's vault. */
  readonly lent: bigint;
}

/**
 * Holds a loop or a close that landed against what the build said, to the base unit: everything the wallet has, what the banks got and gave,
 * the position, and the account's health worked out anew from the chain's bytes.
 */
export function expectLeverageKept(ledger: Ledger, build: Build, pair: Pair, before: Snapshot, context: string): Moved {
  const { authority } = build.request;
  const after = takeSnapshot(ledger, authority);
  expectWalletKept(build, before, after, context);
  const moved = movedAtBanks(pair, before, after, authority);
  const { position } = build;
  expect(position, `${context}: position`).not.toBeNull();
  expect(position?.depositBank, context).toBe(pair.deposit.address);
  expect(position?.borrowBank, context).toBe(pair.borrow.address);
  const apart = moved.supplied - (position?.depositDeltaBase ?? 0n);
  // Positions are shown rounded down, before and after, and a venue's receipts are worth some units less than what was paid for them.
  const most = pair.deposit.venue === 'p0' ? 1n : 4n;
  expect(apart < 0n ? -apart : apart, `${context}: position.depositDeltaBase`).toBeLessThanOrEqual(most);
  expectHealthKept(ledger, build, context);
  const account = readAccount(ledger, build.account);
  if (build.newAccountIndex !== null) expectShown(ledger, build, pair, account, context);
  expect(account?.flags.isInFlashLoan ?? false, `${context}: still in its flash loan`).toBe(false);
  if (build.request.kind === 'close_position' && build.request.amount === 'all')
    expect(debtOf(account, pair), `${context}: debt left`).toBe(0n);
  return moved;
}

/** The positions of a new account: whole base units of what its shares are worth. */
function expectShown(
  ledger: Ledger,
  { position }: Build,
  pair: Pair,
  account: P0Account | null,
  context: string,
): void {
  const held = (bank: P0Bank) => account?.balances.find((balance) => balance.bank === bank.address);
  const worth = (bank: P0Bank, shares: bigint | undefined, side: 'assetShareValue' | 'liabilityShareValue') => {
    const state = ledger.account(bank.address);
    if (state === undefined) throw new TypeError(`The bank ${bank.address} is on the chain`);
    const { shares: values } = decodeBank({ address: bank.address, ...state }, MARGINFI_PROGRAM);
    return floorI80F48(multiplyI80F48(shares ?? 0n, values[side]));
  };
  const owed = worth(pair.borrow, held(pair.borrow)?.liabilityShares, 'liabilityShareValue');
  expect(position?.borrowDeltaBase, `${context}: position.borrowDeltaBase`).toBe(owed);
  if (pair.deposit.venue !== 'p0') return;
  const lent = worth(pair.deposit, held(pair.deposit)?.assetShares, 'assetShareValue');
  expect(position?.depositDeltaBase, `${context}: position.depositDeltaBase`).toBe(lent);
}

/** Lamports, the tokens of both mints, and that nothing else of the wallet moved. */
function expectWalletKept(build: Build, before: Snapshot, after: Snapshot, context: string): void {
  const { authority } = build.request;
  const promised = new Map<string, bigint>();
  let native = 0n;
  for (const { isNativeSol, mint, deltaBase } of build.tokenChanges) {
    if (isNativeSol) native += deltaBase;
    else promised.set(mint, (promised.get(mint) ?? 0n) + deltaBase);
  }
  const mints = new Set([...before.holders.values(), ...after.holders.values()].map(({ mint }) => mint));
  const moved = new Map<string, bigint>();
  for (const mint of mints) {
    const delta = gained(before.holders, after.holders, mint, (_, owner) => owner === authority);
    if (delta !== 0n || promised.has(mint)) moved.set(mint, delta);
  }
  const [did, said] = [listed(after.lamports - before.lamports, moved), listed(native, promised)];
  expect(did, `${context}: token_changes: ${did}, promised ${said}`).toBe(said);
}

function movedAtBanks({ deposit, borrow }: Pair, before: Snapshot, after: Snapshot, wallet: Address): Moved {
  const dealer = findSwapAuthority().address;
  const isDepositor = (address: Address, owner: Address) =>
    owner !== wallet && owner !== dealer && address !== borrow.liquidityVault;
  return {
    supplied: gained(before.holders, after.holders, deposit.mint, isDepositor),
    lent: -gained(before.holders, after.holders, borrow.mint, (address) => address === borrow.liquidityVault),
  };
}

/** Raw shares owed in the borrow bank. */
export function debtOf(account: P0Account | null, { borrow }: Pair): bigint {
  return account?.balances.find(({ bank }) => bank === borrow.address)?.liabilityShares ?? 0n;
}

/** As text: a message tells all of it. */
function listed(lamports: bigint, deltas: ReadonlyMap<string, bigint>): string {
  return [`lamports ${lamports}`, ...[...deltas].map(([mint, delta]) => `${mint} ${delta}`).toSorted()].join(', ');
}
