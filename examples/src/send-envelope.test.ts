import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendEnvelope } from './send-envelope.ts';
import { type SignedTransaction, signEnvelope } from './sign-envelope.ts';
import { createFakeChain, type FakeRules } from './testing/fake-chain.ts';
import { madeEnvelope, madeTransaction } from './testing/made-envelope.ts';

let wallet: KeyPairSigner;
let texts: readonly string[];
let signed: readonly SignedTransaction[];

describe('sendEnvelope', () => {
  beforeAll(async () => {
    wallet = await generateKeyPairSigner();
    texts = ['one', 'two', 'three'].map((text) => madeTransaction({ feePayer: wallet.address }, text));
    signed = await signEnvelope(madeEnvelope(texts), wallet);
  });

  it('says what will happen before anything is sent', async () => {
    const chain = createFakeChain(signed);
    const printed: string[] = [];
    const print = (line: string) => printed.push(`${chain.sent.length}: ${line}`);
    await sendEnvelope(madeEnvelope(texts), wallet, { ...chain, print });
    expect(printed[0]).toBe('0: Says hello.');
    expect(printed.every((line) => line.startsWith('0: '))).toBe(true);
  });

  it('sends a sequence one by one, each once, when each lands at once', async () => {
    const { sent } = await run('sequential');
    expect(sent).toEqual(signed.map(({ base64 }) => base64));
  });

  it('waits for each before it sends the next, and sends again what does not land', async () => {
    const { sent } = await run('sequential', { landsOn: (base64) => (base64 === signed[1]?.base64 ? 3 : 1) });
    const [one, two, three] = signed.map(({ base64 }) => base64);
    expect(sent).toEqual([one, two, two, two, three]);
  });

  it('stops at the one that failed on the chain', async () => {
    const errOf = (base64: string) =>
      base64 === signed[1]?.base64 ? { InstructionError: [2n, { Custom: 6009n }] } : null;
    const chain = createFakeChain(signed, { errOf });
    const sending = sendEnvelope(madeEnvelope(texts), wallet, { ...chain, print: () => undefined });
    await expect(sending).rejects.toThrow('"Step 2"');
    await expect(sending).rejects.toMatchObject({ kind: 'failed', signature: signed[1]?.signature });
    await expect(sending).rejects.toThrow('{"InstructionError":[2,{"Custom":6009}]}');
    expect(chain.sent).toHaveLength(2);
  });

  it('gives up when the block height is past, not earlier', async () => {
    const chain = createFakeChain(signed, { landsOn: () => 0 });
    const sending = sendEnvelope(madeEnvelope(texts), wallet, { ...chain, print: () => undefined });
    await expect(sending).rejects.toThrow('block height 150: build it again');
    await expect(sending).rejects.toMatchObject({ kind: 'expired', signature: signed[0]?.signature });
    // From 100 to 151 a block a second, sent at first and every two seconds.
    expect(chain.sent).toHaveLength(26);
  });

  it('sees what landed in the last block', async () => {
    await expect(run('sequential', { startHeight: 151n })).resolves.toBeDefined();
  });

  it('passes on why the node refuses', async () => {
    await expect(run('sequential', { refusal: 'Blockhash not found' })).rejects.toThrow('Blockhash not found');
  });

  it('sends a bundle as one, again when it lost its auction', async () => {
    const { sent } = await run('bundle', { landsOn: () => 2 });
    expect(sent).toEqual(['bundle', 'bundle']);
  });

  it('gives a bundle up when the block height is past', async () => {
    const sending = run('bundle', { landsOn: () => 0 });
    await expect(sending).rejects.toMatchObject({ kind: 'expired' });
    await expect(sending).rejects.toThrow('last seen as Failed');
  });

  it('says which part of a bundle failed', async () => {
    const errOf = (base64: string) => (base64 === signed[2]?.base64 ? 'AccountInUse' : null);
    await expect(run('bundle', { errOf })).rejects.toThrow('"Step 3"');
  });

  it('passes on why the block engine refuses', async () => {
    await expect(run('bundle', { refusal: 'Bundles must write lock a tip account' })).rejects.toThrow('tip account');
  });

  it('refuses a bundle without a block engine, and signs nothing', async () => {
    const chain = createFakeChain(signed);
    const deps = { node: chain.node, engine: null, print: () => undefined, pace: chain.pace };
    await expect(sendEnvelope(madeEnvelope(texts, 'bundle'), wallet, deps)).rejects.toThrow('block engine');
    expect(chain.sent).toEqual([]);
  });
});

async function run(submit: 'sequential' | 'bundle', rules?: FakeRules) {
  const chain = createFakeChain(signed, rules);
  const signatures = await sendEnvelope(madeEnvelope(texts, submit), wallet, { ...chain, print: () => undefined });
  expect(signatures).toEqual(signed.map(({ signature }) => signature));
  return chain;
}
