import type { AccountState } from '@lending/localnet';
import {
  encodeInstruction,
  isInstructionOf,
  KLEND_PROGRAM,
  klendDepositReserveLiquidityAndObligationCollateral,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendMarketLayout,
  klendRefreshReserve,
  klendReserveLayout,
  klendWithdrawObligationCollateralAndRedeemReserveCollateral,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  NO_KEY,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';

const OLDER_FORMS = [
  [klendDepositReserveLiquidityAndObligationCollateralV2, klendDepositReserveLiquidityAndObligationCollateral],
  [
    klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
    klendWithdrawObligationCollateralAndRedeemReserveCollateral,
  ],
] as const;

/**
 * A transaction of today as the public klend takes it. It knows deposits and withdrawals in their first form alone: the same accounts
 * without the farm's three, the mint writable, and right before them a reserve refreshed by the instruction for one.
 */
export function inOlderForms(instructions: readonly Instruction[], mint: Address): readonly Instruction[] {
  const refreshObligation = instructions.filter(({ programAddress }) => programAddress === KLEND_PROGRAM)[1];
  return instructions.flatMap((instruction) => {
    const data = new Uint8Array(instruction.data ?? []);
    const forms = OLDER_FORMS.find(([newer]) => isInstructionOf(newer, data));
    if (forms === undefined || refreshObligation === undefined) return [instruction];
    const [, older] = forms;
    data.set(older.discriminator);
    const accounts = (instruction.accounts ?? []).slice(0, older.accounts.length);
    const named = (name: string) => accounts[older.accounts.findIndex((account) => account.name === name)]?.address;
    return [
      refreshOne(named('reserve') ?? named('withdrawReserve'), named('lendingMarket')),
      refreshObligation,
      {
        programAddress: KLEND_PROGRAM,
        data,
        accounts: accounts.map((meta) => (meta.address === mint ? { ...meta, role: AccountRole.WRITABLE } : meta)),
      },
    ];
  });
}

function refreshOne(reserve: Address | undefined, lendingMarket: Address | undefined): Instruction {
  if (reserve === undefined || lendingMarket === undefined) throw new TypeError('The call names no reserve');
  const feeds = { pythOracle: null, switchboardPriceOracle: null, switchboardTwapOracle: null, scopePrices: null };
  return encodeInstruction(klendRefreshReserve, KLEND_PROGRAM, { reserve, lendingMarket, ...feeds }, {});
}

/** A reserve without feeds: the ELF reads none of the forms that are still published, and asks for those that a reserve names. */
export function withoutFeeds(reserve: AccountState): AccountState {
  const codec = klendReserveLayout;
  const state = codec.decode(reserve.data);
  const { tokenInfo } = state.config;
  const blank = {
    ...tokenInfo,
    scopeConfiguration: { ...tokenInfo.scopeConfiguration, priceFeed: NO_KEY },
    switchboardConfiguration: {
      ...tokenInfo.switchboardConfiguration,
      priceAggregator: NO_KEY,
      twapAggregator: NO_KEY,
    },
    pythConfiguration: { ...tokenInfo.pythConfiguration, price: NO_KEY },
  };
  const data = codec.encode({ ...state, config: { ...state.config, tokenInfo: blank } });
  return { ...reserve, data: new Uint8Array(data) };
}

/** A market that lets prices be until they are as old as they may be. */
export function withoutRefreshTrigger(market: AccountState): AccountState {
  const codec = klendMarketLayout;
  const data = codec.encode({ ...codec.decode(market.data), priceRefreshTriggerToMaxAgePct: 100 });
  return { ...market, data: new Uint8Array(data) };
}
