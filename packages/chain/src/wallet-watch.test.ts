import { type Address, address, getAddressDecoder } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChain } from './chain.ts';
import type { ChainOptions } from './chain-options.ts';
import { type FakeNode, startFakeNode, toRpcAccount } from './fake-node.ts';
import type { WalletWatch } from './wallet-watch.ts';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const WALLET = address('SysvarRent111111111111111111111111111111111');
const OTHER = address('SysvarC1ock11111111111111111111111111111111');
const HELD = 'SysvarStakeHistory1111111111111111111111111';

let node: FakeNode;
let controller: AbortController;
let ended: Promise<void>;
let changes: string[];
let states: string[];
let beat: ReturnType<typeof setInterval>;
let slot: number;

beforeEach(async () => {
  node = await startFakeNode();
  controller = new AbortController();
  ended = Promise.resolve();
  changes = [];
  states = [];
  slot = 100;
  beat = setInterval(() => {
    slot += 1;
    node.notifySlot(slot);
  }, 10);
});

afterEach(async () => {
  clearInterval(beat);
  controller.abort();
  await ended;
  await node.close();
});

function watch(wallets: readonly Address[], options: Partial<ChainOptions> = {}) {
  const chain = createChain(
    { rpcUrls: [node.url], wsUrl: node.wsUrl, slotTimeoutMs: 5_000, maxReconnectMs: 50, ...options },
    { onWatchState: ({ watch: what, connected, reason }) => states.push(`${what} ${connected} ${reason}`) },
  );
  const watching = chain.createWalletWatch((wallet, slot) => changes.push(`${wallet} ${slot}`));
  watching.select(wallets);
  ended = watching.run(controller.signal);
  return { chain, watching };
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const untilHeard = (watching: WalletWatch, count: number) =>
  expect.poll(() => watching.count(), { timeout: 120_000, interval: 5 }).toBe(count);

/** Long enough for whatever is on its way to the node, or from it, to arrive. */
async function slotsPass(): Promise<void> {
  const then = slot;
  await until(() => expect(slot).toBeGreaterThan(then + 10));
}

/** The subscriptions of a wallet that stand. */
function live(wallet: string) {
  return node.subscriptions.filter(
    ({ id, socket, params }) =>
      socket.readyState === socket.OPEN && !node.unsubscribed.has(id) && JSON.stringify(params).includes(wallet),
  );
}

function tell(wallet: string, what: string, slot: number): void {
  const one = live(wallet).find(({ params }) => params[0] === what);
  if (one === undefined) throw new Error(`${wallet} is not heard of by ${what}`);
  const account = toRpcAccount(new Uint8Array(165));
  node.notifyOne(one, { context: { slot }, value: what === wallet ? account : { pubkey: HELD, account } });
}

describe('createWalletWatch', () => {
  it('asks for the wallet, and for what it owns of both token programs, at confirmed', async () => {
    const { watching } = watch([WALLET]);
    await untilHeard(watching, 1);
    const owned = {
      commitment: 'confirmed',
      encoding: 'base64',
      filters: [{ memcmp: { offset: 32, bytes: WALLET, encoding: 'base58' } }],
    };
    expect(live(WALLET).map(({ method, params }) => [method, ...params])).toEqual([
      ['accountSubscribe', WALLET, { commitment: 'confirmed', encoding: 'base64' }],
      ['programSubscribe', TOKEN, owned],
      ['programSubscribe', TOKEN_2022, owned],
    ]);
  });

  it('says once that a wallet may have changed when it comes to be heard of, then every change', async () => {
    const { chain, watching } = watch([WALLET, OTHER]);
    await untilHeard(watching, 2);
    expect(changes.map((change) => change.split(' ')[0])).toEqual([WALLET, OTHER]);
    // Slots that have only begun are not confirmed.
    expect(chain.getHighestSlot()).toBeUndefined();
    changes.length = 0;
    tell(WALLET, WALLET, 901);
    await until(() => expect(changes).toEqual([`${WALLET} 901`]));
    tell(OTHER, TOKEN, 902);
    await until(() => expect(changes[1]).toBe(`${OTHER} 902`));
    tell(WALLET, TOKEN_2022, 903);
    await until(() => expect(changes[2]).toBe(`${WALLET} 903`));
    expect(chain.getHighestSlot()).toBe(903n);
  });

  it('gives up what nobody wants any more, and hears of it no longer', async () => {
    const { watching } = watch([WALLET, OTHER]);
    await untilHeard(watching, 2);
    const gone = live(WALLET);
    watching.select([OTHER]);
    await until(() => expect(gone.filter(({ id }) => node.unsubscribed.has(id))).toHaveLength(3));
    expect(live(OTHER)).toHaveLength(3);
    expect(watching.count()).toBe(1);
    changes.length = 0;
    for (const one of gone) node.notifyOne(one, { context: { slot: 901 }, value: toRpcAccount(new Uint8Array()) });
    tell(OTHER, OTHER, 902);
    await until(() => expect(changes).toEqual([`${OTHER} 902`]));
  });

  it('leaves no subscription of a wallet that was given up before it was heard of', async () => {
    const { watching } = watch([]);
    await until(() => expect(states).toEqual(['wallets true null']));
    node.acknowledgeDelayMs = 50;
    watching.select([WALLET]);
    watching.select([]);
    watching.select([WALLET]);
    watching.select([OTHER]);
    await untilHeard(watching, 1);
    await until(() => expect(node.unsubscribed.size).toBe(3));
    expect(live(WALLET)).toHaveLength(0);
    expect(changes.map((change) => change.split(' ')[0])).toEqual([OTHER]);
    watching.select([WALLET, OTHER]);
    await untilHeard(watching, 2);
    expect(live(WALLET)).toHaveLength(3);
  });

  it('subscribes anew after a lost socket, and says that all may have changed', async () => {
    const { watching } = watch([WALLET, OTHER]);
    await untilHeard(watching, 2);
    changes.length = 0;
    node.dropSockets();
    await until(() => expect(changes.map((change) => change.split(' ')[0])).toEqual([WALLET, OTHER]));
    await untilHeard(watching, 2);
    tell(WALLET, TOKEN, 903);
    await until(() => expect(changes[2]).toBe(`${WALLET} 903`));
    expect(states.map((state) => state.split(' ')[1])).toEqual(['true', 'false', 'true']);
  });

  it('leaves a node that tells no slots any more', async () => {
    const { watching } = watch([WALLET], { slotTimeoutMs: 200 });
    await untilHeard(watching, 1);
    const [first] = node.sockets;
    node.isMuted = true;
    await until(() => expect(first?.readyState).toBe(first?.CLOSED));
    expect(watching.count()).toBe(0);
    node.isMuted = false;
    await untilHeard(watching, 1);
  });

  it('hears what a node does not refuse, and says so once', async () => {
    node.refuses = (method) => method === 'programSubscribe';
    const { watching } = watch([WALLET, OTHER]);
    await until(() => expect(live(OTHER)).toHaveLength(1));
    changes.length = 0;
    tell(WALLET, WALLET, 901);
    await until(() => expect(changes).toContain(`${WALLET} 901`));
    expect(watching.count()).toBe(0);
    expect(states).toHaveLength(2);
    expect(states[1]).toMatch(/^wallets true .* does not tell all of wallets: .*Method not found/);
  });

  it('goes on to the next wallet when a node acknowledges nothing of one', async () => {
    node.acknowledgeDelayMs = 2_000;
    const { watching } = watch([WALLET, OTHER], { slotTimeoutMs: 150 });
    await until(() => expect(live(WALLET)).toHaveLength(1));
    node.acknowledgeDelayMs = 0;
    await untilHeard(watching, 1);
    expect(live(OTHER)).toHaveLength(3);
  });

  it('asks for one wallet after the other, however often it is told which', async () => {
    node.acknowledgeDelayMs = 60_000;
    const { watching } = watch([WALLET, OTHER]);
    await until(() => expect(live(WALLET)).toHaveLength(1));
    watching.select([WALLET, OTHER]);
    await slotsPass();
    expect(live(OTHER)).toHaveLength(0);
  });

  it('hears of the first two hundred', async () => {
    const many = Array.from({ length: 203 }, (_, nth) =>
      getAddressDecoder().decode(new Uint8Array(32).fill(7).with(0, nth)),
    );
    const { watching } = watch(many);
    await untilHeard(watching, 200);
    await slotsPass();
    expect(live(many[199] ?? '')).toHaveLength(3);
    expect(live(many[200] ?? '')).toHaveLength(0);
    watching.select(many.slice(3));
    await until(() => expect(live(many[202] ?? '')).toHaveLength(3));
    await untilHeard(watching, 200);
    expect(live(many[0] ?? '')).toHaveLength(0);
  });

  it('closes every socket when it is stopped while the node has yet to acknowledge', async () => {
    node.acknowledgeDelayMs = 60_000;
    watch([WALLET], { slotTimeoutMs: 60_000 });
    await until(() => expect(live(WALLET)).toHaveLength(1));
    controller.abort();
    await ended;
    await until(() => expect(node.sockets.size).toBe(0));
  });

  it('closes every socket when it is stopped, and keeps trying a node that is away until then', async () => {
    const { watching } = watch([WALLET]);
    await untilHeard(watching, 1);
    controller.abort();
    await ended;
    await until(() => expect(node.sockets.size).toBe(0));

    const { port } = new URL(node.url);
    await node.close();
    controller = new AbortController();
    const { watching: again } = watch([WALLET]);
    await until(() => expect(states.filter((state) => state.includes('false')).length).toBeGreaterThan(1));
    node = await startFakeNode({ port: Number(port) });
    await untilHeard(again, 1);
  });
});
