import type { Ratio } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { LeverageAction } from '@lending/transactions';
import type { LeverageRequest } from '../build-request.ts';
import { readAmount } from '../read-amount.ts';
import type { KnownPair } from './find-pair.ts';

/** More digits behind the point change nothing that a market notices. */
const MOST_DECIMALS = 6;

/**
 * What a request asks for, in base units of both mints.
 * @throws TOOL__INPUT_INVALID for amounts that the mint has no units for, and for a leverage that borrows nothing.
 */
export function readLeverage(
  request: LeverageRequest,
  { deposit, borrow }: KnownPair,
  callName: string,
): LeverageAction {
  const banks = { depositBank: deposit.address, borrowBank: borrow.address };
  if (request.kind === 'close_position') {
    const repay = request.amount === 'all' ? 'all' : readAmount(request, borrow, callName);
    return { kind: 'close_position', ...banks, repay, surplus: request.surplus };
  }
  const principal = readAmount(request, deposit, callName);
  const leverage = readRatio(request.leverage ?? '', callName);
  const supplied = (principal * leverage.numerator) / leverage.denominator;
  if (supplied > principal) return { kind: 'loop', ...banks, principal, supplied, leverage };
  throw invalid(
    'amount',
    'is so small that the leverage buys nothing',
    'an amount whose product with leverage is a unit more than itself',
    callName,
  );
}

/** Decimal text as the ratio it says. */
function readRatio(text: string, callName: string): Ratio {
  const [, whole = '', decimals = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
  const allowed = `a number above 1 with at most ${MOST_DECIMALS} decimals, up to the max_leverage of the pair`;
  if (whole === '') throw invalid('leverage', 'is not a decimal number', allowed, callName);
  if (decimals.replace(/0+$/, '').length > MOST_DECIMALS) {
    throw invalid('leverage', 'has too many decimals', allowed, callName);
  }
  const denominator = 10n ** BigInt(decimals.length);
  const numerator = BigInt(whole + decimals);
  if (numerator > denominator) return { numerator, denominator };
  throw invalid('leverage', 'borrows nothing', `${allowed}; svc_deposit deposits without a loan`, callName);
}

function invalid(field: string, wrong: string, allowed: string, callName: string): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `${field} ${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
    context: { field, allowed },
  });
}
