import { getAddressBytes, klendRefreshObligation } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireHasOne, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { MARKET, OBLIGATION } from '../state/kinds.ts';
import { refreshObligation } from '../steps/refresh-obligation.ts';
import { assertNoEmergency } from '../steps/reserve-open.ts';

/** @see klend programs/klend/src/handlers/handler_refresh_obligation.rs */
export const refreshObligationInstruction = defineProgramInstruction({
  layout: klendRefreshObligation,
  run(context) {
    const reader = new AccountReader(context);
    const market = reader.loader('lending_market', MARKET);
    const obligation = reader.loader('obligation', OBLIGATION);
    requireWritable(obligation);
    const state = obligation.load().read();
    requireHasOne(obligation, getAddressBytes(state.lendingMarket), market);
    assertNoEmergency(market);
    const refreshed = refreshObligation(context, state, market.load().read(), reader.remaining());
    obligation.loadMut().write(refreshed);
  },
});
