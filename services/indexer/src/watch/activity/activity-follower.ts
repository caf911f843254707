import { largerOf } from '@lending/domain';
import type { Address, Slot } from '@solana/kit';
import type { PastActivity } from './past-activity.ts';
import type { Segment } from './segment.ts';
import type { TurnOutcome } from './segment-turn.ts';

export interface ActivityFollowerOptions {
  readonly past: Pick<PastActivity, 'begin' | 'resume' | 'drop' | 'recalled'>;
  /** Slots up to this one may have been told before the address was followed. */
  readonly newestSlot: (signal: AbortSignal) => Promise<Slot>;
  /** Whether everything that ever happened to anybody is in the topics. */
  readonly isAllRead: () => boolean;
  /** Everything that was asked for of an address is read, after it was answered that it was not: answer again. */
  readonly onComplete: (address: Address) => void;
}

/** Follows what addresses did: what is told of them is wanted from then on, and their past is read. */
export interface ActivityFollower {
  /** Resolves when the newest activity is durable, and whether that is all there is. Again: for accounts found since. */
  follow(
    address: Address,
    accounts: readonly Address[],
    signal: AbortSignal,
  ): Promise<{ readonly isComplete: boolean }>;
  /** Its past is read no further, where nobody else wants it; nobody waits for that any more. */
  unfollow(address: Address): void;
  isFollowed(address: Address): boolean;
  /** To be told after each turn of a segment. */
  onTurn(segment: Segment, outcome: TurnOutcome): void;
}

interface Follow {
  /** The address, and its accounts: what somebody else did to an account names the account alone. */
  readonly targets: Set<Address>;
  /** Segments that are not complete, by task. */
  readonly open: Set<string>;
  /** Of those, the ones without a first turn. */
  readonly unread: Set<string>;
  waiters: (() => void)[];
  isAnsweredPartly: boolean;
}

export function createActivityFollower(options: ActivityFollowerOptions): ActivityFollower {
  const { past, newestSlot, isAllRead, onComplete } = options;
  const follows = new Map<Address, Follow>();
  /** How many follows want each address. */
  const wanted = new Map<Address, number>();

  function want(follow: Follow, targets: readonly Address[]): readonly Address[] {
    const added = targets.filter((target) => !follow.targets.has(target));
    for (const target of added) {
      follow.targets.add(target);
      wanted.set(target, (wanted.get(target) ?? 0) + 1);
    }
    return added;
  }

  /** What was read of it while it was followed before is read again: nobody knows what happened between. */
  async function openPast(follow: Follow, target: Address, fromSlot: Slot): Promise<void> {
    const left = past.resume(target);
    for (const { task } of left) follow.open.add(task);
    const untilSlot = left.map((segment) => segment.fromSlot).reduce(largerOf, 0n);
    const segment = past.begin({ address: target, fromSlot, untilSlot, isUrgent: true });
    if (segment === null) return;
    follow.open.add(segment.task);
    follow.unread.add(segment.task);
    await segment.opened;
  }

  function release(follow: Follow): void {
    if (follow.unread.size > 0) return;
    for (const resolve of follow.waiters.splice(0)) resolve();
  }

  return {
    async follow(address, accounts, signal) {
      const follow = follows.get(address) ?? {
        targets: new Set<Address>(),
        open: new Set<string>(),
        unread: new Set<string>(),
        waiters: [],
        isAnsweredPartly: false,
      };
      follows.set(address, follow);
      const isGone = () => follows.get(address) !== follow;
      await past.recalled;
      if (isGone()) return { isComplete: false };
      const added = want(follow, [...new Set([...accounts, address])]);
      if (added.length > 0 && !isAllRead()) {
        const fromSlot = await newestSlot(signal);
        if (isGone()) return { isComplete: false };
        await Promise.all(added.map((target) => openPast(follow, target, fromSlot)));
      }
      if (follow.unread.size > 0 && !isGone()) await new Promise<void>((resolve) => follow.waiters.push(resolve));
      const isComplete = follow.open.size === 0;
      follow.isAnsweredPartly = !isComplete;
      return { isComplete };
    },
    unfollow(address) {
      const follow = follows.get(address);
      if (follow === undefined) return;
      follows.delete(address);
      for (const target of follow.targets) {
        const left = (wanted.get(target) ?? 1) - 1;
        if (left > 0) wanted.set(target, left);
        else wanted.delete(target);
        past.drop(target);
      }
      // Nothing of it has a turn any more that they could wait for.
      follow.unread.clear();
      release(follow);
    },
    isFollowed: (address) => wanted.has(address),
    onTurn({ task }, outcome) {
      for (const [address, follow] of follows) {
        if (!follow.open.has(task)) continue;
        follow.unread.delete(task);
        if (outcome === 'complete') follow.open.delete(task);
        release(follow);
        if (!follow.isAnsweredPartly || follow.open.size > 0) continue;
        follow.isAnsweredPartly = false;
        onComplete(address);
      }
    },
  };
}
