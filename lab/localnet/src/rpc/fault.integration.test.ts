import { type Address, address, createSolanaRpc } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLocalnet, type Localnet, type LocalnetNode } from '../localnet.ts';

const ACCOUNT: Address = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');

describe('faults of a node', () => {
  let localnet: Localnet;
  const sockets: WebSocket[] = [];
  beforeEach(async () => {
    localnet = createLocalnet({ engine: createModelEngine(), genesis: () => [], slotMs: null, startSlot: 1000n });
    await localnet.start();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    await localnet.stop();
  });

  const advance = (slots: number) => {
    for (let index = 0; index < slots; index += 1) localnet.ledger.advanceSlot();
  };
  const write = (tag: number) =>
    localnet.ledger.writeAccount(ACCOUNT, {
      lamports: 1n,
      owner: PROGRAM,
      data: new Uint8Array([tag]),
      executable: false,
    });
  const slotOf = (node: LocalnetNode) => createSolanaRpc(node.rpcUrl).getSlot({ commitment: 'confirmed' }).send();
  /** Subscribes to slots and to the account, and counts what comes of each. */
  const listen = async (node: LocalnetNode) => {
    const socket = new WebSocket(node.wsUrl);
    sockets.push(socket);
    const heard: string[] = [];
    socket.addEventListener('message', ({ data }) => {
      const { method, result } = JSON.parse(String(data)) as { method?: string; result?: number };
      heard.push(method ?? `subscribed ${result}`);
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
    socket.send(
      `{"jsonrpc":"2.0","id":2,"method":"accountSubscribe","params":["${ACCOUNT}",{"commitment":"confirmed","encoding":"base64"}]}`,
    );
    await expect.poll(() => heard.length).toBe(2);
    heard.length = 0;
    return { socket, heard };
  };

  it('opens more nodes of one chain, each with its own fault', async () => {
    const other = await localnet.openNode();
    expect(await slotOf(other)).toBe(1000n);
    other.setFault({ kind: 'unavailable' });
    await expect(slotOf(other)).rejects.toThrow();
    expect(await slotOf(localnet)).toBe(1000n);
  });

  it('is slow, or answers the methods that are named with an error', async () => {
    localnet.setFault({ kind: 'slow', delayMs: 80 });
    const startMs = performance.now();
    await slotOf(localnet);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(75);
    localnet.setFault({ kind: 'error', code: -32005, message: 'Node is behind by 42 slots', methods: ['getSlot'] });
    await expect(slotOf(localnet)).rejects.toMatchObject({ context: { __code: -32005 } });
    expect(await createSolanaRpc(localnet.rpcUrl).getHealth().send()).toBe('ok');
  });

  it('cuts its sockets once', async () => {
    const { socket } = await listen(localnet);
    localnet.setFault({ kind: 'drop_subscriptions' });
    await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
    const { heard } = await listen(localnet);
    advance(1);
    await expect.poll(() => heard).toEqual(['slotNotification']);
  });

  it('shows and tells the chain as it was while it lags, and all the rest once it no longer does', async () => {
    const late = await localnet.openNode();
    const { heard } = await listen(late);
    late.setFault({ kind: 'lagging', slots: 3 });
    write(1);
    advance(5);
    expect(await slotOf(localnet)).toBe(1005n);
    expect(await slotOf(late)).toBe(1002n);
    await expect.poll(() => heard).toEqual(['slotNotification', 'accountNotification', 'slotNotification']);
    late.setFault(null);
    expect(await slotOf(late)).toBe(1005n);
    await expect.poll(() => heard.filter((method) => method === 'slotNotification').length).toBe(5);
  });

  it('is silent about one kind of subscription only', async () => {
    const { heard } = await listen(localnet);
    localnet.setFault({ kind: 'mute_subscriptions', kinds: ['account'] });
    write(2);
    advance(2);
    await expect.poll(() => heard).toEqual(['slotNotification', 'slotNotification']);
    localnet.setFault({ kind: 'mute_subscriptions', kinds: ['slot'] });
    write(3);
    advance(2);
    await expect.poll(() => heard.slice(2)).toEqual(['accountNotification']);
    localnet.setFault({ kind: 'mute_subscriptions' });
    write(4);
    advance(2);
    localnet.setFault(null);
    advance(1);
    await expect.poll(() => heard.slice(3)).toEqual(['slotNotification']);
  });

  it('is gone while it is down, and is back on the same port', async () => {
    const { socket } = await listen(localnet);
    localnet.setFault({ kind: 'down' });
    await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
    await expect(slotOf(localnet)).rejects.toThrow('fetch failed');
    advance(1);
    localnet.setFault(null);
    expect(await slotOf(localnet)).toBe(1001n);
    const { heard } = await listen(localnet);
    advance(1);
    await expect.poll(() => heard).toEqual(['slotNotification']);
  });
});
