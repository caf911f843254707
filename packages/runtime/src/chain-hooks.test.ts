import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import { chainHooks } from './chain-hooks.ts';

describe('chainHooks', () => {
  it('says once that an endpoint is lost and once that it is back', () => {
    const { logger, lines } = createRecordingLogger();
    const { onEndpointState: log } = chainHooks(logger);
    for (const state of ['open', 'open', 'closed', 'closed', 'open'])
      log({ host: 'a:1', state, reason: 'ECONNREFUSED' });
    expect(lines).toEqual(['warn chain.endpoint.fail', 'info chain.endpoint.resume', 'warn chain.endpoint.fail']);
  });
});
