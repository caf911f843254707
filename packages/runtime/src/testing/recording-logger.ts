import type { Logger } from '../logger.ts';

/** A logger for tests that keeps `level event` of every line. */
export function createRecordingLogger(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const at = (level: string) => (event: string) => void lines.push(`${level} ${event}`);
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return { logger, lines };
}
