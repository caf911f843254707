import { accruePremium, hasLiability, liabilityAmountOf, premiumRatesAfter } from '@lending/domain';
import type { P0Balance, P0Bank } from '@lending/venues';
import { type AuditedAccount, bankAt } from './audited-account.ts';
import type { Check } from './check-of.ts';
import type { Comparison } from './comparison.ts';

const ONE = 1n << 48n;

/**
 * What debts owe in premium after a claim, exactly, where the pair shows nothing but the claim: it is made at the debt and the rate of
 * before. A repayment pays it first, and by how much the bytes do not say.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `claim_premium`, state/premium.rs `accrued_premium_total`
 */
export function compareClaims({ before, after, banks }: AuditedAccount): readonly Comparison[] {
  if (before === null) return [];
  return after.balances.flatMap((is) => {
    const was = before.balances.find(({ bank }) => bank === is.bank);
    const states = banks.get(is.bank);
    if (was === undefined || states === undefined || !hasLiability(was)) return [];
    const second = is.premium.claimedAt;
    if (second <= was.premium.claimedAt || is.liabilityShares < was.liabilityShares) return [];
    const hasBorrowed = is.liabilityShares > was.liabilityShares;
    const bank = bankAt(states, second, hasBorrowed);
    if (bank === null || !bank.premium.isActive || states.before?.premium.isActive === false) return [];
    const owedAt = ({ shares }: P0Bank) =>
      accruePremium(was.premium, liabilityAmountOf(shares, was.liabilityShares), bank.premium.activatedAt, second);
    const theirs = is.premium.outstanding;
    // A borrow brings the debt up to date before it claims; a check before it in the same transaction has claimed already, and did not.
    const claims = [bank, ...(hasBorrowed && states.before !== null ? [states.before] : [])].map(owedAt);
    const ours = claims.find((claim) => claim === theirs) ?? owedAt(bank);
    // Nothing accrued: it could not have differed.
    if (ours === was.premium.outstanding && ours === theirs) return [];
    if (claims.some((claim) => isSettled(claim - theirs, hasBorrowed && theirs === 0n))) return [];
    return [{ ...of(after.address, is), field: 'balances.premiumOutstanding', ours, theirs, bound: 0n }];
  });
}

/** Whether a premium is lower by what was paid: a whole number of base units, or all of it. */
function isSettled(paid: bigint, isAllPaid: boolean): boolean {
  return paid > 0n && (isAllPaid || paid % ONE === 0n);
}

/**
 * The rates that a check of an account's health set for its debts, from the collateral at the prices beside them: exactly where doubles
 * hold those. Else each price may be off by a part in 2^53: a rate is an average of rates with those prices as weights, and rounds down
 * to one of 2^32 units, so that it may be off by one.
 * @see marginfi-v2 programs/marginfi/src/state/premium.rs `update_premium_snapshots`
 */
export function comparePremiumRates({ before, after, group }: AuditedAccount, check: Check): readonly Comparison[] {
  const rates = premiumRatesAfter(
    check.balances.map(({ risk }) => risk),
    'initial',
    group.premiumPairs,
  );
  const isExact = check.balances.every(({ price }) => price === null || price.error === 0n);
  return after.balances.flatMap((is, index) => {
    const ours = rates[index] ?? null;
    // The check that sets a rate claims what was owed at the one before, in the same second.
    if (ours === null || is.premium.claimedAt !== check.second) return [];
    const was = before?.balances.find(({ bank }) => bank === is.bank)?.premium.rate ?? 0;
    if (ours === 0 && was === 0 && is.premium.rate === 0) return [];
    const figures = { ours: BigInt(ours), theirs: BigInt(is.premium.rate), bound: isExact ? 0n : 1n };
    return [{ ...of(after.address, is), field: 'balances.premiumRateSnapshot', ...figures }];
  });
}

function of(account: AuditedAccount['after']['address'], { bank }: P0Balance) {
  return { figure: 'premium', banks: [bank], account } as const;
}
