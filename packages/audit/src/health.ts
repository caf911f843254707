import {
  balanceScaleOf,
  computeRequirement,
  emodeOf,
  largerOf,
  NO_EMODE,
  type Requirement,
  type RequirementOutcome,
} from '@lending/domain';
import type { P0HealthSums } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AuditedAccount } from './audited-account.ts';
import { atPrice, type Check, type CheckedBalance } from './check-of.ts';
import { type Comparison, differs } from './comparison.ts';

/** Of a value whose price was found by its average. */
const SPOT_BOUND = 1_000n;

const FIELDS = {
  initial: ['assetValue', 'liabilityValue'],
  maintenance: ['assetValueMaint', 'liabilityValueMaint'],
  equity: ['assetValueEquity', 'liabilityValueEquity'],
} as const satisfies Record<Requirement, readonly [string, string]>;

/**
 * The totals of an account's health cache against ours, from the prices beside them. The initial totals always; those at equity, which
 * has the same prices, where each collateral has one; those at maintenance where the price of the moment is known. A price that a double does not hold to the last bit gives the bound, and nothing else does.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`
 */
export function compareHealth(account: AuditedAccount, check: Check): readonly Comparison[] {
  const { healthCache } = account.after;
  const isPriced = check.balances.every(
    ({ side, price, bank }) => side !== 'asset' || price !== null || bank.riskTier === 'Isolated',
  );
  const areSpotsKnown = check.balances.every(({ spotOf }) => spotOf !== null);
  return [
    ...compareTotals(account, check, 'initial', healthCache.initial),
    ...(isPriced ? compareTotals(account, check, 'equity', healthCache.equity) : []),
    ...(isPriced && areSpotsKnown ? compareTotals(account, check, 'maintenance', healthCache.maintenance) : []),
  ];
}

function compareTotals(
  { after, arePricesOfCheck }: AuditedAccount,
  { balances, actedOn }: Check,
  requirement: Requirement,
  theirs: P0HealthSums,
): readonly Comparison[] {
  // A check that fails on a balance writes no totals.
  if (theirs.assets === 0n && theirs.liabilities === 0n) return [];
  const risks = balances.map(({ risk }) => risk);
  const outcome = computeRequirement(risks, requirement);
  const spread =
    requirement === 'maintenance'
      ? spotSpreadOf(balances, outcome, arePricesOfCheck)
      : spreadOf(balances, requirement, outcome);
  if (requirement === 'initial' && actedOn !== null && hasMovingLimit(balances, actedOn)) return [];
  const ours = totalsOf(outcome);
  const has = (wanted: CheckedBalance['side']) =>
    balances.filter(({ side, price }) => side === wanted && price !== null);
  const [collateral, debts] = [has('asset'), has('liability')];
  const favours = requirement === 'equity' || emodeOf(risks) === NO_EMODE ? [] : debts;
  const compared = (side: 0 | 1, concerned: readonly CheckedBalance[]): readonly Comparison[] => {
    const name = side === 0 ? 'assets' : 'liabilities';
    const comparison: Comparison = {
      figure: 'health',
      field: `healthCache.${FIELDS[requirement][side]}`,
      banks: concerned.map(({ address }) => address),
      account: after.address,
      ours: ours[name],
      theirs: theirs[name],
      bound: spread[name],
    };
    // After a borrow or a withdrawal the owner may have paid in without another check, which makes the account better than its cache says.
    const isBetter = side === 0 ? ours.assets > theirs.assets : ours.liabilities < theirs.liabilities;
    const isUnsure = actedOn !== null && isBetter && differs(comparison);
    return concerned.length === 0 || isUnsure ? [] : [comparison];
  };
  return [...(collateral.length === 0 ? [] : compared(0, [...collateral, ...favours])), ...compared(1, debts)];
}

function totalsOf(outcome: RequirementOutcome): P0HealthSums {
  // The program came to totals, so that a refusal of ours is a difference.
  return outcome.kind === 'valued' ? outcome : { assets: 0n, liabilities: 0n };
}

/** How far totals can lie apart for the prices that doubles do not hold: both ends of what each may have been. */
function spreadOf(
  balances: readonly CheckedBalance[],
  requirement: Requirement,
  outcome: RequirementOutcome,
): P0HealthSums {
  if (balances.every(({ price }) => price === null || price.error === 0n)) return { assets: 0n, liabilities: 0n };
  const at = (sign: bigint) =>
    totalsOf(
      computeRequirement(
        balances.map((one) => atPrice(one, one.price === null ? 0n : one.price.raw + sign * one.price.error)),
        requirement,
      ),
    );
  const [middle, low, high] = [totalsOf(outcome), at(-1n), at(1n)];
  const widest = (side: keyof P0HealthSums) =>
    largerOf(abs(middle[side] - low[side]), abs(high[side] - middle[side])) + roundingOf(balances, side);
  return { assets: widest('assets'), liabilities: widest('liabilities') };
}

/**
 * How far totals at maintenance can lie apart: an oracle's average tells which publication it is of, but can stand still over several
 * while prices lie within a thousandth of it.
 * @param areOfCheck whether the oracle is known to be of the moment.
 */
function spotSpreadOf(
  balances: readonly CheckedBalance[],
  outcome: RequirementOutcome,
  areOfCheck: boolean,
): P0HealthSums {
  const spread = { assets: 0n, liabilities: 0n };
  for (const [index, { side, spotOf }] of balances.entries()) {
    const value = outcome.values[index]?.value ?? 0n;
    if (spotOf === 'oracle' && !areOfCheck)
      spread[side === 'liability' ? 'liabilities' : 'assets'] += value / SPOT_BOUND;
  }
  const ofDoubles = spreadOf(balances, 'maintenance', outcome);
  return { assets: spread.assets + ofDoubles.assets, liabilities: spread.liabilities + ofDoubles.liabilities };
}

/** Each step of a value is cut; a discounted weight is cut in its last place too, and multiplies all that follows. */
function roundingOf(balances: readonly CheckedBalance[], side: keyof P0HealthSums): bigint {
  return balances.reduce((sum, { risk, bank, price }) => {
    if (price === null || price.error === 0n) return sum;
    if (side === 'liabilities' || bank.totalAssetValueInitLimitUsd === null) return sum + 1n;
    const amount = (risk.assetShares * bank.shares.assetShareValue) >> 48n;
    return sum + 2n + (4n * amount * price.raw) / (balanceScaleOf(risk.bank) << 48n);
  }, 0n);
}

/**
 * Whether the weight of the collateral that was acted on depends on how much all lend there: others may have lent or taken out after the
 * check, within the slot.
 */
function hasMovingLimit(balances: readonly CheckedBalance[], actedOn: Address): boolean {
  return balances.some(
    ({ address, side, bank }) => address === actedOn && side === 'asset' && bank.totalAssetValueInitLimitUsd !== null,
  );
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
