import { type I80F48, parseI80F48 } from '@lending/domain';
import type { Logger } from '@lending/runtime';
import type { SwapQuoteRow } from '@lending/store';
import type { SwapCost } from '@lending/strategies';

const ONE_E18 = 10n ** 18n;
const BPS_OF_ONE = 10_000;

/** A rung in exact numbers. */
interface ExactRung {
  readonly inBase: bigint;
  readonly outBase: bigint;
  readonly sizeUsd: I80F48;
}

/** Turns quotes into costs, each quote once. */
export type SwapCostReader = (rows: readonly SwapQuoteRow[]) => readonly SwapCost[];

/** A quote that cannot be read is left out and logged: what that swap costs is then unknown. */
export function createSwapCostReader(maxPriceImpactE18: bigint, logger: Pick<Logger, 'error'>): SwapCostReader {
  let known: ReadonlyMap<string, { readonly slot: bigint; readonly cost: SwapCost | null }> = new Map();

  function read(row: SwapQuoteRow): SwapCost | null {
    try {
      return toSwapCost(row, maxPriceImpactE18);
    } catch (error) {
      logger.error('read.swap.skip', { inMint: row.in_mint, outMint: row.out_mint, error });
      return null;
    }
  }

  return (rows) => {
    const before = known;
    known = new Map(
      rows.map((row) => {
        const pair = `${row.in_mint}:${row.out_mint}`;
        const last = before.get(pair);
        // A pair has one quote of a slot.
        return [pair, last?.slot === row.slot ? last : { slot: row.slot, cost: read(row) }];
      }),
    );
    return [...known.values()].flatMap(({ cost }) => cost ?? []);
  };
}

/**
 * What swaps cost by their size, at the oracle prices of the moment they were quoted, and how large one may be.
 * @throws SyntaxError, RangeError or an error of fixed points when the row holds what the projection never writes.
 */
export function toSwapCost(row: SwapQuoteRow, maxPriceImpactE18: bigint): SwapCost {
  const inPrice = parseI80F48(row.in_price_usd);
  const outPrice = parseI80F48(row.out_price_usd);
  const inScale = 10n ** BigInt(row.in_decimals);
  const outScale = 10n ** BigInt(row.out_decimals);
  const rungs = row.rungs.map(({ inBase, outBase }): ExactRung => {
    const given = BigInt(inBase);
    return { inBase: given, outBase: BigInt(outBase), sizeUsd: (given * inPrice) / inScale };
  });
  return {
    inMint: row.in_mint,
    outMint: row.out_mint,
    rungs: rungs.map(({ inBase, outBase, sizeUsd }) => {
      const keptE18 = (outBase * outPrice * inScale * ONE_E18) / (inBase * inPrice * outScale);
      return { sizeUsd: Number(sizeUsd) / 2 ** 48, costBps: (1 - Number(keptE18) / 1e18) * BPS_OF_ONE };
    }),
    depthUsd: depthOf(rungs, row.ladder_end, maxPriceImpactE18),
    quotedAtMs: row.slot_time.getTime(),
  };
}

/**
 * The largest swap whose own size costs no more than is allowed, by how much less each rung gives for one than the smallest does: in a
 * straight line between the last that passes and the first that does not. Where larger ones had no route, the last that had one.
 */
function depthOf(
  rungs: readonly ExactRung[],
  end: SwapQuoteRow['ladder_end'],
  maxPriceImpactE18: bigint,
): I80F48 | null {
  const [smallest] = rungs;
  const last = rungs.at(-1);
  if (smallest === undefined || last === undefined) return 0n;
  const impactOf = ({ inBase, outBase }: ExactRung) =>
    ONE_E18 - (outBase * smallest.inBase * ONE_E18) / (inBase * smallest.outBase);
  const over = rungs.findIndex((rung) => impactOf(rung) > maxPriceImpactE18);
  if (over === -1) return end === 'passed_largest' ? null : last.sizeUsd;
  // The smallest has no impact on itself, so there is always one below.
  const [below = smallest, above = last] = [rungs[over - 1], rungs[over]];
  const [low, high] = [impactOf(below), impactOf(above)];
  return below.sizeUsd + ((above.sizeUsd - below.sizeUsd) * (maxPriceImpactE18 - low)) / (high - low);
}
