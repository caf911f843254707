import type { Message, MessageSource } from '@lending/events';
import type { Address } from '@solana/kit';
import type { BankReading } from '#read-banks.ts';
import { toOraclePriced } from './oracle-priced.ts';
import { toRateSampled } from './rate-sampled.ts';

/**
 * The messages of one round: a sample and a price of each bank. A bank whose messages cannot be made is reported and left out,
 * with both of them; its neighbours are not.
 */
export function toBankMessages(
  readings: readonly BankReading[],
  source: MessageSource,
  onReject: (bank: Address, error: unknown) => void,
): readonly Message[] {
  return readings.flatMap((reading) => {
    try {
      return [toRateSampled(reading, source), toOraclePriced(reading, source)];
    } catch (error) {
      onReject(reading.bank.address, error);
      return [];
    }
  });
}
