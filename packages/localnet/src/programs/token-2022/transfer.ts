import { isU64, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import { tokenError } from '../token/token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  isFrozen,
  isKeyAt,
  keyAt,
  MINT,
  setAmount,
  TAG_BYTES,
} from '../token/token-state.ts';
import { assertToken2022, loadBase } from './call.ts';
import { findExtension, hasExtension } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { isSome, nullableKey, setOptionalKey } from './optional-field.ts';
import { computeTransferFee } from './transfer-fee.ts';

export interface TransferTerms {
  readonly amount: bigint;
  /** Undefined in the first generation of the instruction, which names no mint. */
  readonly decimals: number | undefined;
  /** The fee the sender expects; undefined where the instruction does not say. */
  readonly fee: bigint | undefined;
}

/** What the mint asks of a transfer. */
interface MintTerms {
  readonly fee: bigint;
  readonly permanentDelegate: Uint8Array | undefined;
  readonly hookProgram: Uint8Array | undefined;
}

export function transfer(context: InvokeContext, terms: TransferTerms): void {
  const { accounts } = context;
  const positions = terms.decimals === undefined ? 3 : 4;
  takeAccounts(accounts, positions);
  const source = accountAt(accounts, 0);
  const destination = accountAt(accounts, positions - 2);
  const authority = accountAt(accounts, positions - 1);
  assertToken2022(source);
  assertToken2022(destination);
  const from = loadBase(source, 'account');
  if (isFrozen(from)) throw tokenError('accountFrozen');
  if (amountOf(from) < terms.amount) throw tokenError('insufficientFunds');
  if (hasExtension(from, EXTENSION.nonTransferableAccount)) throw tokenError('nonTransferable');
  const mint =
    terms.decimals === undefined ? termsWithoutMint(from) : termsOfMint(context, accountAt(accounts, 1), from, terms);
  if (terms.fee !== undefined && terms.fee !== mint.fee) {
    context.log(`Calculated fee ${mint.fee}, received ${terms.fee}`);
    throw tokenError('feeMismatch');
  }
  const isSelf = source.isSameAs(destination);
  if (isKeyAt(from, ACCOUNT.owner, authority)) assertNotGuarded(context, from, 'cpiGuardTransferBlocked');
  spend(source, authority, accounts.slice(positions), terms.amount, mint.permanentDelegate, isSelf);
  if (isSelf) {
    assertMemoNotRequired(from);
    return;
  }

  assertReceives(source, destination);
  move(source, destination, terms.amount, mint.fee);
  if (mint.hookProgram === undefined) return;
  context.log('Transfer hooks are not part of this local chain');
  throw new InstructionError('UnsupportedProgramId');
}

function termsWithoutMint(from: Uint8Array): MintTerms {
  const needsMint = [EXTENSION.transferHookAccount, EXTENSION.transferFeeAmount, EXTENSION.pausableAccount];
  if (needsMint.some((type) => hasExtension(from, type))) throw tokenError('mintRequiredForTransfer');
  return { fee: 0n, permanentDelegate: undefined, hookProgram: undefined };
}

function termsOfMint(
  context: InvokeContext,
  mint: InstructionAccount,
  from: Uint8Array,
  terms: TransferTerms,
): MintTerms {
  assertToken2022(mint);
  if (!isKeyAt(from, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  const data = loadBase(mint, 'mint');
  if (terms.decimals !== data[MINT.decimals]) throw tokenError('mintDecimalsMismatch');
  const feeConfig = findExtension(data, EXTENSION.transferFeeConfig);
  const fee =
    feeConfig === undefined ? 0n : computeTransferFee(data, feeConfig.start, context.slot.epoch, terms.amount);
  assertNotPaused(data);
  const hook = findExtension(data, EXTENSION.transferHook);
  return {
    fee,
    permanentDelegate: permanentDelegateOf(data),
    hookProgram: hook === undefined ? undefined : nullableKey(data, hook.start + 32),
  };
}

function assertReceives(source: InstructionAccount, destination: InstructionAccount): void {
  const to = loadBase(destination, 'account');
  if (isFrozen(to)) throw tokenError('accountFrozen');
  if (Buffer.compare(keyAt(source.data, ACCOUNT.mint), keyAt(to, ACCOUNT.mint)) !== 0) throw tokenError('mintMismatch');
  assertMemoNotRequired(to);
  const confidential = findExtension(to, EXTENSION.confidentialTransferAccount);
  // The last flag but one of the confidential state: whether ordinary transfers may come in.
  if (confidential !== undefined && to[confidential.start + CONFIDENTIAL_ALLOWS_ORDINARY] === 0) {
    throw tokenError('nonConfidentialTransfersDisabled');
  }
}

/** Offset in the confidential state: approved 1, key 32, three ciphertexts 64, one of 36, allows confidential 1. */
const CONFIDENTIAL_ALLOWS_ORDINARY = 1 + 32 + 3 * 64 + 36 + 1;

function move(source: InstructionAccount, destination: InstructionAccount, amount: bigint, fee: bigint): void {
  const sent = source.writableData();
  setAmount(sent, amountOf(sent) - amount);
  const received = destination.writableData();
  const total = amountOf(received) + amount - fee;
  if (!isU64(total)) throw tokenError('overflow');
  setAmount(received, total);
  if (fee > 0n) {
    const withheld = findExtension(received, EXTENSION.transferFeeAmount);
    if (withheld === undefined) throw tokenError('invalidState');
    const kept = readU64(received, withheld.start) + fee;
    if (!isU64(kept)) throw tokenError('overflow');
    writeU64(received, withheld.start, kept);
  }
  if (!isSome(sent, ACCOUNT.isNative)) return;
  if (source.lamports < amount || !isU64(destination.lamports + amount)) throw tokenError('overflow');
  source.lamports -= amount;
  destination.lamports += amount;
}

/** Checks who spends, and takes a delegate's share off its allowance. The mint's permanent delegate has no limit. */
export function spend(
  source: InstructionAccount,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
  amount: bigint,
  permanentDelegate: Uint8Array | undefined,
  isSelfTransfer: boolean,
): void {
  const { data } = source;
  if (permanentDelegate !== undefined && Buffer.compare(permanentDelegate, authority.key) === 0) {
    assertAuthority(permanentDelegate, authority, signers);
    return;
  }
  const isDelegate = isSome(data, ACCOUNT.delegate) && isKeyAt(data, ACCOUNT.delegate + TAG_BYTES, authority);
  if (!isDelegate) {
    assertAuthority(keyAt(data, ACCOUNT.owner), authority, signers);
    return;
  }
  assertAuthority(authority.key, authority, signers);
  const allowance = readU64(data, ACCOUNT.delegatedAmount) - amount;
  if (allowance < 0n) throw tokenError('insufficientFunds');
  if (isSelfTransfer) return;
  const written = source.writableData();
  writeU64(written, ACCOUNT.delegatedAmount, allowance);
  if (allowance === 0n) setOptionalKey(written, ACCOUNT.delegate, null);
}

export function permanentDelegateOf(mint: Uint8Array): Uint8Array | undefined {
  const extension = findExtension(mint, EXTENSION.permanentDelegate);
  return extension === undefined ? undefined : nullableKey(mint, extension.start);
}

/** @throws InstructionError when the mint's pause switch is on. */
export function assertNotPaused(mint: Uint8Array): void {
  const pausable = findExtension(mint, EXTENSION.pausable);
  if (pausable !== undefined && mint[pausable.start + 32] !== 0) throw tokenError('mintPaused');
}

type GuardError =
  | 'cpiGuardApproveBlocked'
  | 'cpiGuardBurnBlocked'
  | 'cpiGuardCloseAccountBlocked'
  | 'cpiGuardTransferBlocked';

/** @throws InstructionError when the account's owner forbade this inside another program's call. */
export function assertNotGuarded(context: InvokeContext, account: Uint8Array, error: GuardError): void {
  if (isGuarded(account) && context.stackHeight > 1) throw tokenError(error);
}

export function isGuarded(account: Uint8Array): boolean {
  const guard = findExtension(account, EXTENSION.cpiGuard);
  return guard !== undefined && account[guard.start] !== 0;
}

/** Accounts may ask for a memo in front of what they receive. The model does not look for one and refuses. */
function assertMemoNotRequired(account: Uint8Array): void {
  const memo = findExtension(account, EXTENSION.memoTransfer);
  if (memo !== undefined && account[memo.start] !== 0) throw tokenError('noMemo');
}
