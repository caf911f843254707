import { TOKEN_PROGRAM } from '@lending/programs';
import { readU64, writeU64 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INCINERATOR } from '#engine/runtime-addresses.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { assertRentSysvar } from '../rent-sysvar.ts';
import { closeAuthorityOf, spendAuthority } from './holdings.ts';
import { isSome, loadMint, loadTokenAccount, type TokenCall } from './token-call.ts';
import { tokenError } from './token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  assertOwnedBy,
  isOwnedBySystemOrIncinerator,
  keyAt,
  MINT,
  MULTISIG,
  setAmount,
  TAG_BYTES,
} from './token-state.ts';

export function closeAccount(call: TokenCall, context: InvokeContext): void {
  const [source, destination, authority] = takeAccounts(call.accounts, 3);
  if (source.isSameAs(destination)) throw new InstructionError('InvalidAccountData');
  const data = loadTokenAccount(source);
  if (!isSome(data, ACCOUNT.isNative) && amountOf(data) !== 0n) throw tokenError('nonNativeHasBalance');
  if (!isOwnedBySystemOrIncinerator(data)) {
    assertAuthority(closeAuthorityOf(data), authority, call.accounts.slice(3));
  } else if (destination.address !== INCINERATOR) {
    throw new InstructionError('InvalidAccountData');
  }
  destination.lamports += source.lamports;
  source.lamports = 0n;
  context.closeAccount(source);
}

/** Counts lamports that were simply sent to a wrapped SOL account as its tokens. */
export function syncNative(call: TokenCall, context: InvokeContext): void {
  const account = accountAt(call.accounts, 0);
  assertOwnedBy(account, TOKEN_PROGRAM);
  const rentSysvar = call.accounts[1];
  if (rentSysvar !== undefined) assertRentSysvar(rentSysvar);
  const reserve = context.slot.minimumBalance(account.data.length);
  const data = loadTokenAccount(account);
  if (!isSome(data, ACCOUNT.isNative)) throw tokenError('nonNativeNotSupported');
  if (account.lamports < reserve) throw tokenError('overflow');
  const written = account.writableData();
  writeU64(written, ACCOUNT.nativeReserve, reserve);
  setAmount(written, account.lamports - reserve);
}

export function unwrapLamports(call: TokenCall): void {
  const wanted = parseOptionalAmount(call.data);
  const [source, destination, authority] = takeAccounts(call.accounts, 3);
  const data = loadTokenAccount(source);
  if (!isSome(data, ACCOUNT.isNative)) throw tokenError('nonNativeNotSupported');
  const amount = wanted ?? amountOf(data);
  const remaining = amountOf(data) - amount;
  if (remaining < 0n) throw tokenError('insufficientFunds');
  spendAuthority(source, authority, call.accounts.slice(3), amount, false);
  if (amount === 0n) {
    assertOwnedBy(source, TOKEN_PROGRAM);
    return;
  }
  setAmount(source.writableData(), remaining);
  if (source.isSameAs(destination)) return;
  source.lamports -= amount;
  destination.lamports += amount;
}

function parseOptionalAmount(data: Uint8Array): bigint | null {
  if (data[0] === 0) return null;
  if (data[0] !== 1 || data.length < 9) throw tokenError('invalidInstruction');
  return readU64(data, 1);
}

export function withdrawExcessLamports(call: TokenCall, context: InvokeContext): void {
  const [source, destination, authority] = takeAccounts(call.accounts, 3);
  const signers = call.accounts.slice(3);
  const { data } = source;
  if (data.length === ACCOUNT.size) {
    loadTokenAccount(source);
    if (isSome(data, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
    assertAuthority(keyAt(data, ACCOUNT.owner), authority, signers);
  } else if (data.length === MINT.size) {
    loadMint(source);
    if (isSome(data, MINT.authority)) {
      assertAuthority(keyAt(data, MINT.authority + TAG_BYTES), authority, signers);
    } else if (!source.isSameAs(authority)) {
      throw tokenError('authorityTypeNotSupported');
    } else if (!authority.isSigner) {
      throw new InstructionError('MissingRequiredSignature');
    }
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
