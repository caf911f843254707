import { type CachedPrice, cachedPriceOf } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { findBankOracle } from '../risk/bank-oracle.ts';
import { arePricesLocked, type BankState } from '../state/bank-state.ts';
import { observe } from './circuit-breaker.ts';

/** Leaves the price that an instruction used in the bank, and shows it to the breaker; without one the last stays. */
export function updateCachedPrice(context: InvokeContext, state: BankState, price: CachedPrice | null): void {
  if (price === null || arePricesLocked(state)) return;
  state.lastOraclePrice = price.price;
  state.lastOraclePriceConfidence = price.confidence;
  state.priceMultiplier = price.multiplier;
  state.lastOraclePriceTimestamp = context.slot.unixTimestamp;
  observe(context, state, price);
}

/** The same from the accounts of the health check, where they have the bank's oracle. */
export function tryCachePrice(
  context: InvokeContext,
  bank: Loader<BankState>,
  remaining: readonly InstructionAccount[],
): void {
  const price = tryReadPrice(context, bank, remaining);
  updateCachedPrice(context, bank.loadMut(), price === null || 'error' in price.cached ? null : price.cached);
}

/** A bank's oracle where the accounts have it and it can be read; what is wrong with it stops nothing here. */
export function tryReadPrice(
  context: InvokeContext,
  bank: Loader<BankState>,
  remaining: readonly InstructionAccount[],
) {
  try {
    const oracle = findBankOracle(context, bank.account, bank.load(), remaining);
    return { oracle, cached: cachedPriceOf(oracle.config, oracle.loaded, oracle.price) };
  } catch (error) {
    if (error instanceof AnchorError) return null;
    throw error;
  }
}
