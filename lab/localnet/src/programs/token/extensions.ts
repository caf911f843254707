import { transferFeeConfigLayout } from '@lending/programs';
import { readU16, writeU16 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { ACCOUNT, MINT, STATE } from './token-state.ts';

/** Numbers of the extensions that a program of the local chain knows, as they stand before each in an account's data. */
export const EXTENSION = {
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  mintCloseAuthority: 3,
  confidentialTransferMint: 4,
  confidentialTransferAccount: 5,
  defaultAccountState: 6,
  immutableOwner: 7,
  permanentDelegate: 12,
  transferHook: 14,
  transferHookAccount: 15,
  confidentialTransferFeeConfig: 16,
  confidentialTransferFeeAmount: 17,
  metadataPointer: 18,
  tokenMetadata: 19,
  scaledUiAmount: 25,
  pausable: 26,
  pausableAccount: 27,
} as const;

export type BaseKind = 'account' | 'mint';

/** An extended account has a byte that says what it is behind the size of a token account, mints too; extensions follow. */
const TYPE_OFFSET = ACCOUNT.size;
const ACCOUNT_TYPE = { mint: 1, account: 2 } as const;
const EXTENSIONS_START = TYPE_OFFSET + 1;
/** Bytes in front of an extension's value: its type and its length. */
const HEADER = 4;

/** Bytes of the extensions that the model writes into a token account. */
const SIZES: Readonly<Record<number, number>> = {
  [EXTENSION.transferFeeAmount]: 8,
  [EXTENSION.immutableOwner]: 0,
  [EXTENSION.transferHookAccount]: 1,
};

/** What an account of a mint must carry because of an extension of the mint. */
const CARRIED: Readonly<Record<number, number>> = {
  [EXTENSION.transferFeeConfig]: EXTENSION.transferFeeAmount,
  [EXTENSION.transferHook]: EXTENSION.transferHookAccount,
};

/** Extensions that the model honours, or that change nothing about a transfer, a mint or a burn. */
const MODELLED: Readonly<Record<BaseKind, ReadonlySet<number>>> = {
  mint: new Set([
    EXTENSION.transferFeeConfig,
    EXTENSION.mintCloseAuthority,
    EXTENSION.confidentialTransferMint,
    EXTENSION.permanentDelegate,
    EXTENSION.transferHook,
    EXTENSION.confidentialTransferFeeConfig,
    EXTENSION.metadataPointer,
    EXTENSION.tokenMetadata,
  ]),
  account: new Set([EXTENSION.transferFeeAmount, EXTENSION.immutableOwner, EXTENSION.transferHookAccount]),
};
/** Where a hook names its program; zeros are none. */
const HOOK_PROGRAM = 32;

/** An extension, and where its value stands. */
interface Extension {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Checks that the data is an initialised account or mint, extensions or not.
 * @throws InstructionError
 */
export function assertUnpacks(data: Uint8Array, kind: BaseKind): void {
  const size = kind === 'mint' ? MINT.size : ACCOUNT.size;
  if (data.length < size) throw new InstructionError('InvalidAccountData');
  const state = data[kind === 'mint' ? MINT.isInitialized : ACCOUNT.state] ?? 0;
  if (state === 0 || state > STATE.frozen) throw new InstructionError('UninitializedAccount');
  if (data.length > size && data[TYPE_OFFSET] !== ACCOUNT_TYPE[kind]) throw new InstructionError('InvalidAccountData');
}

export function isUnpackable(data: Uint8Array, kind: BaseKind): boolean {
  try {
    assertUnpacks(data, kind);
    return true;
  } catch {
    return false;
  }
}

/** Extension types in the order they stand. @throws InstructionError `InvalidAccountData` */
export function listExtensions(data: Uint8Array): number[] {
  return [...readExtensions(data)].map(({ type }) => type);
}

/** Where an extension's value stands, or undefined where the account has none. */
export function findExtension(data: Uint8Array, type: number): Extension | undefined {
  for (const extension of readExtensions(data)) if (extension.type === type) return extension;
  return undefined;
}

function* readExtensions(data: Uint8Array): Generator<Extension> {
  let offset = EXTENSIONS_START;
  while (offset + HEADER <= data.length && readU16(data, offset) !== 0) {
    const start = offset + HEADER;
    const end = start + readU16(data, offset + 2);
    if (end > data.length) throw new InstructionError('InvalidAccountData');
    yield { type: readU16(data, offset), start, end };
    offset = end;
  }
}

/**
 * Refuses what has an extension that would change what the model does.
 * @throws InstructionError `UnsupportedProgramId`, with a log line that names the extension
 */
export function assertModelled(context: InvokeContext, data: Uint8Array, kind: BaseKind): void {
  for (const { type, start, end } of readExtensions(data)) {
    const isIdle =
      type !== EXTENSION.transferHook || data.subarray(start + HOOK_PROGRAM, end).every((byte) => byte === 0);
    if (isIdle && MODELLED[kind].has(type)) continue;
    context.log(`Extension ${type} of a Token-2022 ${kind} is not part of this local chain`);
    throw new InstructionError('UnsupportedProgramId');
  }
}

/** What the accounts of a mint carry. */
export function carriedExtensions(mint: Uint8Array): readonly number[] {
  return listExtensions(mint).flatMap((type) => CARRIED[type] ?? []);
}

/** Bytes of a token account with these extensions, and no other. @throws InstructionError */
export function computeAccountLength(types: readonly number[]): number {
  const distinct = new Set(types);
  if (distinct.size === 0) return ACCOUNT.size;
  return [...distinct].reduce((length, type) => length + HEADER + sizeOf(type), EXTENSIONS_START);
}

/** Writes an extension of zeros into the first free place of a token account, unless it is there. @throws InstructionError */
export function addExtension(data: Uint8Array, type: number): void {
  if (findExtension(data, type) !== undefined) return;
  const start = [...readExtensions(data)].at(-1)?.end ?? EXTENSIONS_START;
  if (start + HEADER + sizeOf(type) > data.length) throw new InstructionError('InvalidAccountData');
  writeU16(data, start, type);
  writeU16(data, start + 2, sizeOf(type));
}

/** Marks the data as a token account. Plain accounts have no room for the mark and need none. */
export function markAccount(data: Uint8Array): void {
  if (data.length > ACCOUNT.size) data[TYPE_OFFSET] = ACCOUNT_TYPE.account;
}

function sizeOf(type: number): number {
  const size = SIZES[type];
  if (size === undefined) throw new InstructionError('InvalidArgument');
  return size;
}

export interface FeeRate {
  readonly maximumFee: bigint;
  readonly basisPoints: number;
}

const MAX_BASIS_POINTS = 10_000n;

/** The rate that holds in an epoch: the older one until the newer one begins. `start` is where the mint's fee settings stand. */
export function rateInEpoch(mint: Uint8Array, start: number, epoch: bigint): FeeRate {
  const { olderTransferFee, newerTransferFee } = transferFeeConfigLayout.decode(mint, start);
  const { maximumFee, transferFeeBasisPoints } = epoch >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  return { maximumFee, basisPoints: transferFeeBasisPoints };
}

/** What a mint keeps from a transfer in an epoch, rounded up, at most the maximum; 0 where it keeps nothing. */
export function computeTransferFee(mint: Uint8Array, epoch: bigint, amount: bigint): bigint {
  const config = findExtension(mint, EXTENSION.transferFeeConfig);
  if (config === undefined) return 0n;
  const { maximumFee, basisPoints } = rateInEpoch(mint, config.start, epoch);
  const fee = (amount * BigInt(basisPoints) + MAX_BASIS_POINTS - 1n) / MAX_BASIS_POINTS;
  return fee < maximumFee ? fee : maximumFee;
}
