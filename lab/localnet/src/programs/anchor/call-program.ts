import { type AccountsOf, encodeInstruction, type InstructionLayout } from '@lending/programs';
import { type AccountMeta, AccountRole, type Address, isSignerRole, isWritableRole } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from './account-reader.ts';

/** Accounts whose bytes the instruction holds on to while it calls: none of them can be handed on to be written. */
export interface Borrowed {
  /** Held to be written: not even to be read by the other program. */
  readonly written?: readonly NamedAccount[];
  readonly read?: readonly NamedAccount[];
}

interface Call<TList extends string, TArgs> {
  readonly programId: Address;
  /** For each that the called instruction names; null only for one that it may be called without. */
  readonly accounts: AccountsOf<TList, NamedAccount>;
  readonly args: TArgs;
  /** After the named ones: writable and signing as the running instruction was given them. */
  readonly remaining?: readonly NamedAccount[];
  /** The seeds, bump included, of each address of the running program that signs. */
  readonly signers?: readonly (readonly Uint8Array[])[];
  readonly borrowed?: Borrowed;
}

/**
 * Has another program run an instruction, as the callers that Anchor generates from an IDL do.
 * @throws InstructionError what the program threw, or `AccountBorrowFailed`
 */
export function callProgram<TList extends string, TArgs>(
  context: InvokeContext,
  layout: InstructionLayout<TList, TArgs>,
  { programId, accounts, args, remaining = [], signers = [], borrowed = {} }: Call<TList, TArgs>,
): void {
  const named: Readonly<Record<string, NamedAccount | null>> = accounts;
  const addresses = Object.fromEntries(
    layout.accounts.map(({ name }) => [name, named[name]?.account.address ?? null]),
  ) as AccountsOf<TList>;
  const metas = remaining.map(({ account }) => metaOf(account));
  const instruction = encodeInstruction(layout, programId, addresses, args, metas);
  const called = (instruction.accounts ?? []).map(({ address, role }) => ({
    address,
    isSigner: isSignerRole(role),
    isWritable: isWritableRole(role),
  }));
  for (const { address, isWritable } of called) assertFree(address, isWritable, borrowed);
  context.invoke({ programId, accounts: called, data: Uint8Array.from(instruction.data ?? []) }, signers);
}

function assertFree(address: Address, isWritable: boolean, { written = [], read = [] }: Borrowed): void {
  const held = isWritable ? [...written, ...read] : written;
  if (held.some(({ account }) => account.address === address)) throw new InstructionError('AccountBorrowFailed');
}

function metaOf({ address, isSigner, isWritable }: InstructionAccount): AccountMeta {
  if (isSigner) return { address, role: isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
  return { address, role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY };
}
