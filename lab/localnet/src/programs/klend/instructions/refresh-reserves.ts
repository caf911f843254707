import { getAddressBytes, klendRefreshReserve, klendRefreshReservesBatch } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader, loadAccount } from '#programs/anchor/account-reader.ts';
import { requireHasOne, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check, panic } from '../klend-error.ts';
import { type PriceAccounts, takePrice } from '../prices.ts';
import { MARKET, type MarketLoader, RESERVE, type ReserveLoader } from '../state/kinds.ts';
import { noteLimitsCrossed, refreshReserve } from '../steps/refresh-reserve.ts';
import { assertNoEmergency } from '../steps/reserve-open.ts';

/** @see klend programs/klend/src/handlers/handler_refresh_reserve.rs */
export const refreshReserveInstruction = defineProgramInstruction({
  layout: klendRefreshReserve,
  run(context) {
    const reader = new AccountReader(context);
    const reserve = reader.loader('reserve', RESERVE);
    const market = reader.loader('lending_market', MARKET);
    const feed = (name: string) => reader.optional(name)?.account ?? null;
    const prices = {
      pyth: feed('pyth_oracle'),
      switchboard: feed('switchboard_price_oracle'),
      others: [feed('switchboard_twap_oracle'), feed('scope_prices')],
    };
    requireWritable(reserve);
    requireHasOne(reserve, getAddressBytes(reserve.load().read().lendingMarket), market);
    assertNoEmergency(market);
    check(reader.remaining().length === 0, 'InvalidAccountInput');
    refreshOne(context, reserve, market, prices);
  },
});

/**
 * Pairs of a reserve and its market. Prices are always skipped: the program stops where they are not.
 * @see klend programs/klend/src/handlers/handler_refresh_reserves_batch.rs
 */
export const refreshReservesBatch = defineProgramInstruction({
  layout: klendRefreshReservesBatch,
  run(context, { skipPriceUpdates }) {
    if (!skipPriceUpdates) panic(context, 'prices in a batch are not modelled');
    for (let index = 0; index < context.accounts.length; index += 2) {
      const [reserveAccount, marketAccount] = context.accounts.slice(index, index + 2);
      check(reserveAccount !== undefined && marketAccount !== undefined, 'InvalidAccountInput');
      const reserve = loadAccount(context, reserveAccount, RESERVE);
      check(reserve.loadMut().read().lendingMarket === marketAccount.address, 'InvalidAccountInput');
      const market = loadAccount(context, marketAccount, MARKET);
      assertNoEmergency(market);
      refreshOne(context, reserve, market, null);
    }
  },
});

function refreshOne(
  context: InvokeContext,
  reserve: Pick<ReserveLoader, 'load' | 'loadMut'>,
  marketLoader: Pick<MarketLoader, 'load'>,
  prices: PriceAccounts | null,
): void {
  const state = reserve.load().read();
  check(state.version === 1n, 'ReserveDeprecated');
  const market = marketLoader.load().read();
  const price = prices === null ? null : takePrice(context, state, market, prices);
  const refreshed = refreshReserve(state, market, price, context);
  reserve.loadMut().write(noteLimitsCrossed(refreshed, context.slot.unixTimestamp));
}
