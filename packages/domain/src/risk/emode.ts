import { type I80F48, I80F48_ONE } from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';
import { hasLiability } from './balance-side.ts';
import type { Requirement, RiskBalance, RiskBank, RiskEmode } from './risk-balance.ts';

type EmodeEntry = RiskEmode['entries'][number];

/** What all debts of an account agree to favour, by the collateral's emode tag, in ascending order. */
export type ReconciledEmode = readonly EmodeEntry[];

/** In place of a tag: the bank favours nothing and is favoured by nobody. */
const NO_TAG = 0;
const NO_EMODE: ReconciledEmode = Object.freeze([]);

/**
 * Intersects the entries of all borrowed banks: a collateral tag survives when there are as many entries for it as banks, with the
 * smaller of each weight. Entries are counted, not banks, as the program counts them; no bank can be configured with a tag twice.
 * @see marginfi-v2 type-crate/src/types/emode.rs `reconcile_emode_configs`
 */
export function reconcileEmode(debts: readonly RiskEmode[]): ReconciledEmode {
  if (debts.every((debt) => debt.entries.length === 0)) return NO_EMODE;
  const merged = new Map<number, { entry: EmodeEntry; count: number }>();
  for (const debt of debts) {
    for (const entry of debt.entries) {
      if (entry.collateralTag === NO_TAG) continue;
      const seen = merged.get(entry.collateralTag);
      merged.set(
        entry.collateralTag,
        seen === undefined ? { entry, count: 1 } : { entry: lesser(seen.entry, entry), count: seen.count + 1 },
      );
    }
  }
  return [...merged.values()]
    .filter(({ count }) => count === debts.length)
    .map(({ entry }) => entry)
    .sort((one, other) => one.collateralTag - other.collateralTag);
}

/** The emode of an account: of every bank in which it has a debt, dust apart. */
export function emodeOf(balances: readonly RiskBalance[]): ReconciledEmode {
  const debts: RiskEmode[] = [];
  for (const balance of balances) if (hasLiability(balance)) debts.push(balance.bank.emode);
  return reconcileEmode(debts);
}

/**
 * The weight of a bank as collateral: emode can only raise it. Weights above 1 are legitimate.
 * @see marginfi-v2 type-crate/src/types/bank.rs `get_asset_weight`
 */
export function assetWeightOf(bank: RiskBank, requirement: Requirement, emode: ReconciledEmode): I80F48 {
  if (requirement === 'equity') return I80F48_ONE;
  const isInitial = requirement === 'initial';
  const own = isInitial ? bank.weights.assetInit : bank.weights.assetMaint;
  const entry = favourOf(bank.emode.tag, emode);
  if (entry === undefined) return own;
  const favoured = isInitial ? entry.assetWeightInit : entry.assetWeightMaint;
  return largerOf(favoured, own);
}

/** The weight of a bank as debt; emode leaves it alone. */
export function liabilityWeightOf(bank: RiskBank, requirement: Requirement): I80F48 {
  if (requirement === 'equity') return I80F48_ONE;
  return requirement === 'initial' ? bank.weights.liabilityInit : bank.weights.liabilityMaint;
}

function favourOf(tag: number, emode: ReconciledEmode): EmodeEntry | undefined {
  return tag === NO_TAG ? undefined : emode.find((entry) => entry.collateralTag === tag);
}

function lesser(one: EmodeEntry, other: EmodeEntry): EmodeEntry {
  return {
    collateralTag: one.collateralTag,
    assetWeightInit: smallerOf(one.assetWeightInit, other.assetWeightInit),
    assetWeightMaint: smallerOf(one.assetWeightMaint, other.assetWeightMaint),
  };
}
