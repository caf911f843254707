import { getAddressBytes, klendRefreshReserve } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireHasOne, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { takePrice } from '../prices/take-price.ts';
import { MARKET, RESERVE } from '../state/kinds.ts';
import { noteLimitsCrossed, refreshReserve } from '../steps/refresh-reserve.ts';
import { assertNoEmergency } from '../steps/reserve-open.ts';

/** @see klend programs/klend/src/handlers/handler_refresh_reserve.rs */
export const refreshReserveInstruction = defineProgramInstruction({
  layout: klendRefreshReserve,
  run(context) {
    const reader = new AccountReader(context);
    const reserve = reader.loader('reserve', RESERVE);
    const marketLoader = reader.loader('lending_market', MARKET);
    const prices = {
      pyth: reader.optional('pyth_oracle')?.account ?? null,
      switchboard: reader.optional('switchboard_price_oracle')?.account ?? null,
      switchboardAverage: reader.optional('switchboard_twap_oracle')?.account ?? null,
      scope: reader.optional('scope_prices')?.account ?? null,
    };
    requireWritable(reserve);
    const state = reserve.load().read();
    requireHasOne(reserve, getAddressBytes(state.lendingMarket), marketLoader);
    assertNoEmergency(marketLoader);
    check(reader.remaining().length === 0, 'InvalidAccountInput');
    check(state.version === 1n, 'ReserveDeprecated');
    const market = marketLoader.load().read();
    const price = takePrice(context, state, market, prices);
    const refreshed = refreshReserve(state, market, price, context);
    reserve.loadMut().write(noteLimitsCrossed(refreshed, context.slot.unixTimestamp));
  },
});
