import { type RiskBalance, sideOf, weighCollateral } from '@lending/domain';
import { isSince, MARGINFI_ERRORS } from '@lending/programs';
import { borrow } from '@lending/transactions';
import type { P0Account, P0Bank } from '@lending/venues';
import { errorOf, pulseAccount, refreshInstructions } from '#first-contact/pulse.ts';
import type { Seen } from '../scan.ts';
import { healthListOf, partyAt } from './parties.ts';
import { type Answer, accountsFor, type Contact, firstAnswer, notThere, open, type Question } from './question.ts';

const ID = 'stale_zero_weight_collateral';

/** Whether a stale collateral that backs nothing still keeps a premium's rate from being set. */
export const staleZeroWeight: Question = {
  id: ID,
  question: 'Does a stale collateral of zero weight fail a borrow that bears a premium (6615)?',
  strictRule:
    'it does: refused, or cranked; only Isolated banks, and ReduceOnly or Paused ones of zero maintenance weight, are free',
  looksFor: ({ balances, market }: Seen) => isOnlyWeightlessUnpriced(balances, market.group.premiumPairs),
  async ask(contact) {
    const { version } = contact.market;
    if (!isSince(version, '0.1.12')) return notThere(version);
    const accounts = await accountsFor(contact, ID);
    return firstAnswer(accounts, 'no account whose stale collateral has no weight', (account) =>
      tryBorrow(contact, account),
    );
  },
};

type Pairs = Parameters<typeof weighCollateral>[2];

function isOnlyWeightlessUnpriced(balances: readonly RiskBalance[], pairs: Pairs): boolean {
  const { unpriced } = weighCollateral(balances, 'initial', pairs);
  return unpriced.length > 0 && unpriced.every((nth) => isWeightless(balances[nth]));
}

/** Backs no new debt, and has a price to lose all the same. */
function isWeightless(balance: RiskBalance | undefined): boolean {
  if (balance === undefined) return false;
  const { weights, operationalState: state } = balance.bank;
  return weights.assetInit === 0n || state === 'ReduceOnly' || state === 'Paused';
}

async function tryBorrow({ market, simulate }: Contact, account: P0Account): Promise<Answer> {
  const before = await pulseAccount(market, simulate, account);
  if (before.kind === 'failed') return open(before.reason, account.address);
  if (!isOnlyWeightlessUnpriced(before.balances, market.group.premiumPairs))
    return open('by now its collateral has a price', account.address);
  let last = open('no bank with a premium that it may borrow from', account.address);
  for (const bank of bearingBanks(market, before.balances)) {
    const list = healthListOf(market, account, [bank]);
    if (list === null) continue;
    const loan = await borrow(partyAt(market, account, bank), 10n, list);
    const outcome = await simulate([...(await refreshInstructions(market, [...before.banks, bank])), loan]);
    const error = errorOf(outcome);
    const evidence = `simulated borrow from ${bank.address} by ${account.address} at slot ${outcome.slot}: ${error?.words ?? 'passed'}`;
    if (error === null)
      return { answer: 'no: it is skipped, the borrow passes', evidence, relaxes: true, assumptionFallen: null };
    if (error.number === MARGINFI_ERRORS.PremiumSnapshotUnavailable)
      return { answer: 'yes: the borrow fails with 6615', evidence, relaxes: false, assumptionFallen: null };
    last = open(`the borrow fails with ${error.words} before that`, evidence);
  }
  return last;
}

/** Banks whose debts bear a premium, one that the account owes in first; none in which it has a deposit. */
function bearingBanks({ banks }: Contact['market'], balances: readonly RiskBalance[]): readonly P0Bank[] {
  const sides = new Map(balances.map((balance) => [balance.bank.address, sideOf(balance)]));
  return [...banks.values()]
    .filter(({ premium, operationalState, address }) => {
      return premium.isActive && operationalState === 'Operational' && sides.get(address) !== 'asset';
    })
    .toSorted((one, other) => Number(sides.has(other.address)) - Number(sides.has(one.address)))
    .slice(0, 3);
}
