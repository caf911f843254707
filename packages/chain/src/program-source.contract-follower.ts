import type { Address, Slot } from '@solana/kit';
import type { SourceHarness } from './program-source.contract.ts';
import type { ProgramEvent, SourceOptions } from './program-source.ts';

/** Bytes of an account and the slot they are of; empty ones are those of a closed account. */
interface Known {
  readonly slot: Slot;
  readonly data: Uint8Array;
}

/** Does what the port asks of a consumer, and keeps a list of promises that were broken meanwhile. */
export interface Follower {
  readonly events: readonly ProgramEvent[];
  readonly broken: readonly string[];
  /** Slot of the newest `slot` event. */
  readonly slot: Slot;
  /** Whether it knows all that is true up to the newest `slot` event. */
  isUpToDate(slot: Slot): boolean;
  /** Makes the consumer wait before its next event, until the function returned is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export function follow(harness: SourceHarness, options: Omit<SourceOptions, 'signal'> = {}): Follower {
  const controller = new AbortController();
  const events: ProgramEvent[] = [];
  const broken: string[] = [];
  const accounts = new Map<Address, Known>();
  const signatures = new Set<string>();
  let slot: Slot = -1n;
  let held: Promise<void> | undefined;

  async function repair(fromSlot: Slot, toSlot: Slot): Promise<void> {
    const listed = await harness.readAccounts(toSlot);
    for (const [address, data] of listed.accounts) take(address, { slot: listed.slot, data });
    for (const address of accounts.keys())
      if (!listed.accounts.has(address)) take(address, { slot: listed.slot, data: new Uint8Array() });
    for (const signature of await harness.readSignatures(fromSlot, toSlot)) signatures.add(signature);
  }

  function take(address: Address, update: Known): void {
    const known = accounts.get(address);
    if (known === undefined || update.slot >= known.slot) accounts.set(address, update);
  }

  async function handle(event: ProgramEvent): Promise<void> {
    const [first] = events;
    events.push(event);
    if (first === undefined && (event.kind !== 'gap' || event.fromSlot !== 0n))
      broken.push('the first event is not the gap from slot 0');
    switch (event.kind) {
      case 'gap':
        if (event.fromSlot > event.toSlot) broken.push(`a gap from ${event.fromSlot} to ${event.toSlot}`);
        await repair(event.fromSlot, event.toSlot);
        return;
      case 'account':
        take(event.update.address, { slot: event.update.slot, data: event.update.data });
        return;
      case 'transaction':
        signatures.add(event.signature);
        return;
      case 'slot': {
        if (event.root > event.slot) broken.push(`root ${event.root} at slot ${event.slot}`);
        if (event.slot < slot) broken.push(`slot ${event.slot} after ${slot}`);
        slot = event.slot;
        for (const missing of missingBefore(event.slot))
          broken.push(`${missing} was not told before slot ${event.slot}`);
        return;
      }
    }
  }

  function missingBefore(limit: Slot): readonly string[] {
    const unknown = harness.happened.flatMap((block) =>
      block.slot < limit ? block.signatures.filter((signature) => !signatures.has(signature)) : [],
    );
    const newest = new Map<Address, Known>();
    for (const block of harness.happened)
      if (block.slot < limit)
        for (const [address, data] of block.writes)
          newest.set(address, { slot: block.slot, data: data ?? new Uint8Array() });
    const stale = [...newest].filter(([address, { slot, data }]) => {
      const known = accounts.get(address);
      if (known === undefined) return data.length > 0;
      return known.slot < slot && !isSame(known.data, data);
    });
    return [...unknown, ...stale.map(([address]) => address)];
  }

  const ended = (async () => {
    for await (const event of harness.source.watch(harness.target, { ...options, signal: controller.signal })) {
      await held;
      if (controller.signal.aborted) return;
      await handle(event);
    }
  })();

  return {
    events,
    broken,
    get slot() {
      return slot;
    },
    isUpToDate: (limit) => slot >= limit && missingBefore(limit).length === 0,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    async stop() {
      controller.abort();
      await ended;
    },
  };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}
