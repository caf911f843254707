import { klendRefreshReservesBatch } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { loadAccount } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { type PriceAccounts, takePrice } from '../prices/take-price.ts';
import { MARKET, RESERVE } from '../state/kinds.ts';
import { noteLimitsCrossed, refreshReserve } from '../steps/refresh-reserve.ts';
import { assertNoEmergency } from '../steps/reserve-open.ts';

const NO_PRICES: PriceAccounts = { pyth: null, switchboard: null, switchboardAverage: null, scope: null };

/** @see klend programs/klend/src/handlers/handler_refresh_reserves_batch.rs */
export const refreshReservesBatch = defineProgramInstruction({
  layout: klendRefreshReservesBatch,
  run(context, { skipPriceUpdates }) {
    const accounts = context.accounts.values();
    for (let next = accounts.next(); !next.done; next = accounts.next()) {
      const market = accounts.next().value;
      check(market !== undefined, 'InvalidAccountInput');
      refreshOne(context, next.value, market, skipPriceUpdates ? null : () => takePriceAccounts(context, accounts));
    }
  },
});

function refreshOne(
  context: InvokeContext,
  reserveAccount: InstructionAccount,
  marketAccount: InstructionAccount,
  pricesNext: (() => PriceAccounts) | null,
): void {
  const content = loadAccount(context, reserveAccount, RESERVE).loadMut();
  const reserve = content.read();
  check(reserve.lendingMarket === marketAccount.address, 'InvalidAccountInput');
  const loader = loadAccount(context, marketAccount, MARKET);
  assertNoEmergency(loader);
  check(reserve.version === 1n, 'ReserveDeprecated');
  const market = loader.load().read();
  const price = pricesNext === null ? null : takePrice(context, reserve, market, pricesNext());
  const refreshed = refreshReserve(reserve, market, price, context);
  content.write(noteLimitsCrossed(refreshed, context.slot.unixTimestamp));
}

/** The next four accounts; the program's own address stands for none. */
function takePriceAccounts(context: InvokeContext, accounts: Iterator<InstructionAccount, unknown>): PriceAccounts {
  const take = () => {
    const next = accounts.next();
    check(next.done !== true, 'InvalidAccountInput');
    return next.value.address === context.programId ? null : next.value;
  };
  return { ...NO_PRICES, pyth: take(), switchboard: take(), switchboardAverage: take(), scope: take() };
}
