import { NO_KEY, refreshSolendReserve, SOLEND_NULL_ORACLE, type SolendReserve } from '@lending/programs';
import { multiplyWads, wadsOfBps } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { type OraclePrice, readExtraOracle, readOracle } from '../oracle-price.ts';
import { check, fail } from '../solend-error.ts';
import { loadReserve, storeReserve } from '../state/reserve-state.ts';
import { refreshInterest } from '../steps/refresh-interest.ts';

const ONE_BPS = 10_000n;
/** A price offset beyond this counts as this. */
const MAX_OFFSET_BPS = 2_000n;

/** Prices first, then interest: a reserve without a price that can be used stays as it was. */
export const refreshReserve = defineProgramInstruction({
  layout: refreshSolendReserve,
  run(context) {
    const [account, pyth, switchboard] = takeAccounts(context.accounts, 3);
    const reserve = loadReserve(account);
    const { liquidity } = reserve;
    check(context, account.owner === context.programId, 'InvalidAccountOwner');
    check(context, liquidity.pythOracle === pyth.address, 'InvalidAccountInput');
    check(context, liquidity.switchboardOracle === switchboard.address, 'InvalidOracleConfig');
    const { price, average } = takePrice(context, pyth, switchboard);
    const scale = wadsOfBps(ONE_BPS + clampOffset(reserve.scaledPriceOffsetBps));
    const marketPrice = multiplyWads(price, scale);
    const averagePrice = average === null ? reserve.smoothedMarketPrice : multiplyWads(average, scale);
    storeReserve(account, {
      ...reserve,
      liquidity: { ...liquidity, marketPrice },
      // Without Pyth there is no average.
      smoothedMarketPrice: liquidity.pythOracle === SOLEND_NULL_ORACLE ? marketPrice : averagePrice,
      ...takeExtraPrice(context, reserve, context.accounts[3]),
    });
    refreshInterest(context, account);
  },
});

/** Pyth's price, or Switchboard's where Pyth has none. */
function takePrice(context: InvokeContext, pyth: InstructionAccount, switchboard: InstructionAccount): OraclePrice {
  return readOracle(context, pyth) ?? readOracle(context, switchboard) ?? fail(context, 'InvalidOracleConfig');
}

function takeExtraPrice(
  context: InvokeContext,
  { extraOracle }: SolendReserve,
  account: InstructionAccount | undefined,
): Pick<SolendReserve, 'liquidityExtraMarketPriceFlag' | 'liquidityExtraMarketPrice'> {
  if (extraOracle === NO_KEY) return { liquidityExtraMarketPriceFlag: 0, liquidityExtraMarketPrice: 0n };
  if (account?.address !== extraOracle) return fail(context, 'InvalidAccountInput');
  const price = readExtraOracle(context, account) ?? fail(context, 'InvalidOracleConfig');
  return { liquidityExtraMarketPriceFlag: 1, liquidityExtraMarketPrice: price };
}

function clampOffset(bps: bigint): bigint {
  if (bps > MAX_OFFSET_BPS) return MAX_OFFSET_BPS;
  return bps < -MAX_OFFSET_BPS ? -MAX_OFFSET_BPS : bps;
}
