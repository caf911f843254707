import { type AccountMeta, AccountRole, type Address, type Codec, type Instruction } from '@solana/kit';

/** One account an instruction names, as the program's IDL has it. An optional one left out is filled with the program's own address. */
export interface AccountSlot {
  /** The IDL's name, in camel case. */
  readonly name: string;
  readonly isWritable?: true;
  readonly isSigner?: true;
  readonly isOptional?: true;
}

/** An instruction's bytes: what it starts with, the accounts it names in order, and its arguments. */
export interface InstructionLayout<TSlots extends readonly AccountSlot[] = readonly AccountSlot[], TArgs = unknown> {
  /** The IDL's name, in snake case. */
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly accounts: TSlots;
  readonly args: Codec<TArgs>;
}

/** An address for every account of a layout; null only for an optional one. */
export type AccountsOf<TSlots extends readonly AccountSlot[]> = {
  readonly [TSlot in TSlots[number] as TSlot['name']]: TSlot extends { readonly isOptional: true }
    ? Address | null
    : Address;
};

/** Keeps the account names as literals, so that a builder that forgets one does not compile. */
export function defineInstruction<const TSlots extends readonly AccountSlot[], TArgs>(
  layout: InstructionLayout<TSlots, TArgs>,
): InstructionLayout<TSlots, TArgs> {
  return layout;
}

/**
 * Builds an instruction of a program.
 * @param remaining accounts after the named ones, in the order the program reads them.
 */
export function encodeInstruction<TSlots extends readonly AccountSlot[], TArgs>(
  layout: InstructionLayout<TSlots, TArgs>,
  programAddress: Address,
  accounts: AccountsOf<TSlots>,
  args: TArgs,
  remaining: readonly AccountMeta[] = [],
): Instruction {
  const addresses: Readonly<Record<string, Address | null>> = accounts;
  const named = layout.accounts.map((slot) => toMeta(slot, addresses[slot.name] ?? null, programAddress));
  return {
    programAddress,
    accounts: [...named, ...remaining],
    data: Uint8Array.from([...layout.discriminator, ...layout.args.encode(args)]),
  };
}

/** Whether instruction data is of this layout. */
export function isInstructionOf(layout: Pick<InstructionLayout, 'discriminator'>, data: ArrayLike<number>): boolean {
  return layout.discriminator.every((byte, index) => data[index] === byte);
}

/** Reads the arguments. Bytes after the last known one are left alone: a newer program may have added some. */
export function decodeArguments<TArgs>(
  layout: InstructionLayout<readonly AccountSlot[], TArgs>,
  data: Uint8Array,
): TArgs {
  return layout.args.decode(data, layout.discriminator.length);
}

function toMeta(slot: AccountSlot, address: Address | null, programAddress: Address): AccountMeta {
  if (address === null) {
    if (slot.isOptional !== true) throw new TypeError(`The account ${slot.name} is not optional`);
    return { address: programAddress, role: AccountRole.READONLY };
  }
  if (slot.isSigner)
    return { address, role: slot.isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
  return { address, role: slot.isWritable ? AccountRole.WRITABLE : AccountRole.READONLY };
}
