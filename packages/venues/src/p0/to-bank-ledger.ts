import { addI80F48, type BankLedger, U64_MAX } from '@lending/domain';
import { BANK_OPERATIONAL_STATES } from '@lending/programs';
import type { P0Bank } from './bank.ts';
import { accrueP0Bank, type GroupTerms } from './to-risk-balances.ts';

/** No state of the program's: whoever asks whether an action passes is told that it does not. */
const UNKNOWN_STATE = 255;

/** A bank's books, and until when its interest is in them. */
type AccruedLedger = BankLedger & { readonly lastUpdate: bigint };

/**
 * A bank's books as its account has them, accrued to a moment with its fees booked. A bank that cannot be accrued stays as it is; one
 * on the old curve is accrued as its rates say, though 0.1.9 would first have its curve migrated.
 */
export function toBankLedger(
  bank: P0Bank,
  { programFee }: Pick<GroupTerms, 'programFee'>,
  unixTimestamp: bigint,
): AccruedLedger {
  const stored = storedLedger(bank);
  const accrued = accrueP0Bank(bank, programFee, unixTimestamp);
  if (accrued === null) return stored;
  return {
    ...stored,
    assetShareValue: accrued.assetShareValue,
    liabilityShareValue: accrued.liabilityShareValue,
    lastUpdate: accrued.lastUpdate,
    collectedInsuranceFeesOutstanding: addI80F48(stored.collectedInsuranceFeesOutstanding, accrued.insuranceFees),
    collectedGroupFeesOutstanding: addI80F48(stored.collectedGroupFeesOutstanding, accrued.groupFees),
    collectedProgramFeesOutstanding: addI80F48(stored.collectedProgramFeesOutstanding, accrued.programFees),
  };
}

function storedLedger(bank: P0Bank): AccruedLedger {
  const { feesOutstanding, positionCounts, operationalState, assetTag } = bank;
  const state = (BANK_OPERATIONAL_STATES as readonly string[]).indexOf(operationalState);
  return {
    mintDecimals: bank.decimals,
    ...bank.shares,
    collectedInsuranceFeesOutstanding: feesOutstanding.insurance,
    collectedGroupFeesOutstanding: feesOutstanding.group,
    collectedProgramFeesOutstanding: feesOutstanding.program,
    lendingPositionCount: positionCounts.lending,
    borrowingPositionCount: positionCounts.borrowing,
    flags: bank.flags,
    config: {
      depositLimit: bank.depositLimit ?? U64_MAX,
      borrowLimit: bank.borrowLimit ?? U64_MAX,
      operationalState: state < 0 ? UNKNOWN_STATE : state,
      assetTag,
      interestRateConfig: { protocolOriginationFee: bank.originationFee },
    },
    rateLimiter: bank.rateLimiter,
  };
}
