import { earnsNothingByItself, formatFraction, hasLiability, parseFraction, toShownUsd } from '@lending/domain';
import type { LeverageState, SizedLeverage } from '@lending/transactions';
import type { BankRates, BuildPosition, BuildSwap, BuildWarning, JudgedHealth, PremiumChange } from '../build.ts';
import type { AfterSimulation } from './account-after.ts';
import { nearTheLine } from './near-the-line.ts';

/** What warnings of a loop or a close are drawn from. */
export interface LeverageFindings {
  readonly state: LeverageState;
  readonly sized: SizedLeverage;
  readonly after: AfterSimulation;
  readonly postHealth: JudgedHealth;
  readonly depositRates: BankRates;
  readonly premiums: readonly PremiumChange[];
  readonly position: BuildPosition;
  readonly swap: BuildSwap | null;
  /** Basis points of output given up for a route that fits. */
  readonly lossBps: number;
}

/** What the trade's own size may cost without a word. */
const QUIET_IMPACT_E18 = parseFraction('0.005');
/** Basis points that a route may lose to the size of the transaction as a mere remark. */
const QUIET_LOSS_BPS = 10;

/** What a person should know before signing, though it is allowed. */
export function leverageWarnings(findings: LeverageFindings): readonly BuildWarning[] {
  const { postHealth, sized } = findings;
  const own = sized.kind === 'loop' ? carryWarnings(findings) : leftovers(findings);
  return [...nearTheLine(postHealth), ...swapWarnings(findings), ...own];
}

function swapWarnings({ swap, lossBps }: LeverageFindings): readonly BuildWarning[] {
  if (swap === null) return [];
  const { priceImpactE18 } = swap.quote;
  const warnings: BuildWarning[] = [];
  if (priceImpactE18 !== null && priceImpactE18 >= QUIET_IMPACT_E18) {
    warnings.push({
      level: 'warning',
      code: 'PRICE_IMPACT_HIGH',
      message: `The swap moves its own price by ${formatFraction(priceImpactE18 * 100n)} %: a smaller amount, or several in turn, would lose less`,
    });
  }
  if (lossBps > 0) {
    warnings.push({
      level: lossBps > QUIET_LOSS_BPS ? 'warning' : 'info',
      code: 'SWAP_ROUTE_REDUCED',
      message: `The best route does not fit into the transaction, and the one that is taken gives ${lossBps} basis points less: transaction_version 1 has more room, where the wallet signs it`,
    });
  }
  return warnings;
}

/** A position that pays more than it earns. What a token earns by itself is in no rate of a bank: only tokens that earn nothing so are judged. */
function carryWarnings({
  state,
  postHealth,
  position,
  depositRates,
  premiums,
}: LeverageFindings): readonly BuildWarning[] {
  const { depositBank, borrowBank, borrowRatesAfter } = position;
  const worth = (bank: string) => postHealth.health.positions.find((each) => each.bank === bank)?.worth ?? null;
  const [assets, owed] = [worth(depositBank), worth(borrowBank)];
  const [earned, paid] = [depositRates.depositApyPct, borrowRatesAfter.borrowApyPct];
  if (assets === null || owed === null || earned === null || paid === null) return [];
  if (!earnsNothingByItself(state.collateral.live.mint.address)) return [];
  const premium = premiums.find(({ bank }) => bank === borrowBank)?.afterPct ?? 0;
  if (toShownUsd(assets) * earned >= toShownUsd(owed) * (paid + premium)) return [];
  return [
    {
      level: 'warning',
      code: 'CARRY_NEGATIVE',
      message:
        'At the rates afterwards the debt costs more than the deposit earns: see svc_get_strategies for pairs that earn',
    },
  ];
}

/** What a close leaves behind. */
function leftovers({ sized, state, after }: LeverageFindings): readonly BuildWarning[] {
  if (sized.kind !== 'close_position' || sized.repay !== 'all') return [];
  const warnings: BuildWarning[] = [];
  if (sized.withdraw !== 'all') {
    warnings.push({
      level: 'info',
      code: 'COLLATERAL_LEFT',
      message: 'Collateral that the debt did not take stays deposited: svc_withdraw with withdraw_all takes it out',
      bank: state.collateral.live.bank.address,
    });
  }
  if (after.account?.balances.some(hasLiability) ?? false) {
    warnings.push({
      level: 'info',
      code: 'DEBT_LEFT',
      message: 'The account still owes other banks: svc_close_position without borrow_bank closes them all',
    });
  }
  if (sized.surplus === 'redeposit' && sized.redeposit === 0n) {
    warnings.push({
      level: 'info',
      code: 'NOTHING_REDEPOSITED',
      message: 'The swap is sure of nothing beyond the debt: what it brings in the end stays in the wallet',
      bank: state.debt.live.bank.address,
    });
  }
  return warnings;
}
