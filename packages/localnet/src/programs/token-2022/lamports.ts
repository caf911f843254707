import { isU64, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INCINERATOR } from '#engine/runtime-addresses.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { assertRentSysvar } from '../rent-sysvar.ts';
import { tokenError } from '../token/token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  isOwnedBySystemOrIncinerator,
  keyAt,
  MINT,
  MULTISIG,
  setAmount,
} from '../token/token-state.ts';
import { assertToken2022, loadBase } from './call.ts';
import { findExtension, getExtension, isUnpackable } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { isNone, isSome, nullableKey, optionalKey } from './optional-field.ts';
import { assertNotGuarded, spend } from './transfer.ts';

export function closeAccount(context: InvokeContext): void {
  const [source, destination, authority] = takeAccounts(context.accounts, 3);
  const signers = context.accounts.slice(3);
  assertToken2022(source);
  if (source.isSameAs(destination)) throw new InstructionError('InvalidAccountData');
  if (isUnpackable(source.data, 'account')) assertAccountClosable(context, source, destination, authority, signers);
  else if (isUnpackable(source.data, 'mint')) assertMintClosable(source, authority, signers);
  else throw new InstructionError('UninitializedAccount');
  if (!isU64(destination.lamports + source.lamports)) throw tokenError('overflow');
  destination.lamports += source.lamports;
  source.lamports = 0n;
  context.closeAccount(source);
}

function assertAccountClosable(
  context: InvokeContext,
  source: InstructionAccount,
  destination: InstructionAccount,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
): void {
  const { data } = source;
  if (!isSome(data, ACCOUNT.isNative) && amountOf(data) !== 0n) throw tokenError('nonNativeHasBalance');
  const owner = keyAt(data, ACCOUNT.owner);
  if (!isOwnedBySystemOrIncinerator(data)) {
    if (Buffer.compare(destination.key, owner) !== 0) assertNotGuarded(context, data, 'cpiGuardCloseAccountBlocked');
    assertAuthority(optionalKey(data, ACCOUNT.closeAuthority) ?? owner, authority, signers);
  } else if (destination.address !== INCINERATOR) {
    throw new InstructionError('InvalidAccountData');
  }
  const withheld = findExtension(data, EXTENSION.transferFeeAmount);
  if (withheld !== undefined && readU64(data, withheld.start) !== 0n) {
    throw tokenError('accountHasWithheldTransferFees');
  }
}

function assertMintClosable(
  mint: InstructionAccount,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
): void {
  const { start } = getExtension(mint.data, EXTENSION.mintCloseAuthority);
  const expected = nullableKey(mint.data, start);
  if (expected === undefined) throw tokenError('authorityTypeNotSupported');
  assertAuthority(expected, authority, signers);
  if (readU64(mint.data, MINT.supply) !== 0n) throw tokenError('mintHasSupply');
}

/** Counts lamports that were simply sent to a wrapped SOL account as its tokens. */
export function syncNative({ accounts, slot }: InvokeContext): void {
  const account = accountAt(accounts, 0);
  assertToken2022(account);
  const rentSysvar = accounts[1];
  if (rentSysvar !== undefined) assertRentSysvar(rentSysvar);
  const reserve = slot.minimumBalance(account.data.length);
  const data = loadBase(account, 'account');
  if (!isSome(data, ACCOUNT.isNative)) throw tokenError('nonNativeNotSupported');
  if (account.lamports < reserve) throw tokenError('overflow');
  const written = account.writableData();
  writeU64(written, ACCOUNT.nativeReserve, reserve);
  setAmount(written, account.lamports - reserve);
}

export function unwrapLamports(data: Uint8Array, context: InvokeContext): void {
  const wanted = parseOptionalAmount(data);
  const [source, destination, authority] = takeAccounts(context.accounts, 3);
  assertToken2022(source);
  const account = loadBase(source, 'account');
  const amount = wanted ?? amountOf(account);
  const remaining = amountOf(account) - amount;
  if (remaining < 0n) throw tokenError('insufficientFunds');
  if (!isSome(account, ACCOUNT.isNative)) throw tokenError('nonNativeNotSupported');
  spend(source, authority, context.accounts.slice(3), amount, undefined, false);
  assertNotGuarded(context, account, 'cpiGuardTransferBlocked');
  if (amount === 0n) return;
  setAmount(source.writableData(), remaining);
  if (source.isSameAs(destination)) return;
  if (source.lamports < amount || !isU64(destination.lamports + amount)) throw tokenError('overflow');
  source.lamports -= amount;
  destination.lamports += amount;
}

function parseOptionalAmount(data: Uint8Array): bigint | null {
  if (data[0] === 0) return null;
  if (data[0] !== 1 || data.length < 9) throw new InstructionError('InvalidInstructionData');
  return readU64(data, 1);
}

export function withdrawExcessLamports(context: InvokeContext): void {
  const [source, destination, authority] = takeAccounts(context.accounts, 3);
  const signers = context.accounts.slice(3);
  assertToken2022(source);
  const { data } = source;
  if (isUnpackable(data, 'account')) {
    if (isSome(data, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
    assertAuthority(keyAt(data, ACCOUNT.owner), authority, signers);
    assertNotGuarded(context, data, 'cpiGuardTransferBlocked');
  } else if (isUnpackable(data, 'mint')) {
    assertMintAuthorityOrItself(source, authority, signers);
  } else if (data.length === MULTISIG.size) {
    assertAuthority(source.key, authority, signers);
  } else {
    throw tokenError('invalidState');
  }
  const excess = source.lamports - context.slot.minimumBalance(data.length);
  if (excess < 0n) throw tokenError('notRentExempt');
  source.lamports -= excess;
  destination.lamports += excess;
}

/** A mint without an authority must have signed for itself. */
function assertMintAuthorityOrItself(
  mint: InstructionAccount,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
): void {
  const expected = optionalKey(mint.data, MINT.authority);
  if (expected !== undefined) {
    assertAuthority(expected, authority, signers);
    return;
  }
  if (!isNone(mint.data, MINT.authority) || !mint.isSameAs(authority)) throw tokenError('authorityTypeNotSupported');
  if (!authority.isSigner) throw new InstructionError('MissingRequiredSignature');
}
