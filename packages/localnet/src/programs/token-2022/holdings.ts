import { isU64, readU64, writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { tokenError } from '../token/token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  isFrozen,
  isKeyAt,
  isOwnedBySystemOrIncinerator,
  keyAt,
  MINT,
  STATE,
  setAmount,
  TAG_BYTES,
} from '../token/token-state.ts';
import { assertNotBorrowed, assertToken2022, type CheckedAmount, loadBase } from './call.ts';
import { findExtension, hasExtension } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { isSome, nullableKey, optionalKey, setOptionalKey } from './optional-field.ts';
import { assertNotGuarded, assertNotPaused, permanentDelegateOf, spend } from './transfer.ts';

export function approve({ amount, decimals }: CheckedAmount, context: InvokeContext): void {
  const { accounts } = context;
  const positions = decimals === undefined ? 3 : 4;
  const source = accountAt(accounts, 0);
  assertToken2022(source);
  takeAccounts(accounts, positions);
  const delegate = accountAt(accounts, positions - 2);
  const owner = accountAt(accounts, positions - 1);
  const data = loadBase(source, 'account');
  if (isFrozen(data)) throw tokenError('accountFrozen');
  if (decimals !== undefined) {
    const mint = accountAt(accounts, 1);
    assertToken2022(mint);
    if (!isKeyAt(data, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
    if (loadBase(mint, 'mint')[MINT.decimals] !== decimals) throw tokenError('mintDecimalsMismatch');
  }
  assertAuthority(keyAt(data, ACCOUNT.owner), owner, accounts.slice(positions));
  assertNotGuarded(context, data, 'cpiGuardApproveBlocked');
  const written = source.writableData();
  setOptionalKey(written, ACCOUNT.delegate, delegate.key);
  writeU64(written, ACCOUNT.delegatedAmount, amount);
}

export function revoke({ accounts }: InvokeContext): void {
  const [source, authority] = takeAccounts(accounts, 2);
  assertToken2022(source);
  const data = loadBase(source, 'account');
  if (isFrozen(data)) throw tokenError('accountFrozen');
  const isDelegate = isSome(data, ACCOUNT.delegate) && isKeyAt(data, ACCOUNT.delegate + TAG_BYTES, authority);
  assertAuthority(isDelegate ? authority.key : keyAt(data, ACCOUNT.owner), authority, accounts.slice(2));
  const written = source.writableData();
  setOptionalKey(written, ACCOUNT.delegate, null);
  writeU64(written, ACCOUNT.delegatedAmount, 0n);
}

export function mintTo({ amount, decimals }: CheckedAmount, { accounts }: InvokeContext): void {
  const [mint, destination, authority] = takeAccounts(accounts, 3);
  assertToken2022(mint);
  assertToken2022(destination);
  const to = loadBase(destination, 'account');
  if (isFrozen(to)) throw tokenError('accountFrozen');
  if (isSome(to, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  if (!isKeyAt(to, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  const mintData = loadBase(mint, 'mint');
  if (hasExtension(mintData, EXTENSION.nonTransferable) && !isBoundToOwner(to)) {
    throw tokenError('nonTransferableNeedsImmutableOwnership');
  }
  assertNotPaused(mintData);
  if (hasExtension(mintData, EXTENSION.confidentialMintBurn)) throw tokenError('illegalMintBurnConversion');
  if (decimals !== undefined && decimals !== mintData[MINT.decimals]) throw tokenError('mintDecimalsMismatch');
  const mintAuthority = optionalKey(mintData, MINT.authority);
  if (mintAuthority === undefined) throw tokenError('fixedSupply');
  assertAuthority(mintAuthority, authority, accounts.slice(3));
  const received = destination.writableData();
  const total = amountOf(received) + amount;
  if (!isU64(total)) throw tokenError('overflow');
  setAmount(received, total);
  const minted = mint.writableData();
  const supply = readU64(minted, MINT.supply) + amount;
  if (!isU64(supply)) throw tokenError('overflow');
  writeU64(minted, MINT.supply, supply);
}

function isBoundToOwner(account: Uint8Array): boolean {
  return hasExtension(account, EXTENSION.immutableOwner) && hasExtension(account, EXTENSION.nonTransferableAccount);
}

export function burn({ amount, decimals }: CheckedAmount, context: InvokeContext): void {
  const { accounts } = context;
  const [source, mint] = takeAccounts(accounts, 2);
  assertToken2022(source);
  assertToken2022(mint);
  const authority = accountAt(accounts, 2);
  const mintData = loadBase(mint, 'mint');
  const permission = findExtension(mintData, EXTENSION.permissionedBurn);
  if (permission !== undefined && nullableKey(mintData, permission.start) !== undefined) {
    throw tokenError('invalidInstruction');
  }
  assertNotBorrowed(source, mint);
  const from = loadBase(source, 'account');
  if (isFrozen(from)) throw tokenError('accountFrozen');
  if (isSome(from, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  if (amountOf(from) < amount) throw tokenError('insufficientFunds');
  if (!isKeyAt(from, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  if (decimals !== undefined && decimals !== mintData[MINT.decimals]) throw tokenError('mintDecimalsMismatch');
  assertNotPaused(mintData);
  if (hasExtension(mintData, EXTENSION.confidentialMintBurn)) throw tokenError('illegalMintBurnConversion');
  if (isKeyAt(from, ACCOUNT.owner, authority)) assertNotGuarded(context, from, 'cpiGuardBurnBlocked');
  if (!isOwnedBySystemOrIncinerator(from)) {
    spend(source, authority, accounts.slice(3), amount, permanentDelegateOf(mintData), false);
  }
  const burned = source.writableData();
  setAmount(burned, amountOf(burned) - amount);
  const written = mint.writableData();
  const supply = readU64(written, MINT.supply) - amount;
  if (supply < 0n) throw tokenError('overflow');
  writeU64(written, MINT.supply, supply);
}

export function toggleFrozen({ accounts }: InvokeContext, toFrozen: boolean): void {
  const [account, mint, authority] = takeAccounts(accounts, 3);
  assertToken2022(account);
  assertToken2022(mint);
  const data = loadBase(account, 'account');
  if (toFrozen === isFrozen(data)) throw tokenError('invalidState');
  if (isSome(data, ACCOUNT.isNative)) throw tokenError('nativeNotSupported');
  if (!isKeyAt(data, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  const freezeAuthority = optionalKey(loadBase(mint, 'mint'), MINT.freezeAuthority);
  if (freezeAuthority === undefined) throw tokenError('mintCannotFreeze');
  assertAuthority(freezeAuthority, authority, accounts.slice(3));
  account.writableData()[ACCOUNT.state] = toFrozen ? STATE.frozen : STATE.initialized;
}
