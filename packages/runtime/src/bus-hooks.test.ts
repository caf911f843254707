import { describe, expect, it } from 'vitest';
import { busHooks } from './bus-hooks.ts';
import type { Logger } from './logger.ts';
import { createMetrics } from './metrics.ts';

describe('busHooks', () => {
  it('counts messages set aside by topic, and logs events as they come', async () => {
    const lines: unknown[] = [];
    const at = (level: string) => (event: string, fields: unknown) => void lines.push([level, event, fields]);
    const logger: Logger = {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: () => logger,
    };
    const metrics = createMetrics();
    const { onBuried, onEvent } = busHooks({ logger, metrics });
    onBuried({ topic: 'bank.updated.v1' });
    onBuried({ topic: 'bank.updated.v1' });
    const error = new Error('gone');
    onEvent({ level: 'warn', event: 'bus.broker.lose', facts: { broker: 'a:1' }, error });
    onEvent({ level: 'info', event: 'bus.broker.find', facts: { broker: 'a:1' } });
    expect(await metrics.render()).toContain('bus_message_bury_total{topic="bank.updated.v1"} 2');
    expect(lines).toEqual([
      ['warn', 'bus.broker.lose', { broker: 'a:1', error }],
      ['info', 'bus.broker.find', { broker: 'a:1' }],
    ]);
  });
});
