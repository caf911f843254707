import type { I80F48, InterestFee } from '@lending/domain';
import { feeStateLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';

/** What the whole program charges and whether it is paused. Groups hold copies, which are what counts until someone refreshes them. */
export interface P0FeeState {
  readonly address: Address;
  readonly feeWallet: Address;
  /** What borrowers pay above a group's fees, in groups that charge it. */
  readonly programFee: InterestFee;
  /** What a liquidator in receivership may take above what it repays, as a fraction. */
  readonly liquidationMaxFee: I80F48;
  readonly liquidationFeeLamports: number;
  readonly bankInitFeeLamports: number;
  readonly orderInitFeeLamports: number;
  readonly orderExecutionMaxFee: I80F48;
  /** When the pause began (unix seconds), null when the pause flag is not set. */
  readonly pauseStart: bigint | null;
}

const PAUSED = 1;

/**
 * Reads the program's fee state.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeFeeState(account: AccountBytes, programId: Address): P0FeeState {
  const state = decodeAccount(account, { kind: 'fee state', owner: programId }, feeStateLayout);
  return {
    address: account.address,
    feeWallet: state.globalFeeWallet,
    programFee: { rate: state.programFeeRate, fixedApr: state.programFeeFixed },
    liquidationMaxFee: state.liquidationMaxFee,
    liquidationFeeLamports: state.liquidationFlatSolFee,
    bankInitFeeLamports: state.bankInitFlatSolFee,
    orderInitFeeLamports: state.orderInitFlatSolFee,
    orderExecutionMaxFee: state.orderExecutionMaxFee,
    pauseStart: (state.panicState.pauseFlags & PAUSED) === 0 ? null : state.panicState.pauseStartTimestamp,
  };
}
