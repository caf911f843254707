import type { Tone } from '../parts/badge.ts';
import type { HealthStatus } from './wire-account.ts';

/** The service's words for health, and what they mean. */
export const STATUS_WORDS: Readonly<
  Record<HealthStatus, { readonly label: string; readonly tone: Tone; readonly meaning: string }>
> = {
  healthy: { label: 'Healthy', tone: 'good', meaning: 'Assets count at least twice the debt, or there is none.' },
  moderate: { label: 'Moderate', tone: 'good', meaning: 'A quarter more assets than debt, or better.' },
  warning: { label: 'Warning', tone: 'warning', meaning: 'A tenth more assets than debt, or better.' },
  critical: { label: 'Critical', tone: 'bad', meaning: 'Less than a tenth from liquidation.' },
  liquidatable: { label: 'Liquidatable', tone: 'bad', meaning: 'Anybody may liquidate it now.' },
  unknown: { label: 'Unknown', tone: 'warning', meaning: 'It could not be valued: that is not safe, only unknown.' },
};
