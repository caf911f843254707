import {
  decodeArguments,
  encodeInstruction,
  lendingAccountEndFlashloan,
  lendingAccountStartFlashloan,
} from '@lending/programs';
import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { compileTransaction } from './compile-transaction.ts';
import { linkFlashLoan } from './link-flash-loan.ts';
import { ANY_BLOCKHASH, addressOf, instructionOf, OPTIONS, PAYER, PROGRAM } from './testing-instructions.ts';
import type { MessageOptions } from './transaction-draft.ts';

const [ACCOUNT, SYSVAR, GROUP] = [addressOf(50), addressOf(51), addressOf(52)];
const start = encodeInstruction(
  lendingAccountStartFlashloan,
  PROGRAM,
  { marginfiAccount: ACCOUNT, authority: PAYER, ixsSysvar: SYSVAR },
  { endIndex: 0n },
);
const endOf = (program: Address) =>
  encodeInstruction(
    lendingAccountEndFlashloan,
    program,
    { marginfiAccount: ACCOUNT, group: GROUP, authority: PAYER },
    {},
  );
const end = endOf(PROGRAM);
const other = instructionOf({ accounts: [1, 2] });

/** Position of the end as the start of a compiled message names it, and where it stands. */
function compiled(options: Partial<MessageOptions>) {
  const draft = { type: 'LOOP', label: 'Loop', instructions: [other, other, start, other, end, other] } as const;
  const { wire } = compileTransaction(draft, {
    ...OPTIONS,
    ...options,
    computeUnitLimit: 1,
    blockhash: ANY_BLOCKHASH,
  });
  const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
  const datas =
    message.version === 1
      ? message.instructionPayloads.map(({ instructionData }) => instructionData)
      : message.instructions.map(({ data }) => data);
  const startsWith = (discriminator: Uint8Array) => (data: ArrayLike<number> | undefined) =>
    discriminator.every((byte, index) => data?.[index] === byte);
  const found = datas.find(startsWith(lendingAccountStartFlashloan.discriminator));
  const { endIndex } = decodeArguments(lendingAccountStartFlashloan, Uint8Array.from(found ?? []));
  return {
    named: Number(endIndex),
    stands: datas.findIndex(startsWith(lendingAccountEndFlashloan.discriminator)),
  };
}

describe('linkFlashLoan', () => {
  it('counts the compute budget and what stands before the loan', () => {
    expect(compiled({})).toEqual({ named: 6, stands: 6 });
  });

  it('counts no price where none is paid', () => {
    expect(compiled({ microLamportsPerUnit: 0n })).toEqual({ named: 5, stands: 5 });
  });

  it('counts no budget in version 1, where it is none of the instructions', () => {
    expect(compiled({ version: 1 })).toEqual({ named: 4, stands: 4 });
  });

  it('leaves all other instructions, and messages without a loan, as they are', () => {
    const without = { instructions: [other, end] };
    expect(linkFlashLoan(without)).toBe(without);
    const linked = linkFlashLoan({ instructions: [start, other, end] }).instructions;
    expect(linked.slice(1)).toEqual([other, end]);
    expect(linked[0]).toMatchObject({ programAddress: PROGRAM, accounts: start.accounts });
  });

  it('takes no end of another program for the loan’s', () => {
    const linked = linkFlashLoan({ instructions: [start, end, endOf(addressOf(60))] }).instructions[0];
    expect(decodeArguments(lendingAccountStartFlashloan, linked?.data as Uint8Array)).toEqual({ endIndex: 1n });
    expect(() => linkFlashLoan({ instructions: [start, other] })).toThrow(RangeError);
  });
});
