import { hasLiability, I80F48_ONE, owesPremium, type RiskBalance, weighCollateral } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { LendingAction } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { capacityStateOf } from './capacity-state.ts';
import { feedsOf } from './feeds-of-banks.ts';

const LAPSED = { kind: 'failed', error: 'SwitchboardStalePrice' } as const;

/**
 * The aging feeds without which the premiums of the account are not set after an action: those of its debts, and of all collateral that the
 * program looks at, whether or not health needs it. None where no debt bears a premium.
 */
export function feedsOfPremiums(
  state: ActionState,
  action: LendingAction,
  target: LiveBank,
  aging: ReadonlySet<Address>,
): readonly Address[] {
  const balances = sidesToCome(state, target, action);
  if (!owesPremium(balances)) return [];
  const banks = new Map([...state.held, [target.bank.address, target]]);
  const feedsBehind = ({ bank }: RiskBalance) =>
    feedsOf([bank.address as Address], banks).filter((feed) => aging.has(feed));
  const lapsed = balances.map((balance) =>
    feedsBehind(balance).length === 0 ? balance : { ...balance, price: LAPSED },
  );
  const unpriced = new Set(weighCollateral(lapsed, 'initial', state.group.premiumPairs, state.relaxed).unpriced);
  return lapsed.filter((balance, index) => hasLiability(balance) || unpriced.has(index)).flatMap(feedsBehind);
}

/** What an account holds and owes once an action is done: in which banks and on which side, not how much. */
function sidesToCome(state: ActionState, target: LiveBank, { kind, amount }: LendingAction): readonly RiskBalance[] {
  const { account, bank } = capacityStateOf(state, target);
  const isHere = (balance: RiskBalance) => balance.bank.address === bank.risk.address;
  if (amount === 'all') return account.balances.filter((balance) => !isHere(balance));
  if (kind === 'withdraw' || kind === 'repay') return account.balances;
  const [assetShares, liabilityShares] = kind === 'deposit' ? [I80F48_ONE, 0n] : [0n, I80F48_ONE];
  const opened = { bank: bank.risk, price: bank.price, assetShares, liabilityShares, premium: 0n };
  return [...account.balances.filter((balance) => !isHere(balance)), opened];
}
