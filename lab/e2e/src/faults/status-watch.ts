import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedLocalnet } from '@lending/localnet';
import { getJson } from '../http.ts';
import type { StatusReply } from '../replies.ts';

/** One answer, and how the chain stood around it. */
export interface Observation {
  /** What was being done to the indexer. */
  readonly during: string;
  readonly status: StatusReply;
  readonly confirmedBefore: bigint;
  readonly confirmedAfter: bigint;
  readonly finalizedAfter: bigint;
  readonly askedMs: number;
}

export interface StatusWatch {
  readonly observations: readonly Observation[];
  /** Names what happens from here on. */
  during(what: string): void;
  /** Resolves with the first answer from here on that satisfies; else throws with the last one. */
  until(says: (status: StatusReply) => boolean, timeoutMs: number): Promise<StatusReply>;
  stop(): Promise<void>;
}

const EVERY_MS = 200;

/** Asks the api how things stand, again and again, and notes it beside how the chain stood. */
export function watchStatus(url: string, { ledger }: OpenedLocalnet): StatusWatch {
  const observations: Observation[] = [];
  let what = 'start';
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const confirmedBefore = ledger.slot('confirmed');
      const askedMs = Date.now();
      const status = await getJson<StatusReply>(`${url}/v1/status`);
      observations.push({
        during: what,
        status,
        confirmedBefore,
        confirmedAfter: ledger.slot('confirmed'),
        finalizedAfter: ledger.slot('finalized'),
        askedMs,
      });
      await sleep(EVERY_MS);
    }
  })();
  return {
    observations,
    during(next) {
      what = next;
    },
    async until(says, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      for (let seen = observations.length; ; ) {
        for (; seen < observations.length; seen += 1) {
          const status = observations[seen]?.status;
          if (status !== undefined && says(status)) return status;
        }
        if (Date.now() > deadline) {
          throw new Error(
            `/v1/status never said so during "${what}"; last: ${JSON.stringify(observations.at(-1)?.status)}`,
          );
        }
        await sleep(EVERY_MS / 2);
      }
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Whether accounts are called followed, and whether their tip is called stale. */
export function followedOf({ components, indexer }: StatusReply): {
  readonly isReady: boolean;
  readonly isStale: boolean;
} {
  const accounts = components.find(({ name }) => name === 'accounts');
  return { isReady: accounts?.ready === true, isStale: indexer?.tip?.stale !== false };
}

/**
 * What an answer says that is not so; empty when it is all true. A fork that loses takes confirmed slots back, so the newest slot that
 * was ever confirmed is the measure.
 */
export function untruthsOf(
  { status: { components, indexer }, confirmedAfter, finalizedAfter, askedMs }: Observation,
  facts: {
    readonly newestConfirmed: bigint;
    readonly staleAfterMs: number;
    readonly timeOf: (slot: bigint) => bigint | undefined;
  },
): readonly string[] {
  if (indexer === null || indexer.tip === null) return [];
  const { tip, root_slot: root, unfinal_slots: unfinal } = indexer;
  const said: string[] = [];
  const newest = confirmedAfter > facts.newestConfirmed ? confirmedAfter : facts.newestConfirmed;
  if (BigInt(tip.slot) > newest) said.push(`a tip of ${tip.slot} while ${newest} was the newest confirmed slot`);
  if (root === null || BigInt(root) > finalizedAfter) said.push(`a root of ${root} while ${finalizedAfter} was final`);
  if (root !== null && unfinal !== Math.max(0, tip.slot - root))
    said.push(`${unfinal} slots from ${root} to ${tip.slot}`);
  const seconds = facts.timeOf(BigInt(tip.slot));
  if (seconds !== undefined) {
    const ageSeconds = askedMs / 1000 - Number(seconds);
    if (tip.age_seconds < ageSeconds - 0.2)
      said.push(`an age of ${tip.age_seconds} s where it was ${ageSeconds} s at least`);
  }
  const isOld = tip.age_seconds * 1000 > facts.staleAfterMs;
  // Shown to a tenth of a second.
  if (tip.stale !== isOld && tip.age_seconds * 1000 !== facts.staleAfterMs)
    said.push(`stale: ${tip.stale} at an age of ${tip.age_seconds} s`);
  const accounts = components.find(({ name }) => name === 'accounts');
  // Judged by one reading; shown to a tenth of a second.
  if (tip.age_seconds * 1000 !== facts.staleAfterMs && accounts?.ready === isOld)
    said.push(`accounts ready: ${accounts?.ready} at an age of ${tip.age_seconds} s`);
  return said;
}
