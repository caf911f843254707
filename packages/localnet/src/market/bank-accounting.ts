import { floorI80F48, type I80F48, totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import type { Bank } from '@lending/programs';

/**
 * What a P0 bank's liquidity vault holds: what was deposited and not lent out, and the fees that borrowers owe the fee takers
 * until somebody collects them. Base units, rounded down.
 */
export function vaultAmountOf(bank: Bank): bigint {
  return floorI80F48(totalAssetsOf(bank) - totalLiabilitiesOf(bank) + outstandingFeesOf(bank));
}

function outstandingFeesOf(bank: Bank): I80F48 {
  return (
    bank.collectedInsuranceFeesOutstanding + bank.collectedGroupFeesOutstanding + bank.collectedProgramFeesOutstanding
  );
}
