/** Numbers of the extensions, as they stand before each in an account's data. */
export const EXTENSION = {
  uninitialized: 0,
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  mintCloseAuthority: 3,
  confidentialTransferMint: 4,
  confidentialTransferAccount: 5,
  defaultAccountState: 6,
  immutableOwner: 7,
  memoTransfer: 8,
  nonTransferable: 9,
  interestBearingConfig: 10,
  cpiGuard: 11,
  permanentDelegate: 12,
  nonTransferableAccount: 13,
  transferHook: 14,
  transferHookAccount: 15,
  confidentialTransferFeeConfig: 16,
  confidentialTransferFeeAmount: 17,
  metadataPointer: 18,
  tokenMetadata: 19,
  groupPointer: 20,
  tokenGroup: 21,
  groupMemberPointer: 22,
  tokenGroupMember: 23,
  confidentialMintBurn: 24,
  scaledUiAmount: 25,
  pausable: 26,
  pausableAccount: 27,
  permissionedBurn: 28,
} as const;

export type BaseKind = 'account' | 'mint';

/** The byte that says what an extended account is. */
export const ACCOUNT_TYPE = { uninitialized: 0, mint: 1, account: 2 } as const;

const ACCOUNT_EXTENSIONS: ReadonlySet<number> = new Set([
  EXTENSION.transferFeeAmount,
  EXTENSION.confidentialTransferAccount,
  EXTENSION.immutableOwner,
  EXTENSION.memoTransfer,
  EXTENSION.cpiGuard,
  EXTENSION.nonTransferableAccount,
  EXTENSION.transferHookAccount,
  EXTENSION.confidentialTransferFeeAmount,
  EXTENSION.pausableAccount,
]);

/** Bytes of each extension's value; token metadata alone has no fixed size. */
const SIZES: Readonly<Record<number, number>> = {
  [EXTENSION.uninitialized]: 0,
  [EXTENSION.transferFeeConfig]: 108,
  [EXTENSION.transferFeeAmount]: 8,
  [EXTENSION.mintCloseAuthority]: 32,
  [EXTENSION.confidentialTransferMint]: 65,
  [EXTENSION.confidentialTransferAccount]: 295,
  [EXTENSION.defaultAccountState]: 1,
  [EXTENSION.immutableOwner]: 0,
  [EXTENSION.memoTransfer]: 1,
  [EXTENSION.nonTransferable]: 0,
  [EXTENSION.interestBearingConfig]: 52,
  [EXTENSION.cpiGuard]: 1,
  [EXTENSION.permanentDelegate]: 32,
  [EXTENSION.nonTransferableAccount]: 0,
  [EXTENSION.transferHook]: 64,
  [EXTENSION.transferHookAccount]: 1,
  [EXTENSION.confidentialTransferFeeConfig]: 129,
  [EXTENSION.confidentialTransferFeeAmount]: 64,
  [EXTENSION.metadataPointer]: 64,
  [EXTENSION.groupPointer]: 64,
  [EXTENSION.tokenGroup]: 80,
  [EXTENSION.groupMemberPointer]: 64,
  [EXTENSION.tokenGroupMember]: 72,
  [EXTENSION.confidentialMintBurn]: 196,
  [EXTENSION.scaledUiAmount]: 56,
  [EXTENSION.pausable]: 33,
  [EXTENSION.pausableAccount]: 0,
  [EXTENSION.permissionedBurn]: 32,
};

export function isKnownExtension(type: number): boolean {
  return type in SIZES || type === EXTENSION.tokenMetadata;
}

/** Undefined for an extension of no fixed size. */
export function sizeOfExtension(type: number): number | undefined {
  return SIZES[type];
}

export function baseOfExtension(type: number): BaseKind | undefined {
  if (type === EXTENSION.uninitialized) return undefined;
  return ACCOUNT_EXTENSIONS.has(type) ? 'account' : 'mint';
}

/** What an account of a mint must carry because the mint carries `type`. */
export function requiredAccountExtensions(type: number): readonly number[] {
  switch (type) {
    case EXTENSION.transferFeeConfig:
      return [EXTENSION.transferFeeAmount];
    case EXTENSION.nonTransferable:
      return [EXTENSION.nonTransferableAccount, EXTENSION.immutableOwner];
    case EXTENSION.transferHook:
      return [EXTENSION.transferHookAccount];
    case EXTENSION.pausable:
      return [EXTENSION.pausableAccount];
    default:
      return [];
  }
}
