import { getAddressBytes } from '@lending/programs';
import type { Address } from '@solana/kit';
import { writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { SYSTEM_INSTRUCTION } from '../system-program.ts';
import type { AccountKind, Loader, NamedAccount } from './account-reader.ts';
import { toLoader } from './account-reader.ts';
import { frameworkError } from './framework-error.ts';

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

/** `#[account(init, payer = …, space = …, owner = …)]`: an account of zeros for a program. */
export function allocateAccount(
  context: InvokeContext,
  created: NamedAccount,
  owner: Address,
  allocation: Allocation,
): void {
  const { account } = created;
  const isItsOwnPayer = account.address === allocation.payer.account.address;
  if (isItsOwnPayer && account.lamports > 0n) throw frameworkError('TryingToInitPayerAsProgramAccount');
  fundAccount(context, created, owner, allocation);
}

/** Has the System program create an account of zeros, or, where somebody already sent lamports, fill it up and hand it over. */
export function fundAccount(
  context: InvokeContext,
  { account }: NamedAccount,
  owner: Address,
  { payer, space, seeds }: Allocation,
): void {
  const signers = seeds === undefined ? [] : [seeds];
  const minimum = context.slot.minimumBalance(space);
  if (account.lamports === 0n) {
    const data = systemData(52, SYSTEM_INSTRUCTION.createAccount);
    writeU64(data, 4, minimum);
    writeU64(data, 12, BigInt(space));
    data.set(getAddressBytes(owner), 20);
    context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(payer.account), signing(account)], data }, signers);
    return;
  }
  if (account.lamports < minimum) {
    transferLamports(context, payer, { name: '', account }, minimum - account.lamports);
  }
  const allocate = systemData(12, SYSTEM_INSTRUCTION.allocate);
  writeU64(allocate, 4, BigInt(space));
  context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(account)], data: allocate }, signers);
  const assign = systemData(36, SYSTEM_INSTRUCTION.assign);
  assign.set(getAddressBytes(owner), 4);
  context.invoke({ programId: SYSTEM_PROGRAM, accounts: [signing(account)], data: assign }, signers);
}

/** Moves lamports that a signer holds, or a derived address. @param seeds of that address, bump included. */
export function transferLamports(
  context: InvokeContext,
  from: NamedAccount,
  to: NamedAccount,
  lamports: bigint,
  seeds?: readonly Uint8Array[],
): void {
  const data = systemData(12, SYSTEM_INSTRUCTION.transfer);
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
