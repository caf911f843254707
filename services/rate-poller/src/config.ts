import { VENUES, type Venue } from '@lending/domain';
import {
  aggregatorSettings,
  chainSettings,
  databaseSettings,
  durationMsSetting,
  integerSetting,
  kafkaSettings,
  listSetting,
  p0Settings,
  probeSettings,
  processSettings,
  urlSetting,
} from '@lending/runtime';
import { BACKFILL_VENUES } from './backfill/venue-histories.ts';

function beatSetting(what: string, everyMs: number) {
  return durationMsSetting({ description: `How often ${what} is sampled`, default: everyMs, min: 100 });
}

/** What the poller itself can be told; the one-process shape takes these over. */
export const pollerSettings = {
  POLL_P0_MS: beatSetting('every P0 bank', 10_000),
  POLL_KAMINO_MS: beatSetting('every Kamino reserve, and every bank on one,', 30_000),
  POLL_JUPLEND_MS: beatSetting('every JupLend pool, and every bank on one,', 30_000),
  POLL_SOLEND_MS: beatSetting('every Save (Solend) reserve, and every bank on one,', 30_000),
  POLL_DRIFT_MS: beatSetting('every Drift spot market, and every bank on one,', 30_000),
  VENUES: listSetting({
    description: 'The venues that are sampled; the same for all pollers of one database',
    allowed: `comma-separated, of ${VENUES.join(', ')}`,
    item: new RegExp(`^(${VENUES.join('|')})$`),
    default: VENUES,
  }),
  DISCOVERY_MS: durationMsSetting({
    description: 'How often the group is searched for new banks, and each venue for new reserves',
    default: 300_000,
    min: 1_000,
  }),
  OUTBOX_MESSAGES: integerSetting({
    description: 'Messages kept in memory while the log is down',
    default: 200_000,
    min: 1_000,
  }),
  BACKFILL_VENUES: listSetting({
    description:
      'Venues whose own services are asked once, at the start, for the past of their reserves, never for the local chain; default: none',
    allowed: `comma-separated, of ${BACKFILL_VENUES.join(', ')}`,
    item: new RegExp(`^(${BACKFILL_VENUES.join('|')})$`),
    default: [],
  }),
  BACKFILL_DAYS: integerSetting({ description: 'How many days back they are asked', default: 90, min: 1, max: 3_650 }),
  KAMINO_API_URL: urlSetting({
    description: "Kamino's service",
    schemes: ['http', 'https'],
    default: 'https://api.kamino.finance',
  }),
  SAVE_API_URL: urlSetting({
    description: "Save's service",
    schemes: ['http', 'https'],
    default: 'https://api.save.finance',
  }),
  ...aggregatorSettings,
  SWAP_QUOTE_EVERY_MS: durationMsSetting({
    description:
      'From one question of what a swap gives to the next; 0: none are asked; unset: 5000, as Jupiter answers 30 a minute without a key and builders want most of them, or on the local chain 100, and 3000 before a pair is quoted again',
    min: 0,
    max: 60_000,
    optional: true,
  }),
} as const;

export const ratePollerSettings = {
  ...processSettings,
  ...chainSettings,
  ...p0Settings,
  ...pollerSettings,
  ...kafkaSettings,
  ...databaseSettings,
  ...probeSettings,
} as const;

/** The settings that say how often which venue is sampled. */
type BeatConfig = Readonly<Record<`POLL_${Uppercase<Venue>}_MS`, number>> & { readonly VENUES: readonly string[] };

/** How often each venue is sampled, in milliseconds; those left out are missing. */
export function readBeats(config: BeatConfig): Readonly<Partial<Record<Venue, number>>> {
  const followed = VENUES.filter((venue) => config.VENUES.includes(venue));
  const everyMs = (venue: Venue): number => config[`POLL_${venue.toUpperCase() as Uppercase<Venue>}_MS`];
  return Object.fromEntries(followed.map((venue) => [venue, everyMs(venue)]));
}
