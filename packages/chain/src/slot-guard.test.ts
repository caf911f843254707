import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChain } from './chain.ts';
import { CLOCK_ADDRESS } from './clock-account.ts';
import { type FakeNode, startFakeNode } from './fake-node.ts';

const SOMEBODY = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');

describe('slots that cannot be', () => {
  let node: FakeNode;
  /** The slot it says, and that of its clock. */
  let said = 5_000;
  let clock = 5_000;
  const states: string[] = [];

  beforeEach(async () => {
    node = await startFakeNode();
    [said, clock] = [5_000, 5_000];
    states.length = 0;
    node.answers.set('getMultipleAccounts', ([keys]) => ({
      context: { slot: said },
      value: (keys as Address[]).map((key) => (key === CLOCK_ADDRESS ? clockAccount(clock) : null)),
    }));
    node.answers.set('getSlot', () => said);
  });
  afterEach(() => {
    vi.useRealTimers();
    return node.close();
  });

  function open() {
    const onEndpointState = ({ state, reason }: { state: string; reason: string }) =>
      void states.push(`${state}: ${reason}`);
    return createChain({ rpcUrls: [node.url], minBackoffMs: 5, maxBackoffMs: 10 }, { onEndpointState });
  }

  it('are not believed where the clock says another, and nothing is read meanwhile', async () => {
    const chain = open();
    await chain.fetchAccounts([SOMEBODY]);
    said = 15_000;
    await expect(chain.fetchAccounts([SOMEBODY])).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
    await expect(chain.fetchTransaction('signature')).rejects.toThrow('says slot 15000 with the clock of slot 5000');
    expect(node.countOf('getTransaction')).toBe(0);
    expect(chain.getHighestSlot()).toBe(5_000n);
    said = 5_003;
    await sleep(1_100);
    await chain.fetchAccounts([SOMEBODY]);
    expect(states).toEqual(['open: says slot 15000 with the clock of slot 5000', 'closed: is believed again']);
  });

  it('are not believed of an answer that holds an older clock', async () => {
    const chain = open();
    await chain.fetchAccountGroups([[SOMEBODY]]);
    said = 5_100;
    await expect(chain.fetchAccountGroups([[SOMEBODY]])).rejects.toThrow('says slot 5100 with the clock of slot 5000');
  });

  it('are those of another chain where the genesis hash is', async () => {
    const chain = open();
    await chain.fetchAccounts([SOMEBODY]);
    await expect.poll(() => node.countOf('getGenesisHash')).toBe(1);
    node.answers.set('getGenesisHash', () => 'genesis-b');
    [said, clock] = [90_000, 90_000];
    await expect(chain.fetchAccounts([SOMEBODY])).rejects.toThrow('serves another chain, of genesis hash genesis-b');
  });

  it('are those of another chain also where the node did not tell its genesis hash when it was met', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    node.answers.set('getGenesisHash', () => null);
    const chain = open();
    await chain.fetchAccounts([SOMEBODY]);
    await expect.poll(() => node.countOf('getGenesisHash')).toBe(1);
    node.answers.set('getGenesisHash', () => 'genesis-a');
    await chain.fetchSlot();
    expect(node.countOf('getGenesisHash')).toBe(1);
    vi.advanceTimersByTime(10_000);
    await chain.fetchSlot();
    await expect.poll(() => node.countOf('getGenesisHash')).toBe(2);
    await chain.fetchSlot();
    node.answers.set('getGenesisHash', () => 'genesis-b');
    [said, clock] = [90_000, 90_000];
    await expect(chain.fetchAccounts([SOMEBODY])).rejects.toThrow('serves another chain, of genesis hash genesis-b');
  });

  it('are believed after a leap that genesis and clock bear out', async () => {
    const chain = open();
    await chain.fetchAccounts([SOMEBODY]);
    [said, clock] = [90_000, 90_000];
    await chain.fetchAccounts([SOMEBODY]);
    expect(await chain.fetchSlot()).toBe(90_000n);
    expect(states).toEqual([]);
  });
});

function clockAccount(slot: number): object {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot), 0);
  return {
    data: [data.toString('base64'), 'base64'],
    executable: false,
    lamports: 1,
    owner: 'Sysvar1111111111111111111111111111111111111',
    rentEpoch: 0,
    space: 40,
  };
}
