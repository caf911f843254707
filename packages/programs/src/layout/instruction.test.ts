import { AccountRole, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bool, option, u64 } from './field-types.ts';
import { decodeArguments, encodeInstruction, instruction, isInstructionOf } from './instruction.ts';

const program = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const someone = address('JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG');
const layout = instruction(
  'lending_account_deposit',
  `
    group, marginfiAccount w, authority s,
    payer ws, farm w?
  `,
  { amount: u64, depositUpToLimit: option(bool) },
);
const accounts = { group: someone, marginfiAccount: someone, authority: someone, payer: someone, farm: null };

describe('instruction', () => {
  it('names accounts in order with what they are, and begins as Anchor begins one of its name', () => {
    const built = encodeInstruction(layout, program, accounts, { amount: 5n, depositUpToLimit: true });
    expect(built.accounts?.map(({ role }) => role)).toEqual([
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.READONLY_SIGNER,
      AccountRole.WRITABLE_SIGNER,
      AccountRole.READONLY,
    ]);
    expect(Buffer.from(built.data ?? []).toString('hex')).toBe('ab5eeb675240d48c05000000000000000101');
    expect(isInstructionOf(layout, built.data ?? [])).toBe(true);
    expect(decodeArguments(layout, Uint8Array.from([...(built.data ?? []), 9]))).toEqual({
      amount: 5n,
      depositUpToLimit: true,
    });
  });

  it('has the program’s own address where an optional account is left out, and leaves out no other', () => {
    const args = { amount: 5n, depositUpToLimit: null };
    expect(encodeInstruction(layout, program, accounts, args).accounts?.at(-1)?.address).toBe(program);
    const without = { ...accounts, authority: null as never };
    expect(() => encodeInstruction(layout, program, without, args)).toThrow('authority is not optional');
  });
});
