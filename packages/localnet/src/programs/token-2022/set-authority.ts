import { writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { takeAccounts } from '../account-list.ts';
import { tokenError } from '../token/token-error.ts';
import { ACCOUNT, assertAuthority, isFrozen, keyAt, MINT } from '../token/token-state.ts';
import { assertToken2022, parseOptionalKey } from './call.ts';
import { getExtension, hasExtension, isUnpackable } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { isSome, nullableKey, optionalKey, setNullableKey, setOptionalKey } from './optional-field.ts';
import { isGuarded } from './transfer.ts';

const KIND = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 } as const;

/** Authorities that live in an extension of the mint, by number: the extension, and where in it. */
const EXTENSION_AUTHORITIES: Readonly<Record<number, readonly [type: number, offset: number]>> = {
  4: [EXTENSION.transferFeeConfig, 0],
  5: [EXTENSION.transferFeeConfig, 32],
  6: [EXTENSION.mintCloseAuthority, 0],
  7: [EXTENSION.interestBearingConfig, 0],
  8: [EXTENSION.permanentDelegate, 0],
  9: [EXTENSION.confidentialTransferMint, 0],
  10: [EXTENSION.transferHook, 0],
  11: [EXTENSION.confidentialTransferFeeConfig, 0],
  12: [EXTENSION.metadataPointer, 0],
  13: [EXTENSION.groupPointer, 0],
  14: [EXTENSION.groupMemberPointer, 0],
  15: [EXTENSION.scaledUiAmount, 0],
  16: [EXTENSION.pausable, 0],
  17: [EXTENSION.permissionedBurn, 0],
};

interface Change {
  readonly context: InvokeContext;
  readonly kind: number;
  readonly target: InstructionAccount;
  readonly current: InstructionAccount;
  readonly signers: readonly InstructionAccount[];
  readonly next: Uint8Array | null;
}

export function setAuthority(data: Uint8Array, context: InvokeContext): void {
  const [kind] = data;
  if (kind === undefined) throw new InstructionError('InvalidInstructionData');
  const next = parseOptionalKey(data.subarray(1));
  if (kind > KIND.closeAccount && EXTENSION_AUTHORITIES[kind] === undefined) throw tokenError('invalidInstruction');
  const [target, current] = takeAccounts(context.accounts, 2);
  assertToken2022(target);
  const change: Change = { context, kind, target, current, signers: context.accounts.slice(2), next };
  if (isUnpackable(target.data, 'account')) {
    setAccountAuthority(change);
    return;
  }
  if (isUnpackable(target.data, 'mint')) {
    setMintAuthority(change);
    return;
  }
  throw new InstructionError('InvalidAccountData');
}

function setAccountAuthority(change: Change): void {
  const { target, kind } = change;
  if (isFrozen(target.data)) throw tokenError('accountFrozen');
  if (kind === KIND.accountOwner) {
    setOwner(change);
    return;
  }
  if (kind === KIND.closeAccount) {
    setCloseAuthority(change);
    return;
  }
  throw tokenError('authorityTypeNotSupported');
}

function setOwner({ context, target, current, signers, next }: Change): void {
  const { data } = target;
  assertAuthority(keyAt(data, ACCOUNT.owner), current, signers);
  if (hasExtension(data, EXTENSION.immutableOwner)) throw tokenError('immutableOwner');
  if (isGuarded(data)) {
    throw tokenError(context.stackHeight > 1 ? 'cpiGuardSetAuthorityBlocked' : 'cpiGuardOwnerChangeBlocked');
  }
  if (next === null) throw tokenError('invalidInstruction');
  const written = target.writableData();
  written.set(next, ACCOUNT.owner);
  setOptionalKey(written, ACCOUNT.delegate, null);
  writeU64(written, ACCOUNT.delegatedAmount, 0n);
  if (isSome(written, ACCOUNT.isNative)) setOptionalKey(written, ACCOUNT.closeAuthority, null);
}

function setCloseAuthority({ context, target, current, signers, next }: Change): void {
  const { data } = target;
  const closer = optionalKey(data, ACCOUNT.closeAuthority) ?? keyAt(data, ACCOUNT.owner);
  assertAuthority(closer, current, signers);
  if (isGuarded(data) && context.stackHeight > 1 && next !== null) throw tokenError('cpiGuardSetAuthorityBlocked');
  setOptionalKey(target.writableData(), ACCOUNT.closeAuthority, next);
}

function setMintAuthority(change: Change): void {
  const { target, kind, current, signers, next } = change;
  if (kind === KIND.mintTokens || kind === KIND.freezeAccount) {
    const offset = kind === KIND.mintTokens ? MINT.authority : MINT.freezeAuthority;
    const authority = optionalKey(target.data, offset);
    if (authority === undefined) throw tokenError(kind === KIND.mintTokens ? 'fixedSupply' : 'mintCannotFreeze');
    assertAuthority(authority, current, signers);
    setOptionalKey(target.writableData(), offset, next);
    return;
  }
  const place = EXTENSION_AUTHORITIES[kind];
  if (place === undefined) throw tokenError('authorityTypeNotSupported');
  const [type, fieldOffset] = place;
  const offset = getExtension(target.data, type).start + fieldOffset;
  const authority = nullableKey(target.data, offset);
  if (authority === undefined) throw tokenError('authorityTypeNotSupported');
  assertAuthority(authority, current, signers);
  setNullableKey(target.writableData(), offset, next);
}
