import { describe, expect, it } from 'vitest';
import { chainHooks } from './chain-hooks.ts';
import type { Logger } from './logger.ts';

function createRecorder() {
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

describe('chainHooks', () => {
  it('says once that an endpoint is lost and once that it is back', () => {
    const { logger, lines } = createRecorder();
    const { onEndpointState: log } = chainHooks(logger);
    for (const state of ['open', 'open', 'closed', 'closed', 'open'])
      log({ host: 'a:1', state, reason: 'ECONNREFUSED' });
    expect(lines).toEqual(['warn chain.endpoint.fail', 'info chain.endpoint.resume', 'warn chain.endpoint.fail']);
  });
});
