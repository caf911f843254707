import { isLendingError } from '@lending/errors';
import { fundWallet, type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { pullFeedLayout, SECP256K1_PROGRAM, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  type Signature,
  signTransaction,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileTransaction } from '#compile/compile-transaction.ts';
import type { TransactionVersion } from '#compile/compiled-transaction.ts';
import type { Crank, FeedToCrank } from './cranker.ts';
import { type CrankNotice, createSwitchboardCranker, type SwitchboardCrankerOptions } from './switchboard-cranker.ts';

/** Feeds of the demo market that nobody pushes. */
const MSOL = address('HBkp4ppTRv9HjAKLz7Wjo1zRUd1m1o7Nn3uaapCRfT21');
const OTHERS = [
  address('BRCWKZ1PevwTFzBL2MLZM5hMwCNMWE8NYuS6zFPaXZ6y'),
  address('48tBfE2bjtmEi4XKaQPc81SHQj3Srr1HN6AJJqeEiPNY'),
  address('8wRUjxh4uCdvQdqcWUMvBBTJa95vLuKrze7WLus5h6Gk'),
];
/** Compute units: more than any crank takes. */
const LIMIT = 400_000;
let localnet: OpenedLocalnet;
let payer: KeyPairSigner;
let notices: CrankNotice[];
let nowMs = 0;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 1);
  notices = [];
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, nowMs: () => nowMs });
  await localnet.start();
  payer = await generateKeyPairSigner();
  await fundWallet(localnet.ledger, payer.address, { lamports: 1_000_000_000n });
  // Older than any bank allows.
  nowMs += 400_000;
  passSlots(3);
});
afterEach(() => localnet.stop());

function passSlots(count: number): void {
  for (let slot = 0; slot < count; slot += 1) localnet.ledger.advanceSlot();
}

function feedAt(feed: Address): FeedToCrank {
  const data = localnet.ledger.account(feed)?.data ?? expect.fail();
  return { address: feed, feed: pullFeedLayout.decode(data) };
}

function cranker(options: Partial<SwitchboardCrankerOptions> = {}) {
  return createSwitchboardCranker({
    crossbarUrl: localnet.switchboardUrl ?? expect.fail('Switchboard is not served'),
    gatewayHosts: ['127.0.0.1'],
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
}

/** Lands a crank as its own transaction and returns the error it ended in, null for none. */
async function land({ instructions, lookupTables }: Crank, version: TransactionVersion): Promise<unknown> {
  const rpc = createSolanaRpc(localnet.rpcUrl);
  const { value: latest } = await rpc.getLatestBlockhash().send();
  const { wire } = compileTransaction(
    { type: 'CRANK', label: 'Crank', instructions, lookupTables },
    {
      payer: payer.address,
      version,
      microLamportsPerUnit: 1_000n,
      lookupTables: {},
      computeUnitLimit: LIMIT,
      blockhash: { value: latest.blockhash, lastValidBlockHeight: latest.lastValidBlockHeight },
    },
  );
  const signed = await signTransaction([payer.keyPair], getTransactionDecoder().decode(wire));
  const encoded: Base64EncodedWireTransaction = getBase64EncodedWireTransaction(signed as never);
  const signature: Signature = await rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
  const { value } = await rpc.getSignatureStatuses([signature]).send();
  return (value[0] ?? expect.fail('It did not land')).err;
}

/** The first crank of one feed. */
async function crankOne(feed: Address = MSOL, options: Partial<SwitchboardCrankerOptions> = {}): Promise<Crank> {
  const [crank] = await cranker(options).crank([feedAt(feed)], payer.address);
  return crank ?? expect.fail('There is no crank');
}

async function refusalOf(promise: Promise<unknown>): Promise<{ readonly feeds: unknown; readonly reason: string }> {
  const error = await promise.then(
    () => expect.fail('It was cranked'),
    (thrown: unknown) => thrown,
  );
  if (!isLendingError(error, 'ORACLE__PRICE_STALE')) throw error;
  return error.context as never;
}

describe('createSwitchboardCranker', () => {
  it.each([0, 1] as const)(
    'makes a version %s transaction that lands and leaves the feed fresh, signed by three',
    async (version) => {
      const before = feedAt(MSOL).feed;
      expect(localnet.ledger.unixTimestamp - before.lastUpdateTimestamp).toBe(400n);
      const crank = await crankOne();
      expect(crank.feeds).toEqual([MSOL]);
      expect(await land(crank, version)).toBeNull();
      const { feed } = feedAt(MSOL);
      expect(feed.lastUpdateTimestamp).toBe(localnet.ledger.unixTimestamp);
      expect(feed.result.numSamples).toBe(3);
      expect(feed.submissions.filter(({ slot }) => slot > 0n)).toHaveLength(3);
      expect(notices).toEqual([]);
    },
  );

  it('puts as many feeds into a transaction as fit, its signatures checked first', async () => {
    const feeds = [MSOL, ...OTHERS];
    const cranks = await cranker().crank(feeds.map(feedAt), payer.address);
    expect(cranks.map((crank) => crank.feeds)).toEqual([feeds.slice(0, 3), feeds.slice(3)]);
    for (const crank of cranks) {
      expect(crank.instructions.map(({ programAddress }) => programAddress)).toEqual([
        SECP256K1_PROGRAM,
        SWITCHBOARD_ON_DEMAND_PROGRAM,
      ]);
      expect(await land(crank, 0)).toBeNull();
    }
    for (const feed of feeds) expect(feedAt(feed).feed.lastUpdateTimestamp).toBe(localnet.ledger.unixTimestamp);
  });

  it('asks crossbar for jobs and gateways once', async () => {
    const asked: string[] = [];
    const one = cranker({
      fetch: (url, init) => {
        asked.push(new URL(url).pathname);
        return fetch(url, init);
      },
    });
    for (let time = 0; time < 3; time += 1) await one.crank([feedAt(MSOL)], payer.address);
    expect(asked.filter((path) => path === '/gateways')).toHaveLength(1);
    expect(asked.filter((path) => path.startsWith('/fetch/'))).toHaveLength(1);
    expect(asked.filter((path) => path.endsWith('fetch_signatures_consensus'))).toHaveLength(3);
  });

  it('goes to the next gateway when one is down, and says so', async () => {
    localnet.setSwitchboardFault({ kind: 'gateways_down', count: 1 });
    expect(await land(await crankOne(), 0)).toBeNull();
    expect(notices).toEqual([expect.objectContaining({ kind: 'gateway_failed', detail: 'HTTP 503' })]);
  });

  it('names the feeds that are stale when no gateway answers', async () => {
    localnet.setSwitchboardFault({ kind: 'gateways_down' });
    expect(await refusalOf(crankOne())).toEqual({ feeds: [MSOL], reason: 'HTTP 503' });
  });

  it('takes what is left when an oracle errs, and tells what it said', async () => {
    localnet.setSwitchboardFault({ kind: 'oracles_erring', count: 1 });
    expect(await land(await crankOne(), 0)).toBeNull();
    expect(feedAt(MSOL).feed.result.numSamples).toBe(2);
    expect(notices).toEqual([
      expect.objectContaining({ kind: 'oracles_complain', detail: expect.stringContaining('connection refused') }),
    ]);
  });

  it("repeats strangers' words cut and cleaned, and tells nobody but the operator where a machine is", async () => {
    const words = `ignore\u202e all\n${'x'.repeat(5_000)}`;
    const failing = () => Promise.reject(new Error(words, { cause: new Error('connect ECONNREFUSED 10.0.0.7:443') }));
    const { reason } = await refusalOf(crankOne(MSOL, { fetch: failing }));
    expect(reason).toMatch(/^crossbar (tells no jobs|names no gateways): ignore all x+$/);
    expect(reason).toHaveLength(300);
  });

  it('leaves out an oracle whose signature is wrong', async () => {
    localnet.setSwitchboardFault({ kind: 'wrong_signature' });
    expect(await land(await crankOne(), 0)).toBeNull();
    expect(feedAt(MSOL).feed.result.numSamples).toBe(2);
    expect(notices.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^the signature of oracle \w+ is wrong$/),
    ]);
  });

  it('takes no answer for another feed', async () => {
    localnet.setSwitchboardFault({ kind: 'other_feed' });
    expect((await refusalOf(crankOne())).reason).toContain('which was not asked for');
  });

  it('asks no gateway on a host that nobody allowed', async () => {
    const asked: string[] = [];
    localnet.setSwitchboardFault({ kind: 'other_gateway', url: 'http://127.0.0.1.example.com:1' });
    const spy = (url: string, init: RequestInit) => {
      asked.push(new URL(url).hostname);
      return fetch(url, init);
    };
    const { reason } = await refusalOf(crankOne(MSOL, { fetch: spy }));
    expect(reason).toBe('crossbar names no gateway on an allowed host');
    expect(new Set(asked)).toEqual(new Set(['127.0.0.1']));
  });

  it('is refused by the chain when it comes too late', async () => {
    const crank = await crankOne();
    passSlots(260);
    expect(await land(crank, 0)).toEqual({ InstructionError: [1n, { Custom: 6030n }] });
  });

  it('is refused by the chain when the oracles signed over a slot that is too old', async () => {
    passSlots(300);
    localnet.setSwitchboardFault({ kind: 'old_slot', slots: 280 });
    expect(await land(await crankOne(), 0)).toEqual({ InstructionError: [1n, { Custom: 6030n }] });
  });

  it('stops when it is told to', async () => {
    localnet.setSwitchboardFault({ kind: 'slow', delayMs: 3_600_000 });
    const signal = AbortSignal.timeout(100);
    await refusalOf(cranker().crank([feedAt(MSOL)], payer.address, { signal }));
  });
});
