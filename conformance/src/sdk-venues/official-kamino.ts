import { loadSdk } from './load-sdk.ts';

/** The SDK's exact decimals; only their text is of interest. */
interface Decimal {
  toFixed(): string;
}
interface State {
  readonly lastUpdate: { readonly slot: { toString(): string } };
}
interface Reserve {
  stats: object;
  getTotalSupply(): Decimal;
  getBorrowedAmount(): Decimal;
  getEstimatedTotalSupply(slot: bigint, referralFeeBps: number): Decimal;
  getEstimatedDebtAndSupply(slot: bigint, referralFeeBps: number): { totalBorrow: Decimal };
  getCollateralExchangeRate(): Decimal;
  getDepositWithdrawalCapCapacity(): Decimal;
  getDepositWithdrawalCapCurrent(unixTimestamp: number): Decimal;
  getLiquidityAvailableForDebtReserveGivenCaps(market: object, elevationGroups: readonly number[]): readonly Decimal[];
  calculateUtilizationRatio(): number;
  calculateBorrowAPR(slot: bigint, referralFeeBps: number): number;
  calculateBorrowAPRFixedRate(): number;
  calculateSupplyAPR(slot: bigint, referralFeeBps: number): number;
  totalBorrowAPY(slot: bigint): number;
  totalSupplyAPY(slot: bigint): number;
}
interface ReserveCodec {
  decode(data: Buffer): State;
}
type ReserveClass = new (state: State, address: string, price: undefined, rpc: undefined, slotMs: number) => Reserve;

const { KaminoReserve, codec } = loadSdk((require) => {
  const { KaminoReserve } = require('@kamino-finance/klend-sdk/dist/classes/reserve') as {
    KaminoReserve: ReserveClass;
  };
  const { Reserve } = require('@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Reserve') as {
    Reserve: ReserveCodec;
  };
  return { KaminoReserve, codec: Reserve };
});

export interface KaminoRead {
  readonly slotMs: number;
  readonly unixTimestamp: bigint;
}

/** What `@kamino-finance/klend-sdk` makes of a reserve's bytes, at its own last update. Amounts are base units as decimal text. */
export function officialKamino(data: Uint8Array, { slotMs, unixTimestamp }: KaminoRead) {
  const state = codec.decode(Buffer.from(data));
  const reserve = new KaminoReserve(state, '', undefined, undefined, slotMs);
  reserve.stats = {};
  const slot = BigInt(state.lastUpdate.slot.toString());
  const seconds = Number(unixTimestamp);
  return {
    borrowApr: reserve.calculateBorrowAPR(slot, 0),
    depositApr: reserve.calculateSupplyAPR(slot, 0),
    borrowApy: reserve.totalBorrowAPY(slot),
    depositApy: reserve.totalSupplyAPY(slot),
    utilization: reserve.calculateUtilizationRatio(),
    deposits: reserve.getTotalSupply().toFixed(),
    borrows: reserve.getBorrowedAmount().toFixed(),
    /** cTokens for one token: the other way round than ours. */
    cTokensPerToken: Number(reserve.getCollateralExchangeRate().toFixed()),
    withdrawCap: {
      capacity: reserve.getDepositWithdrawalCapCapacity().toFixed(),
      used: reserve.getDepositWithdrawalCapCurrent(seconds).toFixed(),
    },
    fixedBorrowApr: () => reserve.calculateBorrowAPRFixedRate(),
    debtAfter: (slots: bigint) => reserve.getEstimatedDebtAndSupply(slot + slots, 0).totalBorrow.toFixed(),
    /** For somebody outside elevation groups. */
    borrowRoom: reserve.getLiquidityAvailableForDebtReserveGivenCaps(NO_GROUPS, [0])[0]?.toFixed() ?? '',
  };
}

/** A market without elevation groups, as far as the SDK asks for it. */
const NO_GROUPS = {
  getMarketElevationGroupDescriptions: () => [],
  getElevationGroupsForReservesCombination: () => [],
};
