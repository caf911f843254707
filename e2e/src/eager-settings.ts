/**
 * Settings of services that do at once what they else do every half minute: answers are as old as their oldest bank, and a group waits for
 * a member that was killed.
 */
export const EAGER_SETTINGS = {
  POLL_P0_MS: '500',
  POLL_KAMINO_MS: '1000',
  POLL_JUPLEND_MS: '1000',
  POLL_SOLEND_MS: '1000',
  POLL_DRIFT_MS: '1000',
  KAFKA_SESSION_MS: '3000',
} as const;
