import { toUiAmount } from '@lending/domain';
import { describeAsOf } from '#reads/as-of.ts';
import { shownRatio, shownUsdOf } from '#reads/health-record.ts';
import { shownNumber, shownTokens, shownUsd } from '#reads/shown-numbers.ts';
import type { Envelope, EnvelopeHealth, EnvelopePremium, EnvelopeTokenChange } from '#records/envelope-fields.ts';
import type { NextAction, Warning } from '#records/reply-fields.ts';
import type { Build, BuildSwap, JudgedHealth, PremiumChange, TokenChange } from './build.ts';
import { describePosition, describeRates, describeSwap } from './envelope-leverage.ts';

const SOL_DECIMALS = 9;

export interface EnvelopeOptions {
  readonly planId: string;
  readonly previewOnly: boolean;
  readonly isRebuilt: boolean;
  /** Besides the build's own. */
  readonly warnings: readonly Warning[];
  readonly nextActions: readonly NextAction[];
  readonly source: 'chain' | 'localnet';
  readonly nowMs: number;
  /** A simulation older than this is stale. */
  readonly staleAfterMs: number;
}

/** A build as callers get it. Nothing of it is ever cut. */
export function toEnvelope(build: Build, options: EnvelopeOptions): Envelope {
  const { nowMs, source, staleAfterMs } = options;
  const { slot, unixTimestamp } = build;
  return {
    account: build.account,
    transactions: build.transactions.map((transaction, index) => ({
      base64: options.previewOnly ? null : Buffer.from(transaction.wire).toString('base64'),
      type: transaction.type,
      label: transaction.label,
      bytes: transaction.wire.length,
      compute_units: build.unitsConsumed[index] ?? 0,
      signers: [...transaction.signers],
      programs: [...transaction.programs],
      writable_count: transaction.writableCount,
    })),
    action_tx_index: build.actionIndex,
    submit: build.submit,
    blockhash: {
      value: build.blockhash.value,
      last_valid_block_height: Number(build.blockhash.lastValidBlockHeight),
      expires_in_seconds: build.expiresInSeconds,
    },
    simulation: {
      success: true,
      post_health: describeJudged(build.postHealth),
      warnings: [...build.warnings, ...staleWarnings(build), ...options.warnings],
      pre_health: describeJudged(build.preHealth),
      token_changes: build.tokenChanges.map(describeChange),
      rates_after: build.ratesAfter === null ? null : describeRates(build.ratesAfter),
      ...(build.premiums.length > 0 && { premiums: build.premiums.map(describePremiumChange) }),
      ...(build.position !== null && { position: describePosition(build.position) }),
      slot: Number(slot),
      compute_units: build.unitsConsumed.reduce((sum, units) => sum + units, 0),
    },
    fees: describeFees(build),
    // Of leverage alone: where both banks have one mint there was nothing to swap, which null says.
    ...(build.position !== null && { swap: build.swap === null ? null : describeSwap(build.swap) }),
    ...(build.position !== null &&
      build.position.earlierBorrowBanks.length > 0 && { swaps: swapsOf(build).map(describeSwap) }),
    summary: build.summary,
    plan_id: options.planId,
    ...(options.isRebuilt && { rebuilt: true as const }),
    next_actions: [...options.nextActions],
    as_of: describeAsOf({ slot, timeMs: Number(unixTimestamp) * 1_000, source, kind: 'sample' }, nowMs, staleAfterMs),
  };
}

/** The factor is never null here: what an account would be judged by is known even where a price is not. */
export function describeJudged({ health, factor, staleBanks }: JudgedHealth): EnvelopeHealth {
  const { maintenance } = health;
  return {
    status: staleBanks.length > 0 ? 'unknown' : health.status,
    health_factor: shownRatio(factor) ?? -1,
    health_ratio: shownRatio(health.ratio),
    health_usd: shownUsdOf(health.healthUsd),
    assets_usd_maint: shownUsdOf(maintenance === null ? null : maintenance.assets),
    liabilities_usd_maint: shownUsdOf(maintenance === null ? null : maintenance.liabilities),
    free_collateral_usd: shownUsdOf(health.freeCollateral),
  };
}

/** A stale price is told once for each bank, whoever noticed it. */
function staleWarnings({ warnings, postHealth }: Build): readonly Warning[] {
  return postHealth.staleBanks
    .filter((bank) => !warnings.some((warning) => warning.code === 'ORACLE_STALE' && warning.bank === bank))
    .map((bank) => ({
      level: 'warning' as const,
      code: 'ORACLE_STALE',
      message:
        'The price of this bank is stale: a deposit in it counts nothing, and how safe the account is cannot be told.',
      bank,
    }));
}

function describePremiumChange({ bank, beforePct, afterPct }: PremiumChange): EnvelopePremium {
  return { bank, before_apr_pct: beforePct, after_apr_pct: afterPct };
}

/** One line of token_changes. */
export function describeChange(change: TokenChange): EnvelopeTokenChange {
  const tokens = shownTokens(change.deltaBase, change.decimals) ?? 0;
  return {
    mint: change.mint,
    symbol: change.symbol,
    delta_ui: tokens,
    delta_raw: String(change.deltaBase),
    delta_usd: shownUsd(tokens, shownNumber(change.priceUsd)),
    is_native_sol: change.isNativeSol,
  };
}

/** In the order of the transactions. */
function swapsOf({ swap, earlierSwaps }: Build): readonly BuildSwap[] {
  return swap === null ? earlierSwaps : [...earlierSwaps, swap];
}

function describeFees(build: Build): Envelope['fees'] {
  const { network, priority, tip, rent } = build.fees;
  const charged = swapsOf(build).flatMap(({ quote, feeUsd }) => (quote.fee === null ? [] : [shownNumber(feeUsd)]));
  return {
    network_sol: shownSol(network),
    priority_sol: shownSol(priority),
    tip_sol: shownSol(tip),
    rent_sol: shownSol(rent),
    swap_fee_usd: charged.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
  };
}

function shownSol(lamports: bigint): number {
  return Number(toUiAmount(lamports, SOL_DECIMALS));
}
