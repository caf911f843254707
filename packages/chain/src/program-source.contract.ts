import type { Address, Slot } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Follower, follow } from './program-source.contract-follower.ts';
import type { ProgramSource, ProgramTarget, SourceOptions } from './program-source.ts';

/** What one block does to the program that is watched. */
export interface BlockContent {
  /** New bytes of accounts that match the target's filters; null closes the account. */
  readonly writes?: readonly (readonly [Address, Uint8Array | null])[];
  /** How many transactions that name the program are in it; every other one fails. */
  readonly transactions?: number;
}

/** What happened in one block of the harness's chain. */
export interface HappenedBlock {
  readonly slot: Slot;
  readonly writes: readonly (readonly [Address, Uint8Array | null])[];
  readonly signatures: readonly string[];
}

/** A chain that a test drives block by block, and a source that follows it. */
export interface SourceHarness {
  readonly source: ProgramSource;
  /** Whether the chain tells again what a source has missed, so that there is no gap to tell. */
  readonly replays?: boolean;
  readonly target: ProgramTarget;
  /** Addresses that `writes` may name; at least three. */
  readonly addresses: readonly Address[];
  /** Everything that was made and confirmed, oldest first. */
  readonly happened: readonly HappenedBlock[];
  /** Makes the next block and resolves when it is confirmed; who watches need not have heard of it yet. */
  produce(content?: BlockContent): Promise<Slot>;
  /** Cuts what connects the source to the chain, once. A source without a connection has nothing to cut. */
  cut(): Promise<void>;
  /** Lets the chain say nothing on open connections, without closing them, until the function returned is called. A source notices within 600 ms. */
  mute(): Promise<() => Promise<void>>;
  /** As a reader at `minContextSlot` finds the accounts. Closed ones are not listed. */
  readAccounts(
    minContextSlot: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: ReadonlyMap<Address, Uint8Array> }>;
  /** Transactions of slots after `fromSlot` up to `toSlot`. */
  readSignatures(fromSlot: Slot, toSlot: Slot): Promise<readonly string[]>;
  close(): Promise<void>;
}

const PATIENCE = { timeout: 120_000, interval: 10 };

/** What every source has to do, however it hears of the chain. */
export function describeProgramSourceContract(openHarness: () => Promise<SourceHarness>): void {
  let harness: SourceHarness;
  let followers: Follower[];
  let written: number;

  beforeEach(async () => {
    harness = await openHarness();
    followers = [];
    written = 0;
  });

  afterEach(async () => {
    for (const follower of followers) await follower.stop();
    await harness.close();
  });

  function start(options?: Omit<SourceOptions, 'signal'>): Follower {
    const follower = follow(harness, options);
    followers.push(follower);
    return follower;
  }

  /** Blocks keep coming, as on a chain, until the follower knows of everything up to now. */
  async function settle(follower: Follower): Promise<void> {
    const now = await harness.produce();
    await expect
      .poll(async () => {
        if (!follower.isUpToDate(now)) await harness.produce();
        return follower.isUpToDate(now);
      }, PATIENCE)
      .toBe(true);
  }

  function someWrites(count: number): readonly (readonly [Address, Uint8Array])[] {
    return harness.addresses.slice(0, count).map((address) => {
      written += 1;
      const bytes = new Uint8Array(64);
      new DataView(bytes.buffer).setUint32(32, written);
      return [address, bytes] as const;
    });
  }

  describe('a program source', () => {
    it('begins with the gap from slot 0, whatever was before', async () => {
      await harness.produce({ writes: someWrites(2), transactions: 1 });
      const follower = start();
      await settle(follower);
      expect(follower.events[0]).toMatchObject({ kind: 'gap', fromSlot: 0n });
      expect(follower.broken).toEqual([]);
    });

    it('tells of every change and every transaction, failed ones too', async () => {
      const follower = start();
      await settle(follower);
      for (let block = 0; block < 10; block += 1) await harness.produce({ writes: someWrites(3), transactions: 2 });
      await settle(follower);
      expect(follower.broken).toEqual([]);
    });

    it('tells that an account was closed, and that it is there again', async () => {
      const follower = start();
      const [[address] = []] = someWrites(1);
      if (address === undefined) throw new Error('The harness has no address');
      await harness.produce({ writes: someWrites(1) });
      await settle(follower);
      await harness.produce({ writes: [[address, null]], transactions: 1 });
      await settle(follower);
      await harness.produce({ writes: someWrites(1), transactions: 1 });
      await settle(follower);
      expect(follower.broken).toEqual([]);
    });

    it('says that it may have missed what happened while it was cut off', async () => {
      const follower = start();
      await settle(follower);
      const { slot } = follower;
      await harness.cut();
      await harness.produce({ writes: someWrites(3), transactions: 3 });
      await settle(follower);
      const [, ...gaps] = follower.events.filter(({ kind }) => kind === 'gap');
      expect(gaps.length > 0).toBe(harness.replays !== true);
      for (const gap of gaps.slice(0, 1)) expect(gap).toSatisfy(({ fromSlot }: { fromSlot: Slot }) => fromSlot <= slot);
      expect(follower.broken).toEqual([]);
    });

    it('hears that a chain tells nothing any more, and says that it may have missed something', async () => {
      const follower = start();
      await settle(follower);
      const unmute = await harness.mute();
      await harness.produce({ writes: someWrites(3), transactions: 3 });
      const told = follower.events.length;
      await new Promise((resolve) => setTimeout(resolve, 700));
      await unmute();
      await settle(follower);
      expect(follower.events.slice(told).some(({ kind }) => kind === 'gap')).toBe(harness.replays !== true);
      expect(follower.broken).toEqual([]);
    });

    it('starts over with a gap when more waits than it may hold, rather than lose anything', async () => {
      const follower = start({ capacity: 20 });
      await settle(follower);
      const release = follower.hold();
      for (let block = 0; block < 30; block += 1) await harness.produce({ writes: someWrites(3), transactions: 2 });
      release();
      await settle(follower);
      expect(follower.broken).toEqual([]);
    });

    it('knows everything after any order of blocks, cuts and pauses', async () => {
      const follower = start({ capacity: 50 });
      let seed = 20_261_121;
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((seed / 2_147_483_648) * below);
      };
      for (let step = 0; step < 60; step += 1) {
        const action = random(20);
        if (action === 0) await harness.cut();
        else if (action === 1) setTimeout(follower.hold(), random(100));
        else await harness.produce({ writes: someWrites(random(4)), transactions: random(3) });
      }
      await settle(follower);
      expect(follower.broken).toEqual([]);
    });

    it('ends when its signal aborts, and does nothing for one that is aborted', async () => {
      const follower = start();
      await settle(follower);
      await follower.stop();
      const told = follower.events.length;
      await harness.produce({ writes: someWrites(3) });
      expect(follower.events).toHaveLength(told);
      const events: unknown[] = [];
      for await (const event of harness.source.watch(harness.target, { signal: AbortSignal.abort() }))
        events.push(event);
      expect(events).toEqual([]);
    });
  });
}
