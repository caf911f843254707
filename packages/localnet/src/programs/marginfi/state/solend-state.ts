import { SOLEND_OBLIGATION_SIZE, SOLEND_PROGRAM, SOLEND_RESERVE_SIZE } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { defineView, key, u8, u64, type View } from '#programs/anchor/field.ts';
import { venueError } from '../integrations/venue-error.ts';
import { u128 } from './u128.ts';
import { ofSize } from './venue-bytes.ts';

/** Solend's accounts begin with a version, which stands in for a discriminator. */
const VERSION = Uint8Array.of(1);

const RESERVE_FIELDS = {
  lastUpdateSlot: u64(1),
  liquidityMintDecimals: u8(74),
  liquidityAvailableAmount: u64(171),
  liquidityBorrowedAmountWads: u128(179),
  collateralMintTotalSupply: u64(259),
  accumulatedProtocolFeesWads: u128(373),
} as const;

const reserveFields = defineView(RESERVE_FIELDS);

/** What the program itself reads of a Solend reserve. */
export const SOLEND_RESERVE = {
  owner: SOLEND_PROGRAM,
  discriminator: VERSION,
  view: (data: Uint8Array): View<typeof RESERVE_FIELDS> => reserveFields(ofSize(data, SOLEND_RESERVE_SIZE)),
} as const;

const obligationFields = defineView({
  depositsLength: u8(202),
  borrowsLength: u8(203),
  firstReserve: key(204),
  firstDeposited: u64(236),
});

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
  const isObligation = owner === SOLEND_PROGRAM && data.length >= SOLEND_OBLIGATION_SIZE && data[0] === VERSION[0];
  if (!isObligation) throw venueError('InvalidAccountData');
  return obligationFields(data);
}
