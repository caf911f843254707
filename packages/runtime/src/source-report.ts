import { runBeat } from './beat.ts';
import type { Logger } from './logger.ts';
import type { SourceBoard, SourceSight } from './source-board.ts';

export interface SourceReportOptions {
  readonly board: Pick<SourceBoard, 'list'>;
  /** Keeps what is told where others read it. */
  readonly tell: (sources: readonly SourceSight[]) => Promise<void>;
  readonly logger: Logger;
  /** Default: five seconds. */
  readonly everyMs?: number;
}

/**
 * Tells on a beat how the sources of this process stand, for whoever asks another process. Resolves when the signal aborts. A telling that
 * fails is not made up for: the next one says more, and what is not told lapses.
 */
export async function reportSourcesOnBeat(options: SourceReportOptions, signal: AbortSignal): Promise<void> {
  const { board, tell, logger, everyMs = 5_000 } = options;
  await runBeat(everyMs, signal, () => tell(board.list()), {
    maxDelayMs: everyMs,
    onError: (error) => logger.debug('source.status.wait', { error }),
  });
}
