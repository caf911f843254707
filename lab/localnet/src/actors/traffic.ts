import { describeError } from '@lending/errors';
import { errorOf, type Judged } from '#ledger/execution.ts';
import type { ActorLedger } from './actor-ledger.ts';
import type { Actors, Turn } from './actors.ts';

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

/** More failures than successes by so many are no accident: people fail less than once in a hundred times. */
const NO_ACCIDENT = 20;

/** Counts how much oftener transactions fail than succeed. */
interface LosingStreak {
  /** Takes how the next one went. Returns a line for the operator when it is time for one: once in a streak. */
  count(outcome: Judged): string | null;
}

/**
 * A program that does not know what people send, an old one say, makes a market where hardly anything happens: somebody should hear of it.
 * Those who act on other programs go on succeeding meanwhile, so a success takes back one failure and not all of them.
 */
function createLosingStreak(): LosingStreak {
  let balance = 0;
  let isTold = false;
  return {
    count(outcome) {
      const error = errorOf(outcome);
      balance = error === null ? Math.max(0, balance - 1) : balance + 1;
      if (balance === 0) isTold = false;
      if (isTold || balance < NO_ACCIDENT) return null;
      isTold = true;
      return `hardly anything the people of the demo market send succeeds; the last failure: ${describe(outcome)}. They go on trying`;
    },
  };
}

function describe(outcome: Judged): string {
  const said = outcome.result?.logs.findLast((line) => /Error|panicked|failed/.test(line));
  const reason = JSON.stringify(errorOf(outcome));
  return said === undefined ? reason : `${reason} (${said})`;
}
