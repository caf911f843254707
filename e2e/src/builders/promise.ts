import type { Build } from '@lending/api';
import { computeHealth, type Health } from '@lending/domain';
import type { Ledger } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
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
import { tokenAccountOf } from './endow.ts';

/** What a wallet holds as far as one action goes. */
export interface Holdings {
  readonly lamports: bigint;
  /** Of the action's mint, in the associated account; 0 without one. */
  readonly tokensBase: bigint;
}

export async function holdingsOf(ledger: Ledger, wallet: Address, bank: P0Bank | null): Promise<Holdings> {
  const lamports = ledger.account(wallet)?.lamports ?? 0n;
  if (bank === null) return { lamports, tokensBase: 0n };
  const address = await tokenAccountOf(ledger, wallet, bank);
  const state = ledger.account(address);
  const holding = state === undefined ? null : readHolding({ address, ...state });
  return { lamports, tokensBase: holding?.amountBase ?? 0n };
}

/**
 * Holds what landed against what a build said: the wallet's lamports and tokens to the base unit, and the account's health, worked out
 * anew from the chain's bytes.
 */
export async function expectKept(
  ledger: Ledger,
  build: Build,
  bank: P0Bank | null,
  before: Holdings,
  context: string,
): Promise<void> {
  const after = await holdingsOf(ledger, build.request.authority, bank);
  const promised = { native: 0n, tokens: 0n };
  for (const { isNativeSol, mint, deltaBase } of build.tokenChanges) {
    if (!isNativeSol) expect(mint, context).toBe(bank?.mint);
    promised[isNativeSol ? 'native' : 'tokens'] += deltaBase;
  }
  const moved = { native: after.lamports - before.lamports, tokens: after.tokensBase - before.tokensBase };
  expect(moved, `${context}: token_changes`).toEqual(promised);
  expectHealthKept(ledger, build, context);
}

/** The account's health, worked out anew from the chain's bytes. */
export function expectHealthKept(ledger: Ledger, build: Build, context: string): void {
  const account = readAccount(ledger, build.account);
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

/** A lending account as it stands; null where there is none. */
export function readAccount(ledger: Ledger, address: Address): P0Account | null {
  const state = ledger.account(address);
  return state === undefined ? null : decodeMarginfiAccount({ address, ...state }, MARGINFI_PROGRAM);
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
