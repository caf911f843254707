import { type Logger, runBeat } from '@lending/runtime';
import type { ConversationStore } from './conversation-store.ts';

const TIDY_EVERY_MS = 600_000;

/** Deletes conversations that nobody went on with for so many days, now and every ten minutes until the signal. */
export function tidyConversations(
  store: Pick<ConversationStore, 'deleteOld'>,
  keepDays: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  return runBeat(TIDY_EVERY_MS, signal, async () => {
    try {
      const deleted = await store.deleteOld(keepDays);
      if (deleted > 0) logger.info('conversation.row.delete', { deleted });
    } catch (error) {
      logger.warn('conversation.row.fail', { error });
    }
  });
}
