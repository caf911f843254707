import type { ProgramEvent, ProgramSource } from '@lending/chain';
import { createLineLogger, GROUP } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics } from '@lending/runtime';
import { describe, expect, it, vi } from 'vitest';
import { followProgram, type ProgramSink } from './program-stream.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

const GAP = { kind: 'gap', fromSlot: 0n, toSlot: 5n } as const;
const SLOT = { kind: 'slot', slot: 6n, root: 1n } as const;
const account = (slot: bigint): ProgramEvent => ({
  kind: 'account',
  update: { address: GROUP, slot, owner: MARGINFI_PROGRAM, lamports: 1n, data: new Uint8Array() },
  writeVersion: null,
});

/** Tells the events, then nothing more until it is stopped. */
function sourceOf(events: readonly ProgramEvent[], onAsked: () => void = () => undefined): ProgramSource {
  return {
    kind: 'pubsub',
    async *watch(_, { signal }) {
      for (const event of events) {
        onAsked();
        yield event;
      }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}

function sink(fields: Partial<ProgramSink> = {}): ProgramSink & { readonly told: string[] } {
  const told: string[] = [];
  const note = (kind: string) => () => void told.push(kind);
  return {
    told,
    gap: async () => note('gap')(),
    account: note('account'),
    transaction: note('transaction'),
    slot: note('slot'),
    room: () => null,
    durableSlot: () => null,
    ...fields,
  };
}

function follow(source: ProgramSource, sinks: readonly ProgramSink[]) {
  const controller = new AbortController();
  const { logger, lines } = createLineLogger();
  const running = followProgram(source, { program: MARGINFI_PROGRAM, accounts: [], transactions: true }, sinks, {
    signal: controller.signal,
    logger,
    metrics: createMetrics(),
  });
  return { running, lines, stop: () => controller.abort() };
}

describe('followProgram', () => {
  it('tells every sink everything in order', async () => {
    const sinks = [sink(), sink()];
    const { running, lines, stop } = follow(sourceOf([GAP, account(6n), SLOT]), sinks);
    await until(() => expect(sinks.map(({ told }) => told)).toEqual(Array(2).fill(['gap', 'account', 'slot'])));
    expect(lines).toMatchObject([{ level: 'info', event: 'program.stream.gap' }]);
    stop();
    await running;
  });

  it('waits until a gap is recorded, and while a sink has no room', async () => {
    const recorded = Promise.withResolvers<void>();
    const room = Promise.withResolvers<void>();
    const slow = sink({ gap: () => recorded.promise, room: () => room.promise });
    const asked = vi.fn();
    const { running, stop } = follow(sourceOf([GAP, account(6n), account(7n)], asked), [slow, sink()]);
    await until(() => expect(asked).toHaveBeenCalledTimes(1));
    recorded.resolve();
    await until(() => expect(asked).toHaveBeenCalledTimes(2));
    expect(slow.told).toEqual(['account']);
    room.resolve();
    await until(() => expect(slow.told).toEqual(['account', 'account']));
    stop();
    await running;
  });

  it('does not let a sink that waits hold up a stop, nor its failure afterwards be one', async () => {
    const stuck = Promise.withResolvers<void>();
    const { running, stop } = follow(sourceOf([GAP]), [sink({ gap: () => stuck.promise })]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    stop();
    stuck.reject(new Error('stopped'));
    await running;
  });

  it('fails with a sink that fails', async () => {
    const failing = sink({ gap: () => Promise.reject(new Error('broken')) });
    await expect(follow(sourceOf([GAP]), [failing]).running).rejects.toThrow('broken');
  });
});
