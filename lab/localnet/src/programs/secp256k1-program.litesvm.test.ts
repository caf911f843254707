import { encodeSecp256k1Instruction, SECP256K1_PROGRAM } from '@lending/programs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, wallet } from '#engine/testing-transactions.ts';
import { TwinEngines } from '#engine/twin-engines.ts';
import { ethAddressOf } from './secp256k1-program.ts';

const PAYER = addressOf(1);
const MESSAGE = new TextEncoder().encode('a checksum of thirty-two bytes..');
const KEYS = [1, 2, 3].map((number) => new Uint8Array(32).fill(number));

const engines = await TwinEngines.create();
engines.place(PAYER, wallet(1_000_000_000n));
const start = engines.snapshot();

function sign(secretKey: Uint8Array) {
  const bytes = secp256k1.sign(keccak_256(MESSAGE), secretKey, { prehash: false, format: 'recovered' });
  return {
    signature: bytes.slice(1),
    recoveryId: bytes[0] ?? 0,
    ethAddress: ethAddressOf(secp256k1.getPublicKey(secretKey, false)),
  };
}

/** Runs on both, and fails unless they agree. */
function run(...instructions: readonly Instruction[]) {
  const comparison = engines.run(PAYER, instructions);
  expect(comparison.model, comparison.result.logs.join('\n')).toEqual(comparison.litesvm);
  return comparison;
}

/** The instruction with the bytes from a place on overwritten. */
function changed(at: number, bytes: readonly number[]): Uint8Array {
  const data = Uint8Array.from(encodeSecp256k1Instruction(KEYS.map(sign), MESSAGE, 0).data ?? []);
  data.set(bytes, at);
  return data;
}

describe('the secp256k1 program beside the runtime’s own', () => {
  beforeEach(() => engines.reset(start));

  it('takes what three keys signed, and the fee of three signatures more', () => {
    const { model, result } = run(encodeSecp256k1Instruction(KEYS.map(sign), MESSAGE, 0));
    expect(model.error).toBeNull();
    expect(result.fee).toBe(4n * 5_000n);
  });

  it('finds the signatures from another place in the transaction', () => {
    const data = Uint8Array.of(0);
    const first = { programAddress: SECP256K1_PROGRAM, accounts: [], data };
    expect(run(first, encodeSecp256k1Instruction(KEYS.map(sign), MESSAGE, 1)).model.error).toBeNull();
    expect(run(first, encodeSecp256k1Instruction(KEYS.map(sign), MESSAGE, 0)).model.error).not.toBeNull();
  });

  const LENGTH = 1 + 3 * (11 + 85) + MESSAGE.length;
  it.each<readonly [string, Uint8Array, number]>([
    ['a signature of another message', changed(LENGTH - 1, [0]), 2],
    ['another address than the key’s', changed(99, [0, 0, 0]), 2],
    ['a signature that no key gives', changed(34, new Array(32).fill(255)), 2],
    ['a recovery id that is none', changed(98, [4]), 1],
    ['signatures of an instruction that is not there', changed(3, [9]), 4],
    ['a message of an instruction that is not there', changed(11, [9]), 3],
    ['a signature beyond the end', changed(2, [255]), 2],
    ['a message beyond the end', changed(10, [255]), 2],
    ['fewer bytes than its offsets', changed(0, []).slice(0, 20), 4],
    ['no byte at all', new Uint8Array(), 4],
    ['a count of none and more bytes', Uint8Array.of(0, 1), 4],
  ])('refuses %s', (_, data, code) => {
    const instruction = { programAddress: SECP256K1_PROGRAM, accounts: [], data };
    expect(run(instruction).model.error).toEqual({ InstructionError: [0, { Custom: code }] });
  });
});
