import { juplendLiquidityUpdateExchangePrice } from '@lending/programs';
import { accrueJuplendPrices, juplendBorrowRate, juplendUtilization } from '@lending/venues';
import { isU64, writeU64 } from '#engine/bytes.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { RATE_MODEL, store, TOKEN_RESERVE } from '../accounts.ts';
import { requireMintArgument } from '../checks.ts';
import { fail } from '../juplend-error.ts';
import { accrualUnits } from '../juplend-units.ts';

/** @see fluid-solana-programs programs/liquidity/src/state/token_reserve.rs `update_exchange_prices_and_rates` */
export const updateExchangePrice = defineProgramInstruction({
  layout: juplendLiquidityUpdateExchangePrice,
  run(context, { mint }) {
    const reader = new AccountReader(context);
    const tokenReserve = reader.loader('token_reserve', TOKEN_RESERVE);
    const rateModel = reader.loader('rate_model', RATE_MODEL);
    requireWritable(tokenReserve);
    requireMintArgument(tokenReserve, tokenReserve.load().mint, mint);
    requireMintArgument(rateModel, rateModel.load().mint, mint);

    const { unixTimestamp } = context.slot;
    const before = tokenReserve.load();
    context.consume(accrualUnits(before, unixTimestamp));
    const { supply, borrow } = accrueJuplendPrices(before, unixTimestamp);
    const utilization = juplendUtilization(before, { supply, borrow });
    const borrowRate = juplendBorrowRate(rateModel.load(), utilization);
    if (!isU64(supply) || !isU64(borrow)) fail('LibraryCastingFailure');
    store(tokenReserve, TOKEN_RESERVE, {
      ...before,
      supplyExchangePrice: supply,
      borrowExchangePrice: borrow,
      lastUtilization: Number(utilization),
      borrowRate: Number(borrowRate),
      lastUpdateTimestamp: unixTimestamp,
    });
    // Two numbers of 128 bits.
    const returned = new Uint8Array(32);
    writeU64(returned, 0, supply);
    writeU64(returned, 16, borrow);
    context.setReturnData(returned);
  },
});
