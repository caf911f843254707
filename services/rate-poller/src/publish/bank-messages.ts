import type { Message, MessageSource } from '@lending/events';
import type { Address } from '@solana/kit';
import { type Admit, isMomentDoubted } from '#quarantine/admit-samples.ts';
import type { BankReading } from '#read-banks.ts';
import { toBankMeasured } from './bank-measured.ts';
import { toBankSample } from './bank-sample.ts';
import { toOraclePriced } from './oracle-priced.ts';

export interface MessageOptions {
  readonly source: MessageSource;
  readonly admit: Admit;
  readonly onReject: (address: Address, error: unknown) => void;
}

/**
 * The messages of one round over P0's own banks: a sample, a price and a measure of each; what is doubted
 * has no measure, so that the one before stands. A bank whose messages cannot be made is reported and
 * left out, with all of them; its neighbours are not.
 */
export function toBankMessages(readings: readonly BankReading[], options: MessageOptions): readonly Message[] {
  const { source, admit, onReject } = options;
  return readings.flatMap((reading): readonly Message[] => {
    try {
      const priced = toOraclePriced(reading, source);
      const { slot, unixTimestamp } = reading;
      const { message, doubt } = admit({ slot, unixTimestamp, sample: toBankSample(reading) });
      if (isMomentDoubted(doubt)) return [message];
      return doubt === null ? [message, priced, toBankMeasured(reading, source)] : [message, priced];
    } catch (error) {
      onReject(reading.bank.address, error);
      return [];
    }
  });
}
