import { TOKEN_PROGRAM } from '@lending/programs';
import { isU64, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { isSome, loadMint, loadTokenAccount, parseAmount, type TokenCall } from './token-call.ts';
import { tokenError } from './token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  assertOwnedBy,
  isFrozen,
  isKeyAt,
  isOwnedBySystemOrIncinerator,
  keyAt,
  MINT,
  STATE,
  setAmount,
  TAG_BYTES,
} from './token-state.ts';

const U64_MASK = (value: bigint) => BigInt.asUintN(64, value);

export function transfer(call: TokenCall, isChecked: boolean): void {
  const { amount, decimals } = parseAmount(call, isChecked);
  const positions = isChecked ? 4 : 3;
  takeAccounts(call.accounts, positions);
  const source = accountAt(call.accounts, 0);
  const destination = accountAt(call.accounts, positions - 2);
  const authority = accountAt(call.accounts, positions - 1);
  const signers = call.accounts.slice(positions);

  const from = loadTokenAccount(source);
  const isSelf = source.isSameAs(destination);
  const to = isSelf ? from : loadTokenAccount(destination);
  if (isFrozen(from) || isFrozen(to)) throw tokenError('accountFrozen');
  const remaining = amountOf(from) - amount;
  if (remaining < 0n) throw tokenError('insufficientFunds');
  if (!isSelf && Buffer.compare(keyAt(from, ACCOUNT.mint), keyAt(to, ACCOUNT.mint)) !== 0) {
    throw tokenError('mintMismatch');
  }
  if (isChecked) assertMint(accountAt(call.accounts, 1), from, decimals);

  spendAuthority(source, authority, signers, amount, isSelf);
  if (isSelf || amount === 0n) {
    assertOwnedBy(source, TOKEN_PROGRAM);
    assertOwnedBy(destination, TOKEN_PROGRAM);
    return;
  }
  setAmount(source.writableData(), remaining);
  const received = destination.writableData();
  setAmount(received, amountOf(received) + amount);
  if (!isSome(source.data, ACCOUNT.isNative)) return;
  source.lamports -= amount;
  destination.lamports += amount;
}

export function approve(call: TokenCall, isChecked: boolean): void {
  const { amount, decimals } = parseAmount(call, isChecked);
  const positions = isChecked ? 4 : 3;
  takeAccounts(call.accounts, positions);
  const source = accountAt(call.accounts, 0);
  const delegate = accountAt(call.accounts, positions - 2);
  const owner = accountAt(call.accounts, positions - 1);

  const data = loadTokenAccount(source);
  if (isFrozen(data)) throw tokenError('accountFrozen');
  if (isChecked) assertMint(accountAt(call.accounts, 1), data, decimals);
  assertAuthority(keyAt(data, ACCOUNT.owner), owner, call.accounts.slice(positions));
  const written = source.writableData();
  setOptionalKey(written, ACCOUNT.delegate, delegate.key);
  writeU64(written, ACCOUNT.delegatedAmount, amount);
}

export function revoke(call: TokenCall): void {
  const source = accountAt(call.accounts, 0);
  const data = loadTokenAccount(source);
  const authority = accountAt(call.accounts, 1);
  if (isFrozen(data)) throw tokenError('accountFrozen');
  const expected = isDelegate(data, authority) ? authority.key : keyAt(data, ACCOUNT.owner);
  assertAuthority(expected, authority, call.accounts.slice(2));
  clearDelegate(source.writableData());
}

export function mintTo(call: TokenCall, isChecked: boolean): void {
  const { amount, decimals } = parseAmount(call, isChecked);
  const [mint, destination, authority] = takeAccounts(call.accounts, 3);
  const to = loadTokenAccount(destination);
  if (isFrozen(to)) throw tokenError('accountFrozen');
  if (isSome(to, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  if (!isKeyAt(to, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  const mintData = loadMint(mint);
  if (isChecked && decimals !== mintData[MINT.decimals]) throw tokenError('mintDecimalsMismatch');
  if (!isSome(mintData, MINT.authority)) throw tokenError('fixedSupply');
  assertAuthority(keyAt(mintData, MINT.authority + TAG_BYTES), authority, call.accounts.slice(3));
  if (amount === 0n) {
    assertOwnedBy(mint, TOKEN_PROGRAM);
    assertOwnedBy(destination, TOKEN_PROGRAM);
    return;
  }
  const supply = readU64(mintData, MINT.supply) + amount;
  if (!isU64(supply)) throw tokenError('overflow');
  writeU64(mint.writableData(), MINT.supply, supply);
  const received = destination.writableData();
  setAmount(received, amountOf(received) + amount);
}

export function burn(call: TokenCall, isChecked: boolean): void {
  const { amount, decimals } = parseAmount(call, isChecked);
  const [source, mint, authority] = takeAccounts(call.accounts, 3);
  const from = loadTokenAccount(source);
  const mintData = loadMint(mint);
  if (isFrozen(from)) throw tokenError('accountFrozen');
  if (isSome(from, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  const remaining = amountOf(from) - amount;
  if (remaining < 0n) throw tokenError('insufficientFunds');
  if (!isKeyAt(from, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  if (isChecked && decimals !== mintData[MINT.decimals]) throw tokenError('mintDecimalsMismatch');
  if (!isOwnedBySystemOrIncinerator(from)) {
    spendAuthority(source, authority, call.accounts.slice(3), amount, false);
  }
  if (amount === 0n) {
    assertOwnedBy(source, TOKEN_PROGRAM);
    assertOwnedBy(mint, TOKEN_PROGRAM);
    return;
  }
  setAmount(source.writableData(), remaining);
  writeU64(mint.writableData(), MINT.supply, U64_MASK(readU64(mintData, MINT.supply) - amount));
}

export function toggleFrozen(call: TokenCall, toFrozen: boolean): void {
  const [account, mint, authority] = takeAccounts(call.accounts, 3);
  const data = loadTokenAccount(account);
  if (toFrozen === isFrozen(data)) throw tokenError('invalidState');
  if (isSome(data, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  if (!isKeyAt(data, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  const mintData = loadMint(mint);
  if (!isSome(mintData, MINT.freezeAuthority)) throw tokenError('mintCannotFreeze');
  assertAuthority(keyAt(mintData, MINT.freezeAuthority + TAG_BYTES), authority, call.accounts.slice(3));
  account.writableData()[ACCOUNT.state] = toFrozen ? STATE.frozen : STATE.initialized;
}

const AUTHORITY = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 } as const;

export function setAuthority(call: TokenCall): void {
  const { kind, authority: next } = parseSetAuthority(call.data);
  const [target, current] = takeAccounts(call.accounts, 2);
  const signers = call.accounts.slice(2);
  if (target.data.length === ACCOUNT.size) {
    setAccountAuthority(target, current, signers, kind, next);
    return;
  }
  if (target.data.length === MINT.size) {
    setMintAuthority(target, current, signers, kind, next);
    return;
  }
  throw new InstructionError('InvalidArgument');
}

function parseSetAuthority(data: Uint8Array): { readonly kind: number; readonly authority: Uint8Array | null } {
  const [kind, tag] = data;
  if (kind === undefined || tag === undefined || kind > AUTHORITY.closeAccount) throw tokenError('invalidInstruction');
  if (tag === 0) return { kind, authority: null };
  if (tag !== 1 || data.length < 34) throw tokenError('invalidInstruction');
  return { kind, authority: data.subarray(2, 34) };
}

function setAccountAuthority(
  target: InstructionAccount,
  current: InstructionAccount,
  signers: readonly InstructionAccount[],
  kind: number,
  next: Uint8Array | null,
): void {
  const data = loadTokenAccount(target);
  if (isFrozen(data)) throw tokenError('accountFrozen');
  if (kind === AUTHORITY.accountOwner) {
    assertAuthority(keyAt(data, ACCOUNT.owner), current, signers);
    if (next === null) throw tokenError('invalidInstruction');
    const written = target.writableData();
    written.set(next, ACCOUNT.owner);
    clearDelegate(written);
    if (isSome(written, ACCOUNT.isNative)) written[ACCOUNT.closeAuthority] = 0;
    return;
  }
  if (kind !== AUTHORITY.closeAccount) throw tokenError('authorityTypeNotSupported');
  assertAuthority(closeAuthorityOf(data), current, signers);
  setOptionalKey(target.writableData(), ACCOUNT.closeAuthority, next);
}

function setMintAuthority(
  target: InstructionAccount,
  current: InstructionAccount,
  signers: readonly InstructionAccount[],
  kind: number,
  next: Uint8Array | null,
): void {
  const data = loadMint(target);
  if (kind !== AUTHORITY.mintTokens && kind !== AUTHORITY.freezeAccount) throw tokenError('authorityTypeNotSupported');
  const offset = kind === AUTHORITY.mintTokens ? MINT.authority : MINT.freezeAuthority;
  if (!isSome(data, offset)) throw tokenError(kind === AUTHORITY.mintTokens ? 'fixedSupply' : 'mintCannotFreeze');
  assertAuthority(keyAt(data, offset + TAG_BYTES), current, signers);
  setOptionalKey(target.writableData(), offset, next);
}

/** Who may close: the close authority, or the owner where none is set. */
export function closeAuthorityOf(data: Uint8Array): Uint8Array {
  return isSome(data, ACCOUNT.closeAuthority)
    ? keyAt(data, ACCOUNT.closeAuthority + TAG_BYTES)
    : keyAt(data, ACCOUNT.owner);
}

/** Checks who spends, and takes a delegate's share off its allowance. */
export function spendAuthority(
  source: InstructionAccount,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
  amount: bigint,
  isSelfTransfer: boolean,
): void {
  const { data } = source;
  if (!isDelegate(data, authority)) {
    assertAuthority(keyAt(data, ACCOUNT.owner), authority, signers);
    return;
  }
  assertAuthority(authority.key, authority, signers);
  const allowance = readU64(data, ACCOUNT.delegatedAmount) - amount;
  if (allowance < 0n) throw tokenError('insufficientFunds');
  if (isSelfTransfer) return;
  const written = source.writableData();
  writeU64(written, ACCOUNT.delegatedAmount, allowance);
  if (allowance === 0n) written[ACCOUNT.delegate] = 0;
}

function assertMint(mint: InstructionAccount, account: Uint8Array, decimals: number | undefined): void {
  if (!isKeyAt(account, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  if (loadMint(mint)[MINT.decimals] !== decimals) throw tokenError('mintDecimalsMismatch');
}

function isDelegate(data: Uint8Array, authority: InstructionAccount): boolean {
  return isSome(data, ACCOUNT.delegate) && isKeyAt(data, ACCOUNT.delegate + TAG_BYTES, authority);
}

function clearDelegate(data: Uint8Array): void {
  data[ACCOUNT.delegate] = 0;
  writeU64(data, ACCOUNT.delegatedAmount, 0n);
}

function setOptionalKey(data: Uint8Array, offset: number, key: Uint8Array | null): void {
  data[offset] = key === null ? 0 : 1;
  if (key !== null) data.set(key, offset + TAG_BYTES);
}
