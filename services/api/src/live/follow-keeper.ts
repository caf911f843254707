import type { FollowAspect } from '@lending/domain';
import type { Logger } from '@lending/runtime';
import type { ReadDeps } from '#reads/read-deps.ts';

interface Followed {
  readonly address: string;
  readonly aspect: FollowAspect;
}

/** Keeps addresses followed for as long as somebody hears of them. */
export interface FollowKeeper {
  /** Answers how to let go of them. */
  take(followed: readonly Followed[]): () => void;
  /** Asks again for all of them, so that none lapses. */
  renew(): Promise<void>;
}

/** Each may wait for an answer of the indexer. */
const RENEWED_AT_ONCE = 8;

export function createFollowKeeper(follows: ReadDeps['follows'], logger: Logger): FollowKeeper {
  const kept = new Map<string, Followed & { readonly holders: number }>();
  let isRenewing = false;

  function change(followed: Followed, by: 1 | -1): void {
    const key = `${followed.aspect} ${followed.address}`;
    const holders = (kept.get(key)?.holders ?? 0) + by;
    if (holders === 0) kept.delete(key);
    else kept.set(key, { ...followed, holders });
  }

  return {
    take(followed) {
      for (const one of followed) change(one, 1);
      return () => {
        for (const one of followed) change(one, -1);
      };
    },
    async renew() {
      if (isRenewing) return;
      isRenewing = true;
      const all = [...kept.values()];
      try {
        for (let at = 0; at < all.length; at += RENEWED_AT_ONCE) {
          const some = all.slice(at, at + RENEWED_AT_ONCE);
          await Promise.all(some.map(({ address, aspect }) => follows.cover(address, aspect, async () => true)));
        }
      } catch (error) {
        logger.warn('live.follow.renew', { error });
      } finally {
        isRenewing = false;
      }
    },
  };
}
