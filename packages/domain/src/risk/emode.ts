import { EMPTY_BALANCE_SHARES } from '../accounting/thresholds.ts';
import { divideI80F48, type I80F48, I80F48_ONE, multiplyI80F48 } from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';
import { hasLiability } from './balance-side.ts';
import type { Requirement, RiskBalance, RiskBank, RiskEmode } from './risk-balance.ts';

type EmodeEntry = RiskEmode['entries'][number];

/** What all debts of an account agree to favour. */
export interface ReconciledEmode {
  /** By the collateral's emode tag, in ascending order. */
  readonly entries: readonly EmodeEntry[];
  /** The weights of collateral in the one asset that is owed, zero where they are off; null where the debts differ. */
  readonly sameAsset: { readonly asset: string; readonly assetInit: I80F48; readonly assetMaint: I80F48 } | null;
}

/** What emode asks of a bank that is owed to. */
type DebtBank = Pick<RiskBank, 'emode' | 'sameAsset' | 'weights'>;

/** In place of a tag: the bank favours nothing and nothing favours it. */
const NO_TAG = 0;
export const NO_EMODE: ReconciledEmode = Object.freeze({ entries: [], sameAsset: null });

/** The emode of debts in these banks. */
export function reconcileEmode(debts: readonly DebtBank[]): ReconciledEmode {
  const entries = reconcileEntries(debts.map(({ emode }) => emode));
  const sameAsset = reconcileSameAsset(debts);
  return entries.length === 0 && sameAsset === null ? NO_EMODE : { entries, sameAsset };
}

/**
 * Intersects the entries of all borrowed banks: a collateral tag survives when there are as many entries for it as banks, with the
 * smaller of each weight. Entries are counted, not banks, as the program counts them; no bank can be configured with a tag twice.
 * @see marginfi-v2 type-crate/src/types/emode.rs `reconcile_emode_configs`
 */
function reconcileEntries(debts: readonly RiskEmode[]): readonly EmodeEntry[] {
  if (debts.every((debt) => debt.entries.length === 0)) return NO_EMODE.entries;
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

/**
 * Collateral of the very asset that is owed, read from the same feed, differs from it in nothing but time: the group says to which
 * leverage. A debt in any other asset, or in a bank that takes no part, ends it.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `update_reconciled_same_asset_config`
 */
function reconcileSameAsset(debts: readonly DebtBank[]): ReconciledEmode['sameAsset'] {
  const shared = debts[0]?.sameAsset;
  if (!shared || !debts.every(({ sameAsset }) => sameAsset?.isDebtToo && sameAsset.asset === shared.asset)) return null;
  const lowest = (weight: 'liabilityInit' | 'liabilityMaint') =>
    debts.map(({ weights }) => weights[weight]).reduce(smallerOf);
  return {
    asset: shared.asset,
    assetInit: weightAtLeverage(shared.leverage.init, lowest('liabilityInit')),
    assetMaint: weightAtLeverage(shared.leverage.maint, lowest('liabilityMaint')),
  };
}

/** @see marginfi-v2 type-crate/src/types/emode.rs `compute_same_asset_emode_weight` */
function weightAtLeverage(leverage: I80F48, liabilityWeight: I80F48): I80F48 {
  if (leverage <= I80F48_ONE) return 0n;
  return multiplyI80F48(liabilityWeight, I80F48_ONE - divideI80F48(I80F48_ONE, leverage));
}

/** The emode of an account: of every bank in which it has a debt, dust apart. */
export function emodeOf(balances: readonly RiskBalance[]): ReconciledEmode {
  return reconcileEmode(balances.filter(hasLiability).map(({ bank }) => bank));
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
  const favoured = entry === undefined ? own : isInitial ? entry.assetWeightInit : entry.assetWeightMaint;
  const same = emode.sameAsset !== null && bank.sameAsset?.asset === emode.sameAsset.asset ? emode.sameAsset : null;
  const ofSame = same === null ? own : isInitial ? same.assetInit : same.assetMaint;
  return largerOf(largerOf(favoured, ofSame), own);
}

/**
 * Whether emode raises the maintenance weight of all of an account's collateral; false without collateral.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`, from 0.1.12
 */
export function isRaisedByEmode(balances: readonly RiskBalance[]): boolean {
  const emode = emodeOf(balances);
  const banks = balances.filter(({ assetShares }) => assetShares >= EMPTY_BALANCE_SHARES).map(({ bank }) => bank);
  return banks.length > 0 && banks.every((bank) => assetWeightOf(bank, 'maintenance', emode) > bank.weights.assetMaint);
}

/** The weight of a bank as debt; emode leaves it alone. */
export function liabilityWeightOf(bank: RiskBank, requirement: Requirement): I80F48 {
  if (requirement === 'equity') return I80F48_ONE;
  return requirement === 'initial' ? bank.weights.liabilityInit : bank.weights.liabilityMaint;
}

function favourOf(tag: number, emode: ReconciledEmode): EmodeEntry | undefined {
  return tag === NO_TAG ? undefined : emode.entries.find((entry) => entry.collateralTag === tag);
}

function lesser(one: EmodeEntry, other: EmodeEntry): EmodeEntry {
  return {
    collateralTag: one.collateralTag,
    assetWeightInit: smallerOf(one.assetWeightInit, other.assetWeightInit),
    assetWeightMaint: smallerOf(one.assetWeightMaint, other.assetWeightMaint),
  };
}
