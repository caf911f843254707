import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { readGatewayAnswer } from './read-gateway-answer.ts';

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
