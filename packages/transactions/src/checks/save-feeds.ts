import { hasLiability } from '@lending/domain';
import { SOLEND_NULL_ORACLE } from '@lending/programs';
import { solendReserve } from '@lending/venues';
import type { Address } from '@solana/kit';
import { readOrNull, switchboardFeed } from '#account-readers.ts';
import type { LendingAction } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';

/** Save takes no price of Switchboard's of so many slots ago. */
const MAX_AGE_SLOTS = 240n;
/** Signing takes as long as this, near enough. */
const SIGNING_SLOTS = 120n;

/**
 * Switchboard's feeds without which Save brings a reserve of its own not to this slot, and fails the transaction that asks for it:
 * deposits too, and also for collateral that nobody needs. A reserve that Pyth prices first is left alone: Pyth is pushed.
 * @see solana-program-library (Solend's) token-lending/program/src/processor.rs `get_price`, oracles/src/switchboard.rs
 */
export function feedsOfSave(state: ActionState, action: LendingAction): readonly Address[] {
  return feedsOfSaveBanks(refreshedBanks(state, action), state);
}

/** The same of the banks that a plan refreshes. */
export function feedsOfSaveBanks(
  refreshed: Iterable<LiveBank>,
  state: Pick<ActionState, 'accounts'>,
): readonly Address[] {
  return [...new Set(refreshed)].flatMap((live) => {
    if (live.bank.venue !== 'solend') return [];
    const feed = feedOf(live, state);
    return feed !== null && isAging(feed, state) ? [feed] : [];
  });
}

/** Those that the plan refreshes: the one that is acted on, and, where the account will have to be healthy, the others. */
function refreshedBanks({ target, held, account }: ActionState, { kind }: LendingAction): readonly LiveBank[] {
  const owes = account.state?.balances.some(hasLiability) ?? false;
  if (target === null) return [];
  const isValued = kind === 'borrow' || (kind === 'withdraw' && owes);
  return isValued ? [target, ...held.values()] : [target];
}

function feedOf({ reserve }: LiveBank, { accounts }: Pick<ActionState, 'accounts'>): Address | null {
  const stored = reserve === null ? null : readOrNull(solendReserve, accounts.get(reserve.address));
  if (stored === null) return null;
  const { pythOracle, switchboardOracle } = stored.liquidity;
  return pythOracle === SOLEND_NULL_ORACLE ? switchboardOracle : null;
}

function isAging(feed: Address, { accounts }: Pick<ActionState, 'accounts'>): boolean {
  const stored = readOrNull(switchboardFeed, accounts.get(feed));
  return stored !== null && accounts.slot - stored.result.slot >= MAX_AGE_SLOTS - SIGNING_SLOTS;
}
