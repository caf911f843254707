import type { Message, MessageSource } from '@lending/events';
import type { Logger, Metrics } from '@lending/runtime';
import { toRateSampled } from '#publish/rate-sampled.ts';
import type { Doubt, Sighting } from './judge-sample.ts';
import type { Quarantine } from './quarantine.ts';
import { createSetAside } from './set-aside.ts';

export interface AdmitOptions {
  readonly quarantine: Quarantine;
  readonly source: MessageSource;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What becomes of one sample. */
export interface Admission {
  readonly message: Message<'rate.sampled.v1'> | Message<'rate.quarantined.v1'>;
  /** Null when it is believed. */
  readonly doubt: Doubt | null;
}

/**
 * Admits a sample to history, or sets it aside with its reason.
 * @param inherited what is doubted of the reserve that a bank's sample rests on: then the bank's is not believed either.
 */
export type Admit = (sighting: Sighting, inherited?: Doubt | null) => Admission;

/** Whether the slot or the clock is doubted, and with it all that was read in the same call. */
export function isMomentDoubted(doubt: Doubt | null): boolean {
  return doubt?.reason === 'slot_went_back' || doubt?.reason === 'clock_jump';
}

export function createAdmit({ quarantine, source, logger, metrics }: AdmitOptions): Admit {
  const setAside = createSetAside({ source, metrics });
  return (sighting, inherited = null) => {
    const { bank, venue } = sighting.sample;
    const verdict = quarantine.judge(bank, sighting);
    if (verdict.kind === 'doubted' && verdict.isNew)
      logger.warn('rate.sample.doubt', { bank, venue, ...verdict.doubt });
    if (verdict.kind === 'believed' && verdict.hasSettled) logger.info('rate.sample.believe', { bank, venue });
    const doubt = verdict.kind === 'doubted' ? verdict.doubt : inherited;
    if (doubt === null) return { message: toRateSampled(sighting, source), doubt };
    return { message: setAside(sighting, doubt), doubt };
  };
}
