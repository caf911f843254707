import { assetAmountOf, floorI80F48, type I80F48 } from '@lending/domain';
import {
  juplendLendingLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  klendMarketLayout,
  klendReserveLayout,
  mintLayout,
} from '@lending/programs';
import {
  accrueKaminoReserve,
  juplendAssetsOf,
  kaminoCTokenRate,
  kaminoLiquidityOfCTokens,
  type P0Bank,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { computeEpoch } from '#ledger/chain-parameters.ts';
import { venueAccountOf } from '#market/venue-instructions/integration-accounts.ts';
import { juplendSupplyRate, kaminoSupplyRate, nativeSupplyRate } from '#programs/marginfi/rebalance/supply-rates.ts';
import type { MarketView } from './market-view.ts';

/** What a bank's lenders would earn a year with so many base units more deposited, as the program compares it; 1 is 100 %. */
export function supplyRate(view: MarketView, bank: P0Bank, extraBase: bigint): I80F48 {
  switch (bank.venue) {
    case 'p0':
      return nativeSupplyRate(view.sharesNow(bank), bank.curve, extraBase);
    case 'kamino': {
      const { reserve, market } = kaminoOf(view, bank);
      return kaminoSupplyRate(reserve, market.reserveRewardsMaxAprBps, extraBase) ?? 0n;
    }
    case 'juplend': {
      const lending = juplendLendingLayout.decode(view.read(venueAccountOf(bank)));
      const reserve = juplendTokenReserveLayout.decode(view.read(lending.tokenReservesLiquidity));
      const rewards = juplendRewardsRateModelLayout.decode(view.read(lending.rewardsRateModel));
      const fTokenSupply = mintLayout.decode(view.read(lending.fTokenMint)).supply;
      return juplendSupplyRate({ lending, reserve, rewards, fTokenSupply }, extraBase, view.moment.unixTimestamp);
    }
    default:
      throw new TypeError(`The program compares no rate of the bank ${bank.address} on ${bank.venue}`);
  }
}

/** Shares that leave a bank at once, in what its withdrawals count, and the base units that arrive for them. */
export interface Withdrawable {
  readonly amount: bigint | 'all';
  readonly tokens: bigint;
}

/** All that an account has in a bank; but for Kamino's, less a thousandth, since interest moves the amount until it lands. */
export function withdrawable(view: MarketView, account: Address, bank: P0Bank): Withdrawable {
  const shares = view.account(account)?.balances.find((balance) => balance.bank === bank.address)?.assetShares ?? 0n;
  const receipts = floorI80F48(assetAmountOf(bank.shares, shares));
  if (bank.venue === 'kamino') {
    const { accrued } = kaminoOf(view, bank);
    return { amount: 'all', tokens: kaminoLiquidityOfCTokens(kaminoCTokenRate(accrued), receipts) };
  }
  const tokens = bank.venue === 'juplend' ? juplendTokens(view, bank, receipts) : receipts;
  const moved = tokens - tokens / 1_000n;
  return { amount: moved, tokens: moved };
}

function kaminoOf(view: MarketView, bank: P0Bank) {
  const reserve = klendReserveLayout.decode(view.read(venueAccountOf(bank)));
  const market = klendMarketLayout.decode(view.read(reserve.lendingMarket));
  const { slot, unixTimestamp } = view.moment;
  const accrued = accrueKaminoReserve(reserve, market, { slot, unixTimestamp, epoch: computeEpoch(slot) });
  return { reserve, market, accrued };
}

function juplendTokens(view: MarketView, bank: P0Bank, fTokens: bigint): bigint {
  return juplendAssetsOf(fTokens, juplendLendingLayout.decode(view.read(venueAccountOf(bank))).tokenExchangePrice);
}
