import { TOKEN_PROGRAM } from '@lending/programs';
import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { assertRentSysvar } from '../rent-sysvar.ts';
import { isAccountInitialized, isFlagSet, loadMint, loadUnchecked, type TokenCall } from './token-call.ts';
import { tokenError } from './token-error.ts';
import { ACCOUNT, assertOwnedBy, MINT, MULTISIG, NATIVE_MINT, STATE, setAmount, TAG_BYTES } from './token-state.ts';

export function initializeMint(call: TokenCall, context: InvokeContext, hasRentSysvar: boolean): void {
  const { decimals, authority, freezeAuthority } = parseInitializeMint(call.data);
  const [mint] = takeAccounts(call.accounts, hasRentSysvar ? 2 : 1);
  if (hasRentSysvar) assertRentSysvar(accountAt(call.accounts, 1));
  const data = loadUnchecked(mint, MINT.size);
  if (isFlagSet(data, MINT.isInitialized)) throw tokenError('alreadyInUse');
  if (mint.lamports < context.slot.minimumBalance(data.length)) throw tokenError('notRentExempt');
  const written = mint.writableData();
  written[MINT.isInitialized] = 1;
  written[MINT.authority] = 1;
  written.set(authority, MINT.authority + TAG_BYTES);
  written[MINT.decimals] = decimals;
  if (freezeAuthority === null) return;
  written[MINT.freezeAuthority] = 1;
  written.set(freezeAuthority, MINT.freezeAuthority + TAG_BYTES);
}

function parseInitializeMint(data: Uint8Array) {
  const [decimals] = data;
  if (decimals === undefined || data.length < 34) throw tokenError('invalidInstruction');
  const authority = data.subarray(1, 33);
  if (data[33] === 0) return { decimals, authority, freezeAuthority: null };
  if (data[33] !== 1 || data.length < 66) throw tokenError('invalidInstruction');
  return { decimals, authority, freezeAuthority: data.subarray(34, 66) };
}

/** Where the new owner and the rent stand: three generations of the instruction. */
export type OwnerSource = 'account' | 'data' | 'dataAndRent';

export function initializeAccount(call: TokenCall, context: InvokeContext, ownerSource: OwnerSource): void {
  const owner = ownerSource === 'account' ? undefined : call.data.subarray(0, 32);
  if (owner !== undefined && owner.length < 32) throw tokenError('invalidInstruction');
  const [account, mint] = takeAccounts(call.accounts, ownerSource === 'account' ? 3 : 2);
  if (ownerSource !== 'data') assertRentSysvar(accountAt(call.accounts, ownerSource === 'account' ? 3 : 2));
  const ownerKey = owner ?? accountAt(call.accounts, 2).key;
  const reserve = context.slot.minimumBalance(account.data.length);
  const isNative = mint.address === NATIVE_MINT;

  const data = loadUnchecked(account, ACCOUNT.size);
  if (isAccountInitialized(data)) throw tokenError('alreadyInUse');
  if (account.lamports < reserve) throw tokenError('notRentExempt');
  if (!isNative) {
    assertOwnedBy(mint, TOKEN_PROGRAM);
    assertMintValid(() => loadMint(mint));
  }
  const written = account.writableData();
  written[ACCOUNT.state] = STATE.initialized;
  written.set(mint.key, ACCOUNT.mint);
  written.set(ownerKey, ACCOUNT.owner);
  if (!isNative) return;
  written[ACCOUNT.isNative] = 1;
  writeU64(written, ACCOUNT.nativeReserve, reserve);
  setAmount(written, account.lamports - reserve);
}

/** Any trouble with the mint is reported as an invalid mint. */
export function assertMintValid<T>(load: () => T): T {
  try {
    return load();
  } catch {
    throw tokenError('invalidMint');
  }
}

export function initializeMultisig(call: TokenCall, context: InvokeContext, hasRentSysvar: boolean): void {
  const [required] = call.data;
  if (required === undefined) throw tokenError('invalidInstruction');
  const [multisig] = takeAccounts(call.accounts, hasRentSysvar ? 2 : 1);
  if (hasRentSysvar) assertRentSysvar(accountAt(call.accounts, 1));
  const signers = call.accounts.slice(hasRentSysvar ? 2 : 1);
  const data = loadUnchecked(multisig, MULTISIG.size);
  if (isFlagSet(data, MULTISIG.isInitialized)) throw tokenError('alreadyInUse');
  if (multisig.lamports < context.slot.minimumBalance(data.length)) throw tokenError('notRentExempt');
  const written = multisig.writableData();
  if (!isSignerCount(signers.length)) throw tokenError('invalidNumberOfProvidedSigners');
  if (!isSignerCount(required)) throw tokenError('invalidNumberOfRequiredSigners');
  written[MULTISIG.required] = required;
  written[MULTISIG.count] = signers.length;
  for (const [index, signer] of signers.entries()) written.set(signer.key, MULTISIG.signers + 32 * index);
  written[MULTISIG.isInitialized] = 1;
}

export function isSignerCount(count: number): boolean {
  return count >= 1 && count <= MULTISIG.maxSigners;
}

/** Every account of this program already keeps its owner in place; the instruction only checks it is unused. */
export function initializeImmutableOwner(call: TokenCall): void {
  const data = loadUnchecked(accountAt(call.accounts, 0), ACCOUNT.size);
  if (isAccountInitialized(data)) throw tokenError('alreadyInUse');
}
