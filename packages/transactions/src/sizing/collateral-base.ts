import { amountAfterFee, assetAmountOf, floorI80F48 } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { toBankLedger } from '@lending/venues';
import { unitsOf } from '#checks/bank-units.ts';
import type { LeverageState } from '#live/leverage-state.ts';

/**
 * Base units that the wallet would get for all that the account holds in the deposit bank, whether or not so much can leave it now; zero
 * where it holds nothing.
 */
export function collateralBase({ accounts, account, group, collateral }: LeverageState): bigint {
  const { bank, mint } = collateral.live;
  const balance = account.state?.balances.find((each) => each.bank === bank.address);
  if (balance === undefined) return 0n;
  const ledger = toBankLedger(bank, group, accounts.unixTimestamp);
  const books = floorI80F48(assetAmountOf(ledger, balance.assetShares));
  const units = unitsOf(collateral.live, accounts);
  if (units === null) return amountAfterFee(mint.transferFee, books);
  try {
    return units.worth(books);
  } catch (error) {
    // A receipt that is worth nothing: the venue's own check names it.
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return 0n;
    throw error;
  }
}
