import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';

/** Error numbers of both token programs; from 20 on Token-2022 only. */
const TOKEN_ERRORS = {
  notRentExempt: 0,
  insufficientFunds: 1,
  invalidMint: 2,
  mintMismatch: 3,
  ownerMismatch: 4,
  fixedSupply: 5,
  alreadyInUse: 6,
  invalidNumberOfProvidedSigners: 7,
  invalidNumberOfRequiredSigners: 8,
  uninitializedState: 9,
  nativeNotSupported: 10,
  nonNativeHasBalance: 11,
  invalidInstruction: 12,
  invalidState: 13,
  overflow: 14,
  authorityTypeNotSupported: 15,
  mintCannotFreeze: 16,
  accountFrozen: 17,
  mintDecimalsMismatch: 18,
  nonNativeNotSupported: 19,
  extensionTypeMismatch: 20,
  extensionBaseMismatch: 21,
  extensionAlreadyInitialized: 22,
  mintHasSupply: 28,
  noAuthorityExists: 29,
  transferFeeExceedsMaximum: 30,
  mintRequiredForTransfer: 31,
  feeMismatch: 32,
  immutableOwner: 34,
  accountHasWithheldTransferFees: 35,
  noMemo: 36,
  nonTransferable: 37,
  nonTransferableNeedsImmutableOwnership: 38,
  cpiGuardTransferBlocked: 42,
  cpiGuardBurnBlocked: 43,
  cpiGuardCloseAccountBlocked: 44,
  cpiGuardApproveBlocked: 45,
  cpiGuardSetAuthorityBlocked: 46,
  cpiGuardOwnerChangeBlocked: 47,
  extensionNotFound: 48,
  nonConfidentialTransfersDisabled: 49,
  invalidExtensionCombination: 51,
  invalidLengthForAlloc: 52,
  illegalMintBurnConversion: 60,
  mintPaused: 67,
} as const;

type TokenErrorName = keyof typeof TOKEN_ERRORS;

export function tokenError(name: TokenErrorName): InstructionError {
  return customError(TOKEN_ERRORS[name]);
}

/** What the programs log beside the number. */
const MESSAGES: readonly string[] = [
  'Lamport balance below rent-exempt threshold',
  'insufficient funds',
  'Invalid Mint',
  'Account not associated with this Mint',
  'owner does not match',
  'the total supply of this token is fixed',
  'account or token already in use',
  'Invalid number of provided signers',
  'Invalid number of required signers',
  'State is uninitialized',
  'Instruction does not support native tokens',
  'Non-native account can only be closed if its balance is zero',
  'Invalid instruction',
  'Invalid account state for operation',
  'Operation overflowed',
  'Account does not support specified authority type',
  'This token mint cannot freeze accounts',
  'Account is frozen',
  'decimals different from the Mint decimals',
  'Instruction does not support non-native tokens',
];

/** Runs a handler and logs the token error it ends with. */
export function withErrorLog(context: InvokeContext, run: () => void): void {
  try {
    run();
  } catch (error) {
    const reason = error instanceof InstructionError ? error.reason : undefined;
    const message = typeof reason === 'object' ? MESSAGES[reason.Custom] : undefined;
    if (message !== undefined) context.log(`Error: ${message}`);
    throw error;
  }
}
