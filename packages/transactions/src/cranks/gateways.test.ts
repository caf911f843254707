import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { tokenPriceOf } from '#sizing/fair-trade.ts';
import { bankAddress, createMadeMarket, debt, deposit, feedAddress, NOW } from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { createCrossbar } from './crossbar.ts';
import { onceCranked } from './once-cranked.ts';
import { readGatewayAnswer } from './read-gateway-answer.ts';

const signal = new AbortController().signal;
const HOSTS = ['Switchboard.xyz', '10.0.0.7'];
let nowMs = 0;

/** A crossbar whose answers are given by path. */
function open(answers: Readonly<Record<string, unknown>>, url = 'https://crossbar.switchboard.xyz/') {
  const asked: string[] = [];
  const crossbar = createCrossbar({
    url,
    gatewayHosts: HOSTS,
    now: () => nowMs,
    fetch: (path) => {
      asked.push(path);
      const answer = answers[new URL(path).pathname];
      return Promise.resolve(
        answer instanceof Response
          ? answer
          : new Response(JSON.stringify(answer ?? null), { status: answer ? 200 : 404 }),
      );
    },
  });
  return { crossbar, asked };
}

describe('createCrossbar', () => {
  it('names gateways on allowed hosts and below them, by TLS, and no others', async () => {
    const gateways = [
      'https://gateway.switchboard.xyz/mainnet',
      'https://switchboard.xyz',
      'https://10.0.0.7:8443',
      'http://gateway.switchboard.xyz',
      'https://switchboard.xyz.example.com',
      'https://notswitchboard.xyz',
      'https://user:secret@gateway.switchboard.xyz',
      'https://169.254.169.254/latest',
      'file:///etc/passwd',
      'gateway',
    ];
    const { crossbar } = open({ '/gateways': gateways });
    expect(await crossbar.fetchGateways(signal)).toEqual(gateways.slice(0, 3));
  });

  it('speaks to gateways without TLS only where crossbar is spoken to so', async () => {
    const { crossbar } = open({ '/gateways': ['http://10.0.0.7:1'] }, 'http://10.0.0.7');
    expect(await crossbar.fetchGateways(signal)).toEqual(['http://10.0.0.7:1']);
  });

  it('asks for gateways again after five minutes, and at once when none was allowed', async () => {
    const { crossbar, asked } = open({ '/gateways': ['https://switchboard.xyz'] });
    for (const at of [0, 299_999, 300_000]) {
      nowMs = at;
      await crossbar.fetchGateways(signal);
    }
    expect(asked).toEqual(Array(2).fill('https://crossbar.switchboard.xyz/gateways?network=mainnet'));
    const none = open({ '/gateways': ['https://example.com'] });
    for (let time = 0; time < 2; time += 1) await none.crossbar.fetchGateways(signal);
    expect(none.asked).toHaveLength(2);
  });

  it('tells a feed’s jobs as protobuf, and keeps those that were seen to be right', async () => {
    const { crossbar, asked } = open({ '/fetch/ab': { jobs: [{ tasks: [{ valueTask: { value: 1 } }] }] } });
    const jobs = await crossbar.fetchJobs('ab', signal);
    expect(jobs.map((job) => Buffer.from(job).toString('hex'))).toEqual([
      '0d0a0b62 09 09 000000000000f03f'.replaceAll(' ', ''),
    ]);
    await crossbar.fetchJobs('ab', signal);
    crossbar.keepJobs('ab', jobs);
    await crossbar.fetchJobs('ab', signal);
    expect(asked).toHaveLength(2);
  });

  const padding = 'x'.repeat(300_000);
  it.each([
    ['no jobs', { jobs: [] }, /jobs/],
    ['more jobs than any feed has', { jobs: Array.from({ length: 65 }, () => ({ tasks: [] })) }, /jobs/],
    ['a task that the format does not have', { jobs: [{ tasks: [{ shellTask: { command: 'ls' } }] }] }, /range/],
    ['a field that the format does not have', { jobs: [{ tasks: [{ httpTask: { verb: 'GET' } }] }] }, /range/],
    ['a text where a number stands', { jobs: [{ tasks: [{ valueTask: { value: 'one' } }] }] }, /range/],
    ['text', 'jobs', /object/],
    ['more bytes than any feed has', { jobs: [{ tasks: [] }], padding }, /more than 262144 bytes/],
    ['a failure', new Response('{"jobs":[{"tasks":[]}]}', { status: 500 }), /HTTP 500/],
  ])('takes no answer with %s', async (_, answer, message) => {
    await expect(open({ '/fetch/ab': answer }).crossbar.fetchJobs('ab', signal)).rejects.toThrow(message);
  });
});

const FEED = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const MESSAGE = new Uint8Array(32).fill(5);

function oracle(number: number, message = MESSAGE) {
  const secretKey = new Uint8Array(32).fill(number);
  const bytes = secp256k1.sign(keccak_256(message), secretKey, { prehash: false, format: 'recovered' });
  const ethAddress = keccak_256(secp256k1.getPublicKey(secretKey, false).slice(1)).slice(-20);
  return {
    oracle_pubkey: `0${number}`.repeat(32),
    eth_address: Buffer.from(ethAddress).toString('hex'),
    signature: Buffer.from(bytes.slice(1)).toString('base64'),
    checksum: Buffer.from(message).toString('base64'),
    recovery_id: bytes[0] ?? 0,
    errors: [] as string[],
  };
}

const ANSWER = {
  slot: 450_000_001,
  median_responses: [{ feed_hash: FEED, value: '154600000000000000000' }],
  oracle_responses: [oracle(1), oracle(2)],
};

const read = (changed: object = {}, asked: readonly string[] = [FEED, OTHER]) =>
  readGatewayAnswer({ ...ANSWER, ...changed }, new Set(asked));
const named = (number: number) => getAddressDecoder().decode(new Uint8Array(32).fill(number));

describe('readGatewayAnswer', () => {
  it('reads values and signatures in their order', () => {
    const { slot, values, signatures, complaints, message } = read();
    expect(slot).toBe(450_000_001n);
    expect(values).toEqual([{ feedHash: FEED, value: 154_600_000_000_000_000_000n }]);
    expect(signatures.map((one) => one.oracle)).toEqual([named(1), named(2)]);
    expect(message).toEqual(MESSAGE);
    expect(complaints).toEqual([]);
  });

  it('takes hex with a prefix and in capitals', () => {
    expect(read({ median_responses: [{ feed_hash: `0x${FEED.toUpperCase()}`, value: '1' }] }).values).toEqual([
      { feedHash: FEED, value: 1n },
    ]);
  });

  it.each([
    ['nothing', null],
    ['a page of text', 'Service Unavailable'],
    ['no slot', { ...ANSWER, slot: 0 }],
    ['a slot that is no integer', { ...ANSWER, slot: 1.5 }],
    ['no value', { ...ANSWER, median_responses: [] }],
    ['a feed nobody asked for', { ...ANSWER, median_responses: [{ feed_hash: '00'.repeat(32), value: '1' }] }],
    [
      'a feed twice',
      { ...ANSWER, median_responses: [1, 2].map((value) => ({ feed_hash: FEED, value: String(value) })) },
    ],
    ['a value of zero', { ...ANSWER, median_responses: [{ feed_hash: FEED, value: '0' }] }],
    ['a value below zero', { ...ANSWER, median_responses: [{ feed_hash: FEED, value: '-1' }] }],
    ['a value with a point', { ...ANSWER, median_responses: [{ feed_hash: FEED, value: '1.5' }] }],
    ['a value of more than 128 bits', { ...ANSWER, median_responses: [{ feed_hash: FEED, value: '9'.repeat(39) }] }],
    ['an address that is too short', { ...ANSWER, oracle_responses: [{ ...oracle(1), eth_address: 'ab' }] }],
    ['a recovery id that is none', { ...ANSWER, oracle_responses: [{ ...oracle(1), recovery_id: 4 }] }],
    ['too many oracles', { ...ANSWER, oracle_responses: Array.from({ length: 17 }, () => oracle(1)) }],
  ])('refuses %s', (_, answer) => {
    expect(() => readGatewayAnswer(answer, new Set([FEED]))).toThrow(/gateway/);
  });

  it.each([
    ['an error', { errors: ['HttpTask: 429'] }, /HttpTask: 429/],
    ['no signature', { signature: '' }, /signed nothing/],
    ['a signature that is too short', { signature: 'AAAA' }, /signed nothing/],
    ['text that is no base64', { signature: '<html>' }, /signed nothing/],
    ['the signature of another', { signature: oracle(2).signature, recovery_id: oracle(2).recovery_id }, /is wrong/],
    ['another message', oracle(1, new Uint8Array(32).fill(6)), /signed something else/],
  ])('leaves out an oracle with %s, and tells why', (_, change, complaint) => {
    const { signatures, complaints } = read({ oracle_responses: [oracle(2), { ...oracle(1), ...change }] });
    expect(signatures.map((one) => one.oracle)).toEqual([named(2)]);
    expect(complaints).toEqual([expect.stringMatching(complaint)]);
  });

  it('counts an oracle once', () => {
    const { signatures, complaints } = read({ oracle_responses: [oracle(1), oracle(1)] });
    expect(signatures).toHaveLength(1);
    expect(complaints).toEqual([expect.stringContaining('signed twice')]);
  });

  it('tells what failed oracles said, no longer than a line', () => {
    const { complaints } = read({ failed_oracle_responses: [{ errors: ['x'.repeat(5_000)] }] });
    expect(complaints).toEqual(['x'.repeat(200)]);
  });
});

const SWITCHBOARD = { config: { oracleSetup: 4 } };
const DOLLAR = 10n ** 18n;

async function readStale() {
  const market = createMadeMarket();
  market.setBank(1, SWITCHBOARD, { priceUsdE8: 200_000_000n });
  market.setBank(2);
  market.setSwitchboard(1, 200_000_000n, NOW - 600n);
  market.setAccount([deposit(1, 5n), debt(2, 5n)]);
  return readMadePair(market, 1, 2);
}

it('prices both banks, and what is held, as the oracles signed it', async () => {
  const state = await readStale();
  const after = onceCranked(state, [{ feeds: [feedAddress(1)], values: [(21n * DOLLAR) / 10n] }]);
  expect(tokenPriceOf(state.collateral.live, state.accounts)).toBe(2n * DOLLAR);
  expect(tokenPriceOf(after.collateral.live, after.accounts)).toBe((21n * DOLLAR) / 10n);
  for (const live of [after.collateral.live, after.held.get(bankAddress(1))]) {
    expect(live?.oracle).toMatchObject({ kind: 'loaded', staleError: null });
  }
  expect(after.debt.live.oracle).toEqual(state.debt.live.oracle);
});

it('leaves what is not cranked as old as it is', async () => {
  const state = await readStale();
  expect(onceCranked(state, [])).toBe(state);
  expect(state.collateral.live.oracle).toMatchObject({ staleError: 'SwitchboardStalePrice' });
});
