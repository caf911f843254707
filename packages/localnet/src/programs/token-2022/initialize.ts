import { writeU64 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { assertRentSysvar } from '../rent-sysvar.ts';
import { isSignerCount } from '../token/initialize.ts';
import { tokenError } from '../token/token-error.ts';
import { ACCOUNT, MINT, MULTISIG, STATE, setAmount } from '../token/token-state.ts';
import { assertDataLength, assertNotBorrowed, assertToken2022, parseOptionalKey } from './call.ts';
import {
  assertUnpacksUninitialized,
  computeLength,
  findExtension,
  initializeExtension,
  isUnpackable,
  listExtensions,
  setAccountType,
} from './extended-state.ts';
import { EXTENSION, requiredAccountExtensions } from './extension-type.ts';
import { NATIVE_MINT_2022 } from './native-mint.ts';
import { nullableKey, setOptionalKey } from './optional-field.ts';

export function initializeMint(data: Uint8Array, context: InvokeContext, hasRentSysvar: boolean): void {
  const [decimals] = data;
  if (decimals === undefined || data.length < 33) throw new InstructionError('InvalidInstructionData');
  const authority = data.subarray(1, 33);
  const freezeAuthority = parseOptionalKey(data.subarray(33));
  const [mint] = takeAccounts(context.accounts, 1);
  assertToken2022(mint);
  if (hasRentSysvar) assertRentSysvar(accountAt(context.accounts, 1));
  if (mint.lamports < context.slot.minimumBalance(mint.data.length)) throw tokenError('notRentExempt');
  assertUnpacksUninitialized(mint.data, 'mint');
  const types = listExtensions(mint.data);
  if (computeLength(types, 'mint') !== mint.data.length) throw new InstructionError('InvalidAccountData');
  assertMintCombination(new Set(types));
  assertDefaultStateAllowed(mint.data, freezeAuthority);
  const written = mint.writableData();
  setOptionalKey(written, MINT.authority, authority);
  written[MINT.decimals] = decimals;
  written[MINT.isInitialized] = 1;
  setOptionalKey(written, MINT.freezeAuthority, freezeAuthority);
  setAccountType(written, 'mint');
}

/** Accounts that start frozen need somebody who can thaw them. */
function assertDefaultStateAllowed(mint: Uint8Array, freezeAuthority: Uint8Array | null): void {
  const extension = findExtension(mint, EXTENSION.defaultAccountState);
  if (extension === undefined) return;
  const state = mint[extension.start] ?? 0;
  if (state > STATE.frozen) throw new InstructionError('InvalidAccountData');
  if (state === STATE.frozen && freezeAuthority === null) throw tokenError('mintCannotFreeze');
}

function assertMintCombination(types: ReadonlySet<number>): void {
  const fee = types.has(EXTENSION.transferFeeConfig);
  const confidential = types.has(EXTENSION.confidentialTransferMint);
  const confidentialFee = types.has(EXTENSION.confidentialTransferFeeConfig);
  const confidentialMintBurn = types.has(EXTENSION.confidentialMintBurn);
  const isInvalid =
    confidentialFee !== (fee && confidential) ||
    (confidentialMintBurn && !confidential) ||
    (types.has(EXTENSION.scaledUiAmount) && types.has(EXTENSION.interestBearingConfig)) ||
    (types.has(EXTENSION.nonTransferable) && confidential && !confidentialMintBurn);
  if (isInvalid) throw tokenError('invalidExtensionCombination');
}

/** Where the new owner and the rent stand: three generations of the instruction. */
export type OwnerSource = 'account' | 'data' | 'dataAndRent';

export function initializeAccount(data: Uint8Array, context: InvokeContext, ownerSource: OwnerSource): void {
  if (ownerSource !== 'account') assertDataLength(data, 32);
  const { accounts } = context;
  const [account, mint] = takeAccounts(accounts, 2);
  assertToken2022(account);
  assertToken2022(mint);
  const owner = ownerSource === 'account' ? accountAt(accounts, 2).key : data;
  if (ownerSource !== 'data') assertRentSysvar(accountAt(accounts, ownerSource === 'account' ? 3 : 2));
  assertUnpacksUninitialized(account.data, 'account');
  const reserve = context.slot.minimumBalance(account.data.length);
  if (account.lamports < reserve) throw tokenError('notRentExempt');
  assertNotBorrowed(account, mint);
  if (!isUnpackable(mint.data, 'mint')) throw tokenError('invalidMint');
  warnOfPermanentDelegate(mint.data, context);
  const required = requiredExtensions(mint.data);
  if (computeLength(required, 'account') > account.data.length) throw new InstructionError('InvalidAccountData');

  const written = account.writableData();
  for (const type of required) initializeExtension(written, type, 'account');
  written.set(mint.key, ACCOUNT.mint);
  written.set(owner, ACCOUNT.owner);
  setOptionalKey(written, ACCOUNT.closeAuthority, null);
  setOptionalKey(written, ACCOUNT.delegate, null);
  writeU64(written, ACCOUNT.delegatedAmount, 0n);
  written[ACCOUNT.state] = startingState(mint.data);
  const isNative = mint.address === NATIVE_MINT_2022;
  written.fill(0, ACCOUNT.isNative, ACCOUNT.delegatedAmount);
  if (isNative) {
    written[ACCOUNT.isNative] = 1;
    writeU64(written, ACCOUNT.nativeReserve, reserve);
  }
  setAmount(written, isNative ? account.lamports - reserve : 0n);
  setAccountType(written, 'account');
}

function requiredExtensions(mint: Uint8Array): number[] {
  return listExtensions(mint).flatMap((type) => requiredAccountExtensions(type));
}

function startingState(mint: Uint8Array): number {
  const extension = findExtension(mint, EXTENSION.defaultAccountState);
  const state = extension === undefined ? STATE.initialized : (mint[extension.start] ?? 0);
  if (state > STATE.frozen) throw new InstructionError('InvalidAccountData');
  return state;
}

function warnOfPermanentDelegate(mint: Uint8Array, context: InvokeContext): void {
  const extension = findExtension(mint, EXTENSION.permanentDelegate);
  if (extension === undefined || nullableKey(mint, extension.start) === undefined) return;
  context.log('Warning: Mint has a permanent delegate, so tokens in this account may be seized at any time');
}

export function initializeMultisig(data: Uint8Array, context: InvokeContext, hasRentSysvar: boolean): void {
  assertDataLength(data, 1);
  const required = data[0] ?? 0;
  const [multisig] = takeAccounts(context.accounts, 1);
  assertToken2022(multisig);
  if (hasRentSysvar) assertRentSysvar(accountAt(context.accounts, 1));
  if (multisig.data.length !== MULTISIG.size) throw new InstructionError('InvalidArgument');
  if (multisig.data[MULTISIG.isInitialized] !== 0) throw tokenError('alreadyInUse');
  if (multisig.lamports < context.slot.minimumBalance(multisig.data.length)) throw tokenError('notRentExempt');
  const signers = context.accounts.slice(hasRentSysvar ? 2 : 1);
  const written = multisig.writableData();
  if (!isSignerCount(signers.length)) throw tokenError('invalidNumberOfProvidedSigners');
  if (!isSignerCount(required)) throw tokenError('invalidNumberOfRequiredSigners');
  written[MULTISIG.required] = required;
  written[MULTISIG.count] = signers.length;
  for (const [index, signer] of signers.entries()) written.set(signer.key, MULTISIG.signers + 32 * index);
  written[MULTISIG.isInitialized] = 1;
}

export function initializeImmutableOwner({ accounts }: InvokeContext): void {
  const account = accountAt(accounts, 0);
  assertToken2022(account);
  assertUnpacksUninitialized(account.data, 'account');
  // Looked for before it is written, so that a missing place is reported before a missing right.
  initializeExtension(account.data.slice(), EXTENSION.immutableOwner, 'account');
  initializeExtension(account.writableData(), EXTENSION.immutableOwner, 'account');
}
