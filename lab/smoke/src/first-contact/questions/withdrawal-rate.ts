import { hasLiability, pairRateOf, type RiskBalance, sideOf, weighCollateral } from '@lending/domain';
import { isSince } from '@lending/programs';
import { p0Instructions } from '@lending/transactions';
import { decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import { errorOf, pulseAccount, refreshInstructions } from '#first-contact/pulse.ts';
import type { Seen } from '../scan.ts';
import { healthListOf, partyAt } from './parties.ts';
import { type Answer, accountsFor, type Contact, firstAnswer, notThere, open, type Question } from './question.ts';

const ID = 'withdrawal_unpriced_only_up';
/** So little that health stays as it is. */
const PART = 10_000n;

/** To which rate a withdrawal sets a premium while a collateral has no price. */
export const withdrawalRate: Question = {
  id: ID,
  question: 'To which rate does a withdrawal set a premium while a collateral has no price?',
  strictRule:
    'every feed is cranked before a withdrawal; else the rate is estimated as the larger of the old one and the highest of the unpriced pairs',
  looksFor: ({ balances, market }: Seen) =>
    balances.some((balance) => hasLiability(balance) && balance.bank.premium.isActive) &&
    weighCollateral(balances, 'initial', market.group.premiumPairs).unpriced.length > 0 &&
    pricedDeposit(balances, market.banks) !== null,
  async ask(contact) {
    const { version } = contact.market;
    if (!isSince(version, '0.1.12')) return notThere(version);
    const accounts = await accountsFor(contact, ID);
    return firstAnswer(accounts, 'no account with a premium and a collateral without a price', (account) =>
      withdraw(contact, account),
    );
  },
};

async function withdraw({ market, simulate }: Contact, account: P0Account): Promise<Answer> {
  const before = await pulseAccount(market, simulate, account);
  if (before.kind === 'failed') return open(before.reason, account.address);
  const { balances, banks } = before;
  const unpriced = weighCollateral(balances, 'initial', market.group.premiumPairs).unpriced;
  const from = pricedDeposit(balances, market.banks);
  const list = healthListOf(market, account);
  if (unpriced.length === 0 || from === null || list === null)
    return open('by now all its collateral has a price', account.address);
  const shares = account.balances.find(({ bank }) => bank === from.address)?.assetShares ?? 0n;
  const amount = (shares >> 48n) / PART + 1n;
  const outcome = await simulate(
    [
      ...(await refreshInstructions(market, banks)),
      await p0Instructions.withdraw(partyAt(market, account, from), amount, list, market.read),
    ],
    [account.address],
  );
  const bytes = outcome.kind === 'passed' ? outcome.after.get(account.address) : null;
  if (!bytes) return open(`the withdrawal fails: ${errorOf(outcome)?.words}`, account.address);
  const after = decodeMarginfiAccount(bytes, market.program);
  const debts = balances.flatMap((balance, nth) =>
    hasLiability(balance) && balance.bank.premium.isActive ? [{ balance, nth }] : [],
  );
  const rates = debts.map(({ balance, nth }) => {
    const address = balance.bank.address;
    const old = account.balances[nth]?.premium.rate ?? 0;
    const pairs = unpriced.map((at) =>
      pairRateOf(market.group.premiumPairs, balances[at]?.bank.premium.tag ?? 0, balance.bank.premium.tag),
    );
    const written = after.balances.find(({ bank }) => bank === address)?.premium.rate ?? 0;
    return { address, estimate: Math.max(old, ...pairs), old, written };
  });
  const wrong = rates.find(({ estimate, written }) => estimate !== written);
  const said = rates.map(
    ({ address, old, estimate, written }) => `${address}: ${old}, estimated ${estimate}, written ${written}`,
  );
  return {
    answer:
      wrong === undefined
        ? 'to the larger of the old one and the highest of the unpriced pairs'
        : 'to another than is estimated',
    evidence: `simulated withdrawal by ${account.address} at slot ${outcome.slot}; encoded rates: ${said.join('; ')}`,
    relaxes: wrong === undefined,
    assumptionFallen:
      wrong === undefined
        ? null
        : `a withdrawal sets the rate ${wrong.written} where ${wrong.estimate} is estimated (encoded)`,
  };
}

/** Something else than what has no price, out of P0's own vault. */
function pricedDeposit(balances: readonly RiskBalance[], banks: ReadonlyMap<string, P0Bank>): P0Bank | null {
  const found = balances.find(
    (balance) =>
      sideOf(balance) === 'asset' &&
      balance.price.kind === 'loaded' &&
      banks.get(balance.bank.address)?.venue === 'p0' &&
      balance.bank.operationalState === 'Operational',
  );
  return (found && banks.get(found.bank.address)) ?? null;
}
