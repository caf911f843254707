import { setTimeout as sleep } from 'node:timers/promises';
import { LendingError } from '@lending/errors';
import type { Slot } from '@solana/kit';
import { createDurableLog, projectActivity } from './durable-log.ts';
import { accountChanged, createFakeHistory, type MadeBlock, type MadeTransaction, shortWait } from './fake-history.ts';
import { createRandom, shuffle } from './random.ts';
import { type ActivityProcess, startActivity } from './start-activity.ts';

/**
 * What may happen to a chain and to those who watch it.
 *
 * `produce`   blocks, each with transactions. Told unless the socket is cut; `isMuted`: only that accounts changed is told.
 * `cut`       nothing is told until the next `mend`, which tells a gap.
 * `fork`      the newest blocks are dropped, and others made in their place: some transactions land again. `isTold` false: the source
 *             does not tell of new blocks below what it told before, as a validator does not.
 * `crash`     the process is gone, with all it knew; another one starts with what the tables know, which are `behind` the log.
 * `outage`    the log, or the node, answers nobody for a while.
 */
export type StoryStep =
  | {
      readonly kind: 'produce';
      readonly blocks: number;
      readonly perBlock: number;
      readonly hidden: number;
      readonly isMuted: boolean;
    }
  | { readonly kind: 'cut' }
  | { readonly kind: 'mend' }
  | { readonly kind: 'root'; readonly depth: number }
  | { readonly kind: 'fork'; readonly depth: number; readonly isTold: boolean; readonly relanding: number }
  | { readonly kind: 'crash'; readonly behind: number }
  | { readonly kind: 'outage'; readonly of: 'log' | 'node'; readonly ms: number }
  | { readonly kind: 'wait'; readonly ms: number };

export interface Story {
  readonly seed: number;
  /** Out of a hundred publishes, so many fail with a part of them in the log. */
  readonly publishFailures: number;
  /** Out of a hundred events, so many are told twice. */
  readonly doubled: number;
  readonly steps: readonly StoryStep[];
}

export interface Ending {
  readonly truth: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
  readonly unfinal: readonly Slot[];
  readonly log: ReturnType<typeof createDurableLog>;
  readonly blocks: readonly MadeBlock[];
}

const SETTLE_MS = 30_000;

/** Lives through a story, then waits until everything is known that ever will be. */
export async function live(story: Story): Promise<Ending> {
  const random = createRandom(story.seed);
  const history = createFakeHistory();
  const log = createDurableLog();
  let isNodeDown = false;
  /** A leader makes one block of a slot: no two forks have the same one. */
  const used = new Set<Slot>();
  const muted = new Set<Slot>();
  let nth = 0;
  let behind = 0;
  let isCut = false;
  let lastTold: Slot = 0n;
  let process = startProcess();

  history.onRead = async () => {
    await shortWait(random);
    if (isNodeDown) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
  };
  log.onPublish = async () => {
    await shortWait(random);
    return random() * 100 < story.publishFailures ? { failsAfter: Math.floor(random() * 3) } : null;
  };

  function startProcess(): ActivityProcess {
    return startActivity(history, log, { behind: () => behind });
  }

  async function tellGap(fromSlot: Slot): Promise<void> {
    const toSlot = history.newest();
    const { indexing, stopped } = process;
    const told = indexing.sink.gap({ kind: 'gap', fromSlot, toSlot });
    const isStopped = new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()));
    await Promise.race([told, isStopped]);
    lastTold = toSlot;
  }

  async function tell({ slot, transactions }: MadeBlock, isMuted = false): Promise<void> {
    const { sink } = process.indexing;
    for (const { account, isFailed } of shuffle(transactions, random))
      if (!isFailed) sink.account(accountChanged(account, slot));
    const events = shuffle(isMuted ? [] : transactions, random).flatMap((one) =>
      random() * 100 < story.doubled ? [one, one] : [one],
    );
    for (const one of events) {
      const brings = random() < 0.3 ? history.record(one, slot) : null;
      sink.transaction({
        kind: 'transaction',
        signature: one.signature,
        slot,
        isFailed: one.isFailed,
        record: brings,
        logs: null,
      });
      await sink.room();
    }
    if (slot > lastTold) lastTold = slot;
    sink.slot({ kind: 'slot', slot: lastTold + 1n, root: history.root });
  }

  function make(slot: Slot, count: number, again: readonly MadeTransaction[], hidden: number): MadeBlock {
    const fresh = Array.from({ length: count }, () => {
      nth += 1;
      return history.transaction(nth, random() < 0.15);
    });
    const transactions = shuffle([...fresh, ...again], random);
    for (const { signature } of transactions) if (random() < 0.1) history.hidden.set(signature, hidden);
    return { slot, transactions };
  }

  async function fork({ depth, isTold, relanding }: Extract<StoryStep, { kind: 'fork' }>): Promise<void> {
    const stays = history.blocks.filter(({ slot }) => slot <= history.root).length;
    const dropped = history.blocks.splice(Math.max(stays, history.blocks.length - depth));
    const [first] = dropped;
    if (first === undefined) return;
    for (const { slot } of dropped) used.add(slot);
    const from = history.newest();
    const again = dropped.flatMap(({ transactions }) => transactions).filter(() => random() * 100 < relanding);
    const made: MadeBlock[] = [];
    for (let slot = from + 1n; made.length < dropped.length + 1; slot += 1n) {
      if (used.has(slot) || random() < 0.3) continue;
      made.push(make(slot, 1, again.splice(0, 2), 0));
    }
    const told = lastTold;
    // Of what nobody was told nothing can be dropped: then a source tells everything that came instead.
    const wasHeard = dropped.some(
      ({ slot, transactions }) => slot <= told && transactions.some(({ isFailed }) => !isFailed || !muted.has(slot)),
    );
    for (const block of made) {
      history.blocks.push(block);
      if (!isCut && (isTold || !wasHeard || block.slot > told)) await tell(block);
    }
  }

  async function crash(behindBy: number): Promise<void> {
    const dying = process.kill();
    behind = behindBy;
    process = startProcess();
    isCut = false;
    await tellGap(0n);
    await dying;
  }

  async function take(step: StoryStep): Promise<void> {
    switch (step.kind) {
      case 'produce':
        for (let made = 0; made < step.blocks; made += 1) {
          let slot = history.newest() + 1n + BigInt(Math.floor(random() * 3));
          while (used.has(slot)) slot += 1n;
          const block = make(slot, step.perBlock, [], step.hidden);
          history.blocks.push(block);
          if (step.isMuted) muted.add(slot);
          if (!isCut) await tell(block, step.isMuted);
        }
        return;
      case 'cut':
        isCut = true;
        return;
      case 'mend':
        if (isCut) await tellGap(lastTold);
        isCut = false;
        return;
      case 'root': {
        const root = history.blocks.at(-1 - step.depth)?.slot ?? 0n;
        if (root > history.root) history.root = root;
        return;
      }
      case 'fork':
        return fork(step);
      case 'crash':
        return crash(step.behind);
      case 'outage': {
        const set = (isDown: boolean): void => {
          if (step.of === 'log') log.isDown = isDown;
          else isNodeDown = isDown;
        };
        set(true);
        setTimeout(() => set(false), step.ms);
        return;
      }
      case 'wait':
        await sleep(step.ms);
    }
  }

  const before = make(3n, 5, [], 0);
  history.blocks.push(before);
  await tellGap(0n);
  for (const step of story.steps) await take(step);

  log.isDown = false;
  isNodeDown = false;
  behind = 0;
  if (isCut) await tellGap(lastTold);
  isCut = false;
  // Something more, so that the root can pass everything that matters.
  const last = make(history.newest() + 1_000n, 1, [], 0);
  history.blocks.push(last);
  history.root = last.slot;
  await tell(last);
  const truth = new Set(
    history.blocks.flatMap(({ slot, transactions }) =>
      transactions.filter(({ isFailed }) => !isFailed).map(({ signature }) => `${signature}@${slot}`),
    ),
  );
  const endMs = performance.now() + SETTLE_MS;
  let projected = projectActivity(log.messages);
  while (performance.now() < endMs && !(isSame(projected.rows, truth) && projected.unfinal.length === 0)) {
    await sleep(10);
    projected = projectActivity(log.messages);
  }
  await process.kill();
  return { truth, ...projected, log, blocks: history.blocks };
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}
