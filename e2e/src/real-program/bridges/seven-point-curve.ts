import { bankLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import { bankAt } from '../market.ts';

const SEVEN_POINTS = 1;
/** Says that the oracle key is a feed account and not a feed id. */
const PYTH_MIGRATED = 1;

/**
 * The ELF computes rates from the legacy corners, today's program from the seven points. The same bank gets both: the points lie in
 * bytes that the ELF calls padding, and stand for the very numbers of the legacy corners.
 */
export function withSevenPointCurve(address: Address, data: Uint8Array): Uint8Array {
  const bank = bankLayout.decode(data);
  const { corners } = bankAt(address);
  const none = { util: 0, rate: 0 };
  const encoded = bankLayout.encode({
    ...bank,
    config: {
      ...bank.config,
      configFlags: PYTH_MIGRATED,
      interestRateConfig: {
        ...bank.config.interestRateConfig,
        zeroUtilRate: 0,
        hundredUtilRate: corners.maxRate,
        points: [{ util: corners.optimalUtil, rate: corners.plateauRate }, none, none, none, none],
        curveType: SEVEN_POINTS,
      },
    },
  });
  if (encoded.length !== bankLayout.fixedSize) throw new TypeError('A bank has changed its size');
  return new Uint8Array(encoded);
}
