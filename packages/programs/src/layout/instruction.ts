import { type AccountMeta, AccountRole, type Address, type Codec, type Instruction } from '@solana/kit';
import { isSince, NEWEST_VERSION, PROGRAM_VERSIONS, type ProgramVersion } from '#marginfi/versions.ts';
import { anchorDiscriminator } from './anchor-discriminator.ts';
import type { ValueOf } from './field-types.ts';
import { type Listed, readList } from './list.ts';
import { type Fields, type Struct, struct } from './struct.ts';

/** One account an instruction names, as the program's IDL has it. An optional one left out is filled with the program's own address. */
export interface AccountSlot {
  /** The IDL's name, in camel case. */
  readonly name: string;
  readonly isWritable: boolean;
  readonly isSigner: boolean;
  readonly isOptional: boolean;
  /** The version of the lending program that put it into the list; null for one that was always there. */
  readonly since: ProgramVersion | null;
}

/** An instruction's bytes: what it starts with, the accounts it names in order, and its arguments. */
export interface InstructionLayout<TList extends string = string, TArgs = unknown> {
  /** The IDL's name, in snake case. */
  readonly name: string;
  readonly discriminator: Uint8Array;
  /** Its accounts as they were written: the type of the text names them. */
  readonly list: TList;
  readonly accounts: readonly AccountSlot[];
  readonly args: Codec<TArgs>;
}

/** An address, or what stands for it, for every account of a list; null only for an optional one. */
export type AccountsOf<TList extends string, TAccount = Address> = {
  readonly [One in Listed<TList> as One extends `${infer Name} ${string}`
    ? Name
    : One]: One extends `${string} ${string}?${string}` ? TAccount | null : TAccount;
};

/**
 * An instruction of a program, by its IDL's name.
 * @param list its accounts in order: `group, account w, authority ws, farm w?, feeState since 0.1.10`. `w` is writable, `s` a signer,
 * `?` optional, `since` the release that added it; one that a release removes or moves takes a second layout. A builder that forgets an
 * account does not compile.
 * @param discriminator where it is not Anchor's own of that name.
 */
export function instruction<const TList extends string, const F extends Fields>(
  name: string,
  list: TList,
  args: F,
  discriminator: Uint8Array = anchorDiscriminator('global', name),
): InstructionLayout<TList, ValueOf<Struct<F>>> {
  return { name, discriminator, list, accounts: readSlots(list), args: struct(args) as never };
}

function readSlots(list: string): AccountSlot[] {
  return readList(list).map((item) => {
    const [slot = '', named] = item.split(' since ');
    const since = PROGRAM_VERSIONS.find((version) => version === named) ?? null;
    if (named !== undefined && since === null) throw new TypeError(`No release ${named}`);
    const [name = '', marks = ''] = slot.split(' ');
    const has = (mark: string) => marks.includes(mark);
    return {
      ...{ name, isWritable: has('w'), isSigner: has('s'), isOptional: has('?') },
      since,
    };
  });
}

/** The accounts that an instruction names in a version of the lending program. */
export function slotsOf({ accounts }: Pick<InstructionLayout, 'accounts'>, version: ProgramVersion): AccountSlot[] {
  return accounts.filter(({ since }) => since === null || isSince(version, since));
}

/**
 * Builds an instruction of a program.
 * @param remaining accounts after the named ones, in the order the program reads them.
 * @param version of the lending program; others have one list.
 */
export function encodeInstruction<TList extends string, TArgs>(
  layout: InstructionLayout<TList, TArgs>,
  programAddress: Address,
  accounts: AccountsOf<TList>,
  args: TArgs,
  remaining: readonly AccountMeta[] = [],
  version: ProgramVersion = NEWEST_VERSION,
): Instruction {
  const addresses: Readonly<Record<string, Address | null>> = accounts;
  const named = slotsOf(layout, version).map((slot) => toMeta(slot, addresses[slot.name] ?? null, programAddress));
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
export function decodeArguments<TArgs>(layout: InstructionLayout<string, TArgs>, data: Uint8Array): TArgs {
  return layout.args.decode(data, layout.discriminator.length);
}

function toMeta(slot: AccountSlot, address: Address | null, programAddress: Address): AccountMeta {
  if (address === null) {
    if (!slot.isOptional) throw new TypeError(`The account ${slot.name} is not optional`);
    return { address: programAddress, role: AccountRole.READONLY };
  }
  if (slot.isSigner)
    return { address, role: slot.isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER };
  return { address, role: slot.isWritable ? AccountRole.WRITABLE : AccountRole.READONLY };
}
