import { describeError } from '@lending/errors';
import type { ActorLedger } from './actor-ledger.ts';
import type { Actors, Turn } from './actors.ts';
import { createLosingStreak } from './losing-streak.ts';

/** Gives actors their turns, slot by slot. */
export interface Traffic {
  /** Lets everybody whose turn it is in this slot act. */
  onSlot(slot: bigint): void;
  /** Nobody acts any more. */
  stop(): void;
}

export interface TrafficOptions {
  /** Time the turns of a slot are spread over, so that the chain answers others in between; 0 takes them all at once. */
  readonly spreadMs: number;
  /** Takes one line for the operator. */
  readonly report: (line: string) => void;
}

/** A turn that fails here is a mistake of ours and not of the chain: it is reported, and the others go on. */
export function createTraffic(ledger: ActorLedger, turnsOf: Actors['turns'], options: TrafficOptions): Traffic {
  const { spreadMs, report } = options;
  const waiting = new Set<NodeJS.Timeout>();
  const streak = createLosingStreak();
  const take = (turn: Turn) => {
    try {
      const outcome = turn(ledger);
      if (outcome === null || outcome.kind === 'malformed') return;
      const line = streak.count(outcome);
      if (line !== null) report(line);
    } catch (error) {
      report(`an actor could not act: ${describeError(error)}`);
    }
  };
  return {
    onSlot: (slot) => {
      const turns = turnsOf(slot);
      for (const [index, turn] of turns.entries()) {
        const delayMs = (index * spreadMs) / turns.length;
        if (delayMs === 0) {
          take(turn);
          continue;
        }
        const timer = setTimeout(() => {
          waiting.delete(timer);
          take(turn);
        }, delayMs);
        waiting.add(timer.unref());
      }
    },
    stop: () => {
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}
