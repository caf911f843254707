import type { BankLedger } from '../../accounting/bank-ledger.ts';
import { makeLedger } from '../../accounting/testing/make-ledger.ts';
import { OPERATIONAL_STATES } from '../../bank.ts';
import { I80F48_ONE } from '../../i80f48.ts';
import { U64_MAX } from '../../integers.ts';
import type { RiskBank, RiskPrice } from '../../risk/risk-balance.ts';
import { madeBank, madePrice } from '../../risk/testing/made-balances.ts';
import type { CapacityState, HeldBalance } from '../capacity-state.ts';

/** A bank as the tests describe it, from which its ledger and what the risk engine reads are made alike. */
export interface MadeBank {
  readonly address: string;
  readonly ledger?: Parameters<typeof makeLedger>[0];
  readonly risk?: Partial<RiskBank>;
  readonly price?: RiskPrice;
}

export const priceOf = madePrice;

export function makeBank(made: MadeBank): { ledger: BankLedger; risk: RiskBank; price: RiskPrice } {
  const ledger = makeLedger(made.ledger);
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares } = ledger;
  const risk = madeBank({
    address: made.address,
    assetTag: ledger.config.assetTag,
    decimals: ledger.mintDecimals,
    operationalState: OPERATIONAL_STATES[ledger.config.operationalState] ?? 'Unknown',
    shares: { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate: 0n },
    ...made.risk,
  });
  return { ledger, risk, price: made.price ?? priceOf('1') };
}

/** What an account holds in a bank: shares in raw I80F48. */
export function holding(made: MadeBank, shares: { assetShares?: bigint; liabilityShares?: bigint }): HeldBalance {
  const { risk, price } = makeBank(made);
  return { bank: risk, price, assetTag: risk.assetTag, assetShares: 0n, liabilityShares: 0n, premium: 0n, ...shares };
}

/** An owner without limits of the group or of the vault, at a bank. */
export function makeState(
  target: MadeBank,
  balances: readonly HeldBalance[],
  overrides: {
    readonly flags?: bigint;
    readonly vaultBase?: bigint;
    readonly transferFee?: CapacityState['bank']['transferFee'];
    readonly units?: CapacityState['bank']['units'];
    readonly group?: Partial<CapacityState['group']>;
    readonly unixTimestamp?: bigint;
  } = {},
): CapacityState {
  return {
    account: { balances, flags: overrides.flags ?? 0n },
    bank: {
      ...makeBank(target),
      vaultBase: overrides.vaultBase ?? U64_MAX,
      transferFee: overrides.transferFee ?? null,
      units: overrides.units ?? null,
    },
    group: {
      isPaused: false,
      rateLimiter: makeLedger().rateLimiter,
      programFeeRate: I80F48_ONE / 10n,
      premiumPairs: [],
      ...overrides.group,
    },
    unixTimestamp: overrides.unixTimestamp ?? 1000n,
  };
}
