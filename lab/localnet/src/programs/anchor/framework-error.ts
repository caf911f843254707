import { AnchorError, type ErrorDetails } from './anchor-error.ts';

/**
 * Anchor's own error numbers, those our programs meet.
 * @see solana-foundation/anchor lang/src/error.rs, 1.0.2
 */
const FRAMEWORK_ERRORS = {
  InstructionFallbackNotFound: 101,
  InstructionDidNotDeserialize: 102,
  EventInstructionStub: 1500,
  ConstraintMut: 2000,
  ConstraintHasOne: 2001,
  ConstraintSeeds: 2006,
  ConstraintAssociated: 2009,
  ConstraintClose: 2011,
  ConstraintAddress: 2012,
  ConstraintTokenMint: 2014,
  ConstraintTokenOwner: 2015,
  ConstraintTokenTokenProgram: 2021,
  ConstraintAssociatedTokenTokenProgram: 2023,
  ConstraintMintTokenProgram: 2022,
  ConstraintDuplicateMutableAccount: 2040,
  RequireKeysEqViolated: 2502,
  AccountDiscriminatorNotFound: 3001,
  AccountDiscriminatorMismatch: 3002,
  AccountNotEnoughKeys: 3005,
  AccountNotMutable: 3006,
  AccountOwnedByWrongProgram: 3007,
  InvalidProgramId: 3008,
  InvalidProgramExecutable: 3009,
  AccountNotSigner: 3010,
  AccountNotSystemOwned: 3011,
  AccountNotInitialized: 3012,
  AccountSysvarMismatch: 3015,
  TryingToInitPayerAsProgramAccount: 4101,
} as const;

type FrameworkErrorName = keyof typeof FRAMEWORK_ERRORS;

export function frameworkError(name: FrameworkErrorName, details?: ErrorDetails): AnchorError {
  return new AnchorError(name, FRAMEWORK_ERRORS[name], details);
}
