import type { Chain } from '@lending/chain';
import type { FollowAspect } from '@lending/domain';
import { type Address, isAddress, type Slot } from '@solana/kit';
import type { AccountWatcher } from '#watch/accounts/account-watcher.ts';
import { findLendingAccounts } from '#watch/accounts/find-accounts.ts';
import type { FollowedAccounts } from '#watch/accounts/followed-accounts.ts';
import type { ActivityFollower } from '#watch/activity/activity-follower.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import { untilAborted } from '#watch/until-aborted.ts';
import type { WalletWatcher } from '#watch/wallets/wallet-watcher.ts';

/** What an address turned out to be. */
export interface FollowAnswer {
  /** As of which slot. */
  readonly slot: Slot;
  /** The lending accounts it is, or owns. */
  readonly accounts: readonly Address[];
  /** False: there are too many, or their past is not read yet. */
  readonly isComplete: boolean;
}

export interface FollowAnswersOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly group: Address;
  readonly followed: Pick<FollowedAccounts, 'found'>;
  readonly accounts: Pick<AccountWatcher, 'publishAsked'>;
  readonly wallets: Pick<WalletWatcher, 'follow'>;
  readonly activity: Pick<ActivityFollower, 'follow'>;
  readonly clock: SlotClock;
}

/** Looks on the chain for what is asked of an address, and has it published. */
export interface FollowAnswers {
  /** Resolves when what was found is durable. What is no address is answered with nothing. */
  find(address: string, aspect: FollowAspect, signal: AbortSignal): Promise<FollowAnswer>;
}

/** Creates what answers requests; how often and in which order is for `follows.ts` to say. */
export function createFollowAnswers(options: FollowAnswersOptions): FollowAnswers {
  const { chain, followed, accounts, wallets, activity, clock } = options;

  async function findAccounts(address: Address, signal: AbortSignal) {
    const { slot, accounts: states, isComplete } = await findLendingAccounts(options, address, signal);
    return { slot, states, addresses: [...new Set(states.map((state) => state.address))], isComplete };
  }

  async function answerAccounts(address: Address, signal: AbortSignal): Promise<FollowAnswer> {
    const { slot, states, addresses, isComplete } = await findAccounts(address, signal);
    followed.found(address, addresses);
    await accounts.publishAsked(states);
    return { slot, accounts: addresses, isComplete };
  }

  async function answerActivity(address: Address, signal: AbortSignal): Promise<FollowAnswer> {
    const { slot, addresses, isComplete } = await findAccounts(address, signal);
    const past = await activity.follow(address, addresses, signal);
    return { slot, accounts: addresses, isComplete: isComplete && past.isComplete };
  }

  async function answerWallet(address: Address, signal: AbortSignal): Promise<FollowAnswer> {
    return { slot: await wallets.follow(address, signal), accounts: [], isComplete: true };
  }

  /** Of what is no address nothing can be found; the answer is of now. */
  async function answerNone(signal: AbortSignal): Promise<FollowAnswer> {
    await Promise.race([clock.ready, untilAborted(signal)]);
    return { slot: chain.getHighestSlot('confirmed') ?? 0n, accounts: [], isComplete: true };
  }

  return {
    find(address, aspect, signal) {
      if (!isAddress(address)) return answerNone(signal);
      switch (aspect) {
        case 'accounts':
          return answerAccounts(address, signal);
        case 'activity':
          return answerActivity(address, signal);
        case 'wallet':
          return answerWallet(address, signal);
      }
    },
  };
}
