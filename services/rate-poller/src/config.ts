import {
  chainSettings,
  durationMsSetting,
  integerSetting,
  kafkaSettings,
  p0Settings,
  parseConfig,
  probeSettings,
  processSettings,
} from '@lending/runtime';

/** What the poller itself can be told; the one-process shape takes these over. */
export const pollerSettings = {
  POLL_P0_MS: durationMsSetting({ description: 'How often every P0 bank is sampled', default: 10_000, min: 100 }),
  DISCOVERY_MS: durationMsSetting({
    description: 'How often the group is searched for new banks',
    default: 300_000,
    min: 1_000,
  }),
  OUTBOX_MESSAGES: integerSetting({
    description: 'Messages kept in memory while the log is down',
    default: 200_000,
    min: 1_000,
  }),
} as const;

export const ratePollerSettings = {
  ...processSettings,
  ...chainSettings,
  ...p0Settings,
  ...pollerSettings,
  ...kafkaSettings,
  ...probeSettings,
} as const;

export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return parseConfig(ratePollerSettings, env);
}
