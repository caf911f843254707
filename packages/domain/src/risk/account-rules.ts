import { ASSET_TAG, isIntegrationTag } from '../asset-tag.ts';
import { INTEGRATIONS } from '../integrations.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { hasLiability } from './balance-side.ts';
import type { RiskBalance } from './risk-balance.ts';

const MAX_BALANCES = 16;

/** Of which balances an account may have fewer than of others, because they cost more to value. */
export interface CostlyLimit {
  readonly max: number;
  /** Whether balances in staked banks are among them; those of venues always are. */
  readonly countsStaked: boolean;
}

/** Since 0.1.12. */
export const COSTLY_LIMIT: CostlyLimit = { max: 4, countsStaked: true };
/** Up to 0.1.11, when the error of the same number had another name. */
export const VENUE_LIMIT: CostlyLimit = { max: 8, countsStaked: false };

/** Whether a balance is one of those. */
export function isCostly(assetTag: number, { countsStaked }: CostlyLimit): boolean {
  return isIntegrationTag(assetTag) || (countsStaked && assetTag === ASSET_TAG.staked);
}

/** Default and all other venues: all but SOL, which mixes with anything, keep away from staked collateral. */
const DEFAULT_LIKE_TAGS: ReadonlySet<number> = new Set([
  ASSET_TAG.default,
  ...INTEGRATIONS.map(({ assetTag }) => assetTag),
]);

/** An active balance as these rules see it. The tag is the balance's own, copied from its bank when the slot was taken. */
export interface HeldSlot {
  readonly bank: string;
  readonly assetTag: number;
}

/**
 * An isolated debt must be the only one. The program checks it after the initial requirement; null is no violation.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `check_account_risk_tiers`
 */
export function findIsolatedViolation(balances: readonly RiskBalance[]): ProgramErrorName | null {
  const debts = balances.filter(hasLiability);
  if (debts.length <= 1) return null;
  return debts.some(({ bank }) => bank.riskTier === 'Isolated') ? 'IsolatedAccountIllegalState' : null;
}

/**
 * Whether a deposit to, or a borrow from, a bank of `assetTag` mixes staked collateral with anything but SOL. Checked on every deposit
 * and borrow, against all active balances, dust too; null is no violation. On a held tag it does not know the program panics.
 * @see marginfi-v2 type-crate/src/types/mod.rs `validate_asset_tags`
 */
export function findAssetTagViolation(held: readonly HeldSlot[], assetTag: number): ProgramErrorName | null {
  const isKnown = (tag: number) => tag === ASSET_TAG.sol || tag === ASSET_TAG.staked || DEFAULT_LIKE_TAGS.has(tag);
  if (!held.every((slot) => isKnown(slot.assetTag))) return 'ProgramFailedToComplete';
  const isForbidden = (tag: number) =>
    assetTag === ASSET_TAG.staked
      ? DEFAULT_LIKE_TAGS.has(tag)
      : DEFAULT_LIKE_TAGS.has(assetTag) && tag === ASSET_TAG.staked;
  return held.some((slot) => isForbidden(slot.assetTag)) ? 'AssetTagMismatch' : null;
}

/**
 * Whether an account has no slot left for a bank: sixteen in all, and fewer of the costly ones. A bank it holds already needs none. Null
 * is no violation.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `find_or_create`
 */
export function findSlotViolation(
  held: readonly HeldSlot[],
  wanted: HeldSlot,
  limit: CostlyLimit = COSTLY_LIMIT,
): ProgramErrorName | null {
  if (held.some((slot) => slot.bank === wanted.bank)) return null;
  const costly = held.filter((slot) => isCostly(slot.assetTag, limit)).length;
  if (isCostly(wanted.assetTag, limit) && costly >= limit.max) return 'CostlyPositionLimitExceeded';
  return held.length >= MAX_BALANCES ? 'LendingAccountBalanceSlotsFull' : null;
}
