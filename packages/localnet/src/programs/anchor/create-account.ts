import { getAddressBytes } from '@lending/programs';
import type { Address } from '@solana/kit';
import { writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import type { AccountKind, Loader, NamedAccount } from './account-reader.ts';
import { toLoader } from './account-reader.ts';
import { frameworkError } from './framework-error.ts';

/** Instructions of the System program. */
const CREATE_ACCOUNT = 0;
const ASSIGN = 1;
const TRANSFER = 2;
const ALLOCATE = 8;

interface Allocation {
  readonly payer: NamedAccount;
  readonly space: number;
  /** Of a derived address, bump included; without them the account signs for itself. */
  readonly seeds?: readonly Uint8Array[];
}

interface Creation<TState> extends Allocation {
  readonly kind: AccountKind<TState>;
}

/**
 * `#[account(init, payer = …, space = …)]`: creates the account. The discriminator is written at once, which Anchor does when the
 * instruction ends.
 */
export function createAccount<TState>(
  context: InvokeContext,
  created: NamedAccount,
  { kind, ...allocation }: Creation<TState>,
): Loader<TState> {
  allocateAccount(context, created, context.programId, allocation);
  created.account.writableData().set(kind.discriminator);
  return toLoader(context, created, kind);
}

/**
 * `#[account(init, payer = …, space = …, owner = …)]`: has the System program create an account of zeros for a program, or, where
 * somebody already sent lamports, fill it up and hand it over.
 */
export function allocateAccount(
  context: InvokeContext,
  { account }: NamedAccount,
  owner: Address,
  { payer, space, seeds }: Allocation,
): void {
  const signers = seeds === undefined ? [] : [seeds];
  const minimum = context.slot.minimumBalance(space);
  if (account.lamports === 0n) {
    const data = systemData(52, CREATE_ACCOUNT);
    writeU64(data, 4, minimum);
    writeU64(data, 12, BigInt(space));
    data.set(getAddressBytes(owner), 20);
    context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(payer.account), signing(account)], data }, signers);
  } else {
    if (payer.account.address === account.address) throw frameworkError('TryingToInitPayerAsProgramAccount');
    takeOver(context, account, { owner, payer: payer.account, minimum, space, signers });
  }
}

function takeOver(
  context: InvokeContext,
  account: InstructionAccount,
  wanted: {
    readonly owner: Address;
    readonly payer: InstructionAccount;
    readonly minimum: bigint;
    readonly space: number;
    readonly signers: readonly (readonly Uint8Array[])[];
  },
): void {
  const missing = (wanted.minimum > 1n ? wanted.minimum : 1n) - account.lamports;
  if (missing > 0n) {
    const data = systemData(12, TRANSFER);
    writeU64(data, 4, missing);
    context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(wanted.payer), writable(account)], data });
  }
  const allocate = systemData(12, ALLOCATE);
  writeU64(allocate, 4, BigInt(wanted.space));
  context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(account)], data: allocate }, wanted.signers);
  const assign = systemData(36, ASSIGN);
  assign.set(getAddressBytes(wanted.owner), 4);
  context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(account)], data: assign }, wanted.signers);
}

/** Moves lamports that a signer holds, or a derived address. @param seeds of that address, bump included. */
export function transferLamports(
  context: InvokeContext,
  from: NamedAccount,
  to: NamedAccount,
  lamports: bigint,
  seeds?: readonly Uint8Array[],
): void {
  const data = systemData(12, TRANSFER);
  writeU64(data, 4, lamports);
  const accounts = [signing(from.account), writable(to.account)];
  context.invoke({ programId: SYSTEM_PROGRAM, accounts, data }, seeds === undefined ? [] : [seeds]);
}

function systemData(length: number, tag: number): Uint8Array {
  const data = new Uint8Array(length);
  data[0] = tag;
  return data;
}

function signing({ address }: InstructionAccount) {
  return { address, isSigner: true, isWritable: true };
}

function writable({ address }: InstructionAccount) {
  return { address, isSigner: false, isWritable: true };
}
