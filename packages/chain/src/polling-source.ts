import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@lending/errors';
import type { GetSlotApi, Rpc, Slot } from '@solana/kit';
import type { ChainHooks } from './chain-options.ts';
import type { ProgramEvent, ProgramSource } from './program-source.ts';

export interface PollingSourceOptions {
  readonly rpc: Rpc<GetSlotApi>;
  /** Pause between two questions, in milliseconds. */
  readonly everyMs: number;
  /** Whom it asks first, host and port only. */
  readonly host: () => string;
  readonly hooks: ChainHooks;
}

/** Gaps overlap by so many slots: a node says that a slot is confirmed a moment before its transactions are in its history. */
const OVERLAP = 8n;

/**
 * Hears of a program by asking for the chain's slot on a beat, for nodes without PubSub: it tells that the chain went on, and leaves it to
 * whoever listens to read what happened. Of fields of the target nothing is used.
 */
export function createPollingSource({ rpc, everyMs, host, hooks }: PollingSourceOptions): ProgramSource {
  return {
    kind: 'polling',
    async *watch({ program }, { signal }): AsyncGenerator<ProgramEvent, void, undefined> {
      const report = (reason: string | null) =>
        hooks.onWatchState?.({ watch: program, kind: 'polling', host: host(), connected: reason === null, reason });
      let isConnected: boolean | undefined;
      let last: Position | undefined;
      while (!signal.aborted) {
        let now: Position | undefined;
        try {
          now = await askPosition(rpc, signal);
          if (isConnected !== true) report(null);
          isConnected = true;
        } catch (error) {
          if (signal.aborted) return;
          if (isConnected !== false) report(describeError(error));
          isConnected = false;
        }
        if (now !== undefined && isNews(now, last)) {
          yield { kind: 'gap', fromSlot: gapStart(now, last), toSlot: now.slot };
          yield { kind: 'slot', ...now };
          last = now;
        }
        await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

interface Position {
  readonly slot: Slot;
  readonly root: Slot;
}

async function askPosition(rpc: Rpc<GetSlotApi>, abortSignal: AbortSignal): Promise<Position> {
  // The root first, so that it is not newer than the slot where one node answers both.
  const root = BigInt(await rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal }));
  const slot = BigInt(await rpc.getSlot({ commitment: 'confirmed' }).send({ abortSignal }));
  return { slot, root };
}

/**
 * A node that is a little behind the one asked before is no news; one whose newest slot was final long ago was set back. A root past the
 * slot is of another node, or of before that.
 */
function isNews(now: Position, last: Position | undefined): boolean {
  if (now.root > now.slot) return false;
  return last === undefined || now.slot > last.slot || now.slot < last.root;
}

function gapStart(now: Position, last: Position | undefined): Slot {
  if (last === undefined) return 0n;
  if (now.slot < last.slot) return now.root;
  return last.slot > OVERLAP ? last.slot - OVERLAP : 0n;
}
