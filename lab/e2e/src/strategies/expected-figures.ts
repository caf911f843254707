import type { ListedStrategy } from './read-strategies.ts';

/** Of a bank's record: what leverage and rates follow from. */
export interface BankFacts {
  readonly address: string;
  readonly mint: string;
  readonly risk_tier: string;
  readonly weights: {
    readonly asset_weight_init: number;
    readonly asset_weight_maint: number;
    readonly liability_weight_init: number | null;
    readonly liability_weight_maint: number | null;
  };
  readonly emode: {
    readonly tag: number;
    readonly entries: readonly {
      readonly collateral_tag: number;
      readonly asset_weight_init: number;
      readonly asset_weight_maint: number;
    }[];
  } | null;
  readonly rates: {
    readonly interest_deposit_apy_pct: number | null;
    readonly total_borrow_apy_pct: number | null;
    readonly native_apy_pct: number | null;
    readonly emissions_deposit_apy_pct: number | null;
  };
}

const DAYS_A_YEAR = 365.25;
const NO_TAG = 0;
/** The one asset with same-asset emode on the local chain, PYUSD, and the leverages that the group allows for it. */
const SAME_ASSET = {
  mint: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
  init: leverageAsStored(10),
  maint: leverageAsStored(15),
} as const;

/** The weights of a pair, both kinds of emode counted: of what is supplied, and of what is owed. */
export function weightsOf(supply: BankFacts, borrow: BankFacts) {
  const tag = supply.emode?.tag ?? NO_TAG;
  const favour = tag === NO_TAG ? undefined : borrow.emode?.entries.find((entry) => entry.collateral_tag === tag);
  const { asset_weight_init: init, asset_weight_maint: maint } = supply.weights;
  const liabilityInit = borrow.weights.liability_weight_init ?? Number.NaN;
  const liabilityMaint = borrow.weights.liability_weight_maint ?? Number.NaN;
  const isSame = [supply, borrow].every(({ mint }) => mint === SAME_ASSET.mint);
  return {
    assetInit: Math.max(init, favour?.asset_weight_init ?? 0, isSame ? liabilityInit * (1 - 1 / SAME_ASSET.init) : 0),
    assetMaint: Math.max(
      maint,
      favour?.asset_weight_maint ?? 0,
      isSame ? liabilityMaint * (1 - 1 / SAME_ASSET.maint) : 0,
    ),
    liabilityInit,
    liabilityMaint,
  };
}

/** What the record says, worked out once more from its own parts and those of both banks, with floats and by the formulas of the guide. */
export function expectedFigures(strategy: ListedStrategy, supply: BankFacts, borrow: BankFacts) {
  const { max_leverage: max, recommended_leverage: recommended, cost, type, kind, rates } = strategy;
  const { score_parts: parts, available_strategy_size_usd: available } = strategy;
  const isPriceBet = ['directional_long', 'directional_short', 'other'].includes(kind);
  const { assetInit, assetMaint, liabilityInit, liabilityMaint } = weightsOf(supply, borrow);
  const supplied = rates.lend_apy_pct + (rates.native_apy_pct ?? 0) + (rates.emissions_apy_pct ?? 0);
  const owed = rates.borrow_apy_pct + rates.borrow_native_apy_pct;
  const netAt = (leverage: number) => leverage * supplied - (leverage - 1) * owed;
  const net = netAt(recommended);
  const swapBps = type === 'rate_arbitrage' ? 0 : cost.swap_bps;
  const entry = swapBps === null ? null : (recommended - 1) * (cost.origination_fee_bps + swapBps);
  const ratio = (recommended * assetMaint) / ((recommended - 1) * liabilityMaint);
  const merit = 0.35 * parts.carry + 0.3 * parts.stability + 0.15 * parts.capacity + 0.2 * parts.liquidity;
  const lost = assetInit / liabilityInit;
  const margin = cost.origination_fee_bps / 10_000 + 0.01;
  return {
    netBase: netAt(1),
    netAtMax: netAt(max),
    netAtRecommended: net,
    entryBps: entry,
    breakEvenDays: entry === null || net <= 0 ? null : (Math.max(0, entry) / 100 / net) * DAYS_A_YEAR,
    healthRatio: ratio,
    priceRatioDropPct: 100 * (1 - 1 / ratio),
    theoreticalMax: 1 / (1 - lost),
    /** Before it is cut to hundredths. */
    max: 1 / (1 - lost * (1 - margin)),
    /** The lower of nine tenths of the most and what leaves a health ratio of 1.10, before it is cut. */
    recommended: Math.min(0.9 * max, (1.1 * liabilityMaint) / (1.1 * liabilityMaint - assetMaint)),
    score: 50 * merit * (1 - parts.penalty) + (isPriceBet || net <= 0 || available <= 0 ? 0 : 50),
  };
}

/** A group keeps leverages as parts of u32::MAX, which is a hundred. */
function leverageAsStored(times: number): number {
  return (Math.round((times / 100) * 0xffff_ffff) / 0xffff_ffff) * 100;
}
