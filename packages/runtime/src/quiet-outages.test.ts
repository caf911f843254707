import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import type { LogFields, Logger } from './logger.ts';
import { quietOutages } from './quiet-outages.ts';

function collect() {
  const lines: (readonly [string, string, LogFields | undefined])[] = [];
  const at = (level: string) => (event: string, fields?: LogFields) => void lines.push([level, event, fields]);
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return { logger, lines };
}

describe('quietOutages', () => {
  it('writes what passes by itself once a minute, of each code, and how much was kept back', () => {
    const { logger, lines } = collect();
    let nowMs = 0;
    const quiet = quietOutages(logger, () => nowMs);
    const [node, tables] = [new LendingError('CHAIN__RPC_UNAVAILABLE'), new LendingError('STORE__UNAVAILABLE')];
    for (const error of [node, node, tables, node]) quiet.error('rest.request.fail', { error });
    nowMs = 61_000;
    quiet.error('rest.request.fail', { error: node });
    expect(lines.filter(([level]) => level === 'error').map(([, , fields]) => fields)).toEqual([
      { error: node },
      { error: tables },
      { error: node, kept_back: 2 },
    ]);
    expect(lines.filter(([level]) => level === 'debug')).toHaveLength(2);
  });

  it('writes each time what does not pass', () => {
    const { logger, lines } = collect();
    const quiet = quietOutages(logger);
    const error = new LendingError('INTERNAL__UNEXPECTED');
    for (let count = 0; count < 3; count += 1) quiet.error('rest.request.fail', { error });
    for (let count = 0; count < 2; count += 1) quiet.error('rest.request.fail', { error: new TypeError('a bug') });
    quiet.info('api.server.listen', {});
    expect(lines.map(([level]) => level)).toEqual(['error', 'error', 'error', 'error', 'error', 'info']);
  });

  it('tells the reasons of warnings apart', () => {
    const { logger, lines } = collect();
    const quiet = quietOutages(logger);
    for (const reason of ['timed_out', 'timed_out', 'unreachable'])
      quiet.warn('swap.offer.notice', { aggregator: 'jupiter', reason });
    quiet.warn('swap.offer.notice', { aggregator: 'dflow', reason: 'timed_out' });
    expect(lines.filter(([level]) => level === 'warn')).toHaveLength(3);
  });
});
