import type { AccountUpdate, Chain } from '@lending/chain';
import { smallerOf } from '@lending/domain';
import { accountFilters, decodeMarginfiAccount } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import type { SlotClock } from '#watch/slot-clock.ts';

/** The lending accounts of the group that an address is, or owns, whole. */
export interface FoundAccounts {
  /** Oldest slot of what was read. */
  readonly slot: Slot;
  readonly accounts: readonly AccountUpdate[];
  /** False when there are more than a follow may have. */
  readonly isComplete: boolean;
}

/** What the answer to a follow can carry. */
const MAX_ACCOUNTS = 1_000;

/** Looks whether an address is a lending account, and which ones it is the authority of. Two reads, at once. */
export async function findLendingAccounts(
  target: {
    readonly chain: Chain;
    readonly clock: SlotClock;
    readonly program: Address;
    readonly group: Address;
  },
  address: Address,
  signal: AbortSignal,
): Promise<FoundAccounts> {
  const { chain, clock, program, group } = target;
  const read = { signal, minContextSlot: 'highest-seen' } as const;
  const [answers, owned] = await Promise.all([
    chain.fetchAccountGroups([[address]], read),
    chain.fetchProgramAccounts(program, accountFilters(group, address), read),
  ]);
  const [answer] = answers;
  if (answer !== undefined) clock.observe(answer.slot, answer.unixTimestamp);
  const itself = answer?.accounts[0] ?? null;
  const own = itself !== null && isLendingAccount(itself, program, group) ? [itself] : [];
  const accounts = [...own, ...owned.accounts];
  return {
    slot: answer === undefined ? owned.slot : smallerOf(answer.slot, owned.slot),
    accounts: accounts.slice(0, MAX_ACCOUNTS),
    isComplete: accounts.length <= MAX_ACCOUNTS,
  };
}

function isLendingAccount(account: AccountUpdate, program: Address, group: Address): boolean {
  try {
    return decodeMarginfiAccount(account, program).group === group;
  } catch {
    return false;
  }
}
