import {
  SOLEND_PROGRAM,
  solendObligationLayout,
  solendObligationWithDeposit,
  solendReserveLayout,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { defineView } from '#programs/anchor/field.ts';
import { venueError } from '../integrations/venue-error.ts';
import { ofSize } from './venue-bytes.ts';

/** Solend's accounts begin with a version, which stands in for a discriminator. */
const VERSION = Uint8Array.of(1);

const reserveFields = defineView(
  solendReserveLayout,
  `
    lastUpdate.slot as lastUpdateSlot, liquidity.mintDecimals as liquidityMintDecimals,
    liquidity.availableAmount as liquidityAvailableAmount, liquidity.borrowedAmountWads as liquidityBorrowedAmountWads,
    collateral.mintTotalSupply as collateralMintTotalSupply, accumulatedProtocolFeesWads
  `,
);

/** What the program itself reads of a Solend reserve. */
export const SOLEND_RESERVE = {
  owner: SOLEND_PROGRAM,
  discriminator: VERSION,
  view: (data: Uint8Array) => reserveFields(ofSize(data, solendReserveLayout.fixedSize)),
} as const;

/** Its first deposit stands where its entries begin. */
const obligationFields = defineView(
  solendObligationWithDeposit,
  'depositsLength, borrowsLength, first.depositReserve as firstReserve, first.depositedAmount as firstDeposited',
);

/** The receipts that lie under an obligation. @throws AnchorError Solend's InvalidAccountData */
export function readSolendDeposit({ account }: NamedAccount): bigint {
  return obligationOf(account).firstDeposited;
}

/**
 * An obligation holds one deposit, in the bank's reserve, and owes nothing.
 * @throws AnchorError one of Solend's
 * @see marginfi-v2 programs/solend-mocks/src/state.rs `validate_solend_obligation`
 */
export function assertSolendObligation({ account }: NamedAccount, reserve: NamedAccount): void {
  const obligation = obligationOf(account);
  if (obligation.depositsLength !== 1) throw venueError('InvalidObligationCollateral');
  if (obligation.borrowsLength !== 0) throw venueError('InvalidObligationLiquidity');
  const isOfReserve = areBytesEqual(obligation.firstReserve, reserve.account.key);
  if (!isOfReserve || obligation.firstDeposited === 0n) throw venueError('InvalidObligationCollateral');
}

function obligationOf({ owner, data }: NamedAccount['account']) {
  const isObligation =
    owner === SOLEND_PROGRAM && data.length >= solendObligationLayout.fixedSize && data[0] === VERSION[0];
  if (!isObligation) throw venueError('InvalidAccountData');
  return obligationFields(data);
}
