import type { Build } from '@lending/api';
import { computeHealth, floorI80F48, type Health, multiplyI80F48 } from '@lending/domain';
import { findSwapAuthority, type Ledger } from '@lending/localnet';
import { MARGINFI_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  loadOracle,
  oracleAccountsOf,
  type P0Account,
  type P0Bank,
  readHolding,
  readRentLamportsPerByte,
  rentSysvarOf,
  toRiskBalances,
  toRiskBank,
  toRiskPriceOnceRefreshed,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { readAccount } from './ledger-tables.ts';
import type { Pair } from './pairs.ts';

/** The chain before or after a build landed, as far as it is about tokens and the wallet. */
export interface Snapshot {
  readonly lamports: bigint;
  readonly holders: TokenHolders;
}

export function takeSnapshot(ledger: Ledger, wallet: Address): Snapshot {
  return { lamports: ledger.account(wallet)?.lamports ?? 0n, holders: tokenHolders(ledger) };
}

/** What moved at the banks of a pair, base units; nothing where there is no pair. */
export interface Moved {
  /** What the deposit bank, or the venue behind it, got. */
  readonly supplied: bigint;
  /** What left the borrow bank's vault. */
  readonly lent: bigint;
}

/**
 * Compares what landed with what the build said, to the base unit: everything the wallet has, and the account's health, worked out once
 * more from the chain's bytes; of a loop or a close what the banks got and gave, and the position, too.
 */
export function expectKept(
  ledger: Ledger,
  build: Build,
  { bank, pair }: { readonly bank?: P0Bank | null | undefined; readonly pair?: Pair | undefined },
  before: Snapshot,
  context: string,
): Moved {
  const after = takeSnapshot(ledger, build.request.authority);
  if (pair === undefined)
    for (const { isNativeSol, mint } of build.tokenChanges) if (!isNativeSol) expect(mint, context).toBe(bank?.mint);
  expectWalletKept(build, before, after, context);
  const account = readAccount(ledger, build.account);
  expectHealthKept(ledger, build, account, context);
  if (pair === undefined) return { supplied: 0n, lent: 0n };
  const moved = movedAtBanks(pair, before, after, build.request.authority);
  expectPositionKept(ledger, build, pair, account, moved, context);
  return moved;
}

/** Lamports, the tokens of every mint that is named, and that nothing else of the wallet moved. */
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

function expectPositionKept(
  ledger: Ledger,
  { position, newAccountIndex, request }: Build,
  pair: Pair,
  account: P0Account | null,
  { supplied }: Moved,
  context: string,
): void {
  expect(position, `${context}: position`).toMatchObject({
    depositBank: pair.deposit.address,
    borrowBank: pair.borrow.address,
  });
  const apart = supplied - (position?.depositDeltaBase ?? 0n);
  // Positions are shown rounded down, before and after, and a venue's receipts are worth some units less than what was paid for them.
  const most = pair.deposit.venue === 'p0' ? 1n : 4n;
  expect(apart < 0n ? -apart : apart, `${context}: position.depositDeltaBase`).toBeLessThanOrEqual(most);
  if (newAccountIndex !== null) expectShown(ledger, position, pair, account, context);
  expect(account?.flags.isInFlashLoan ?? false, `${context}: still in its flash loan`).toBe(false);
  if (request.kind === 'close_position' && request.amount === 'all')
    expect(debtOf(account, pair), `${context}: debt left`).toBe(0n);
}

/** The positions of a new account: whole base units of what its shares are worth. */
function expectShown(
  ledger: Ledger,
  position: Build['position'],
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

function expectHealthKept(ledger: Ledger, build: Build, account: P0Account | null, context: string): void {
  const health = account === null ? computeHealth([]) : healthOf(ledger, account);
  expect(figuresOf(health), `${context}: post_health`).toEqual(figuresOf(build.postHealth.health));
  if (account !== null) expectProgramAgrees(ledger, build, account, context);
}

/**
 * What the program wrote down when it checked the account itself, as withdrawals and borrows end. An account without debt passes whatever
 * its collateral is worth, so nothing of other venues is refreshed for it, and the program counts them as nothing.
 */
function expectProgramAgrees(ledger: Ledger, build: Build, account: P0Account, context: string): void {
  const { healthCache: cache } = account;
  const { health, staleBanks } = build.postHealth;
  const isChecked = build.request.kind === 'withdraw' || build.request.kind === 'borrow';
  const hasDebt = account.balances.some(({ liabilityShares }) => liabilityShares > 0n);
  if (!isChecked || !hasDebt || staleBanks.length > 0 || cache.computedAt !== ledger.unixTimestamp) return;
  const { assets, liabilities } = cache.initial;
  expect({ assets, liabilities }, `${context}: the program's own figures`).toEqual(health.initial);
}

function healthOf(ledger: Ledger, account: P0Account): Health {
  const found = ledger.account(account.group);
  if (found === undefined) throw new TypeError(`The group ${account.group} is gone`);
  const group = decodeGroup({ address: account.group, ...found }, MARGINFI_PROGRAM);
  const banks = account.balances.map(({ bank: address }) => {
    const state = ledger.account(address);
    if (state === undefined) throw new TypeError(`The bank ${address} is gone`);
    const bank = decodeBank({ address, ...state }, MARGINFI_PROGRAM);
    const read = (each: Address) => {
      const stored = ledger.account(each);
      return stored === undefined ? null : { address: each, ...stored };
    };
    const rentSysvar = rentSysvarOf(bank);
    const rentLamportsPerByte = readRentLamportsPerByte(rentSysvar === null ? null : read(rentSysvar));
    const moment = {
      slot: ledger.slot('confirmed'),
      unixTimestamp: ledger.unixTimestamp,
      ...(rentLamportsPerByte === undefined ? {} : { rentLamportsPerByte }),
    };
    const loaded = loadOracle(bank, oracleAccountsOf(bank).map(read), moment);
    return [address, { bank: toRiskBank(bank, group, null), price: toRiskPriceOnceRefreshed(bank, loaded) }] as const;
  });
  return computeHealth(toRiskBalances(account, new Map(banks), ledger.unixTimestamp));
}

function figuresOf({ status, initial, maintenance, equity, factor, ratio }: Health) {
  return { status, initial, maintenance, equity, factor, ratio };
}

/** What is in each token account of the chain, base units. */
type TokenHolders = ReadonlyMap<Address, Holder>;

interface Holder {
  readonly mint: Address;
  readonly owner: Address;
  readonly base: bigint;
}

/** Who holds what right now, also what is not confirmed yet. */
function tokenHolders(ledger: Ledger): TokenHolders {
  const holders = new Map<Address, Holder>();
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
    for (const [address, state] of ledger.accountsOwnedBy(program, 'processed')) {
      const holding = readHolding({ address, ...state });
      if (holding === null) continue;
      holders.set(address, { mint: holding.mint, owner: holding.owner, base: holding.amountBase });
    }
  return holders;
}

/** How much more of a mint these accounts hold; who was or is not there holds nothing. */
function gained(
  before: TokenHolders,
  after: TokenHolders,
  mint: Address,
  isCounted: (address: Address, owner: Address) => boolean,
): bigint {
  const sum = (holders: TokenHolders) =>
    [...holders].reduce(
      (total, [address, holder]) =>
        holder.mint === mint && isCounted(address, holder.owner) ? total + holder.base : total,
      0n,
    );
  return sum(after) - sum(before);
}
