import { DFLOW_PROGRAM, JUPITER_PROGRAM } from '@lending/programs';
import { type Logger, type SourceBoard, watchedFetch } from '@lending/runtime';
import { type AggregatorSettings, createSwapFinder, readAggregatorHosts } from '@lending/transactions';
import { address as toAddress } from '@solana/kit';
import type { LeverageDeps } from './build-deps.ts';

/** The settings that swaps go by, as `config.ts` names them. */
export interface SwapSettings extends AggregatorSettings {
  readonly SWAP_PROGRAMS?: readonly string[] | undefined;
  readonly SWAP_TIMEOUT_MS: number;
  readonly SWAP_SLIPPAGE_BPS: number;
  readonly SWAP_MAX_PRICE_IMPACT_BPS: number;
  readonly SWAP_MAX_ORACLE_DEVIATION_BPS: number;
}

/** A part of 18 decimals. */
const ONE_BASIS_POINT = 10n ** 14n;

/** Who finds swaps, and what they may cost. */
export function createSwaps(
  settings: SwapSettings,
  logger: Logger,
  now: () => number,
  sources?: Pick<SourceBoard, 'aggregatorAnswered'>,
): Pick<LeverageDeps, 'swaps' | 'swapPrograms' | 'swapBounds'> {
  const swapPrograms = settings.SWAP_PROGRAMS?.map((program) => toAddress(program)) ?? [JUPITER_PROGRAM, DFLOW_PROGRAM];
  return {
    swapPrograms,
    swaps: createSwapFinder({
      ...readAggregatorHosts(settings),
      swapPrograms,
      deadlineMs: settings.SWAP_TIMEOUT_MS,
      now,
      ...(sources && { fetch: watchedFetch(sources) }),
      onNotice: (notice) => logger.warn('swap.offer.notice', { ...notice }),
    }),
    swapBounds: {
      slippageBps: settings.SWAP_SLIPPAGE_BPS,
      maxPriceImpactE18: BigInt(settings.SWAP_MAX_PRICE_IMPACT_BPS) * ONE_BASIS_POINT,
      maxDeviationE18: BigInt(settings.SWAP_MAX_ORACLE_DEVIATION_BPS) * ONE_BASIS_POINT,
    },
  };
}
