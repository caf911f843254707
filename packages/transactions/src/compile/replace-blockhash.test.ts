import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { compileTransaction } from './compile-transaction.ts';
import { replaceBlockhash } from './replace-blockhash.ts';
import { ANY_BLOCKHASH, addressOf, instructionOf, OPTIONS, PROGRAM, range } from './testing-instructions.ts';

const NEXT = { value: addressOf(77), lastValidBlockHeight: 300n };
const TABLE = addressOf(4_000);
const signer = { address: addressOf(50), role: AccountRole.READONLY_SIGNER } as const;

describe('replaceBlockhash', () => {
  it.each([
    ['version 0', 0, [instructionOf({ accounts: range(0, 5) })]],
    ['version 0 through a table', 0, [instructionOf({ accounts: range(10, 40) })]],
    ['version 0 with two signers', 0, [{ programAddress: PROGRAM, accounts: [signer] }]],
    ['version 1', 1, [instructionOf({ accounts: range(0, 60) })]],
    ['version 1 with two signers', 1, [{ programAddress: PROGRAM, accounts: [signer] }]],
  ] as const)('gives the bytes of a compilation with that blockhash: %s', (_, version, instructions) => {
    const draft = { type: 'DEPOSIT', label: 'Deposit 1 SOL', instructions } as const;
    const lookupTables = { [TABLE]: range(10, 40).map(addressOf) };
    const options = { ...OPTIONS, version, lookupTables, computeUnitLimit: 1_000 };
    const before = compileTransaction(draft, { ...options, blockhash: ANY_BLOCKHASH });
    const wire = before.wire.slice();
    const after = replaceBlockhash(before, NEXT);
    expect(after).toEqual(compileTransaction(draft, { ...options, blockhash: NEXT }));
    expect(before.wire).toEqual(wire);
    expect(after.wire).not.toEqual(wire);
  });
});
