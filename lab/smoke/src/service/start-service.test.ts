import { describe, expect, it } from 'vitest';
import { loggedError } from './start-service.ts';

/** As services write them. */
const lineOf = (level: string, event: string) =>
  `{"level":"${level}","time":"2026-11-22T11:10:07.466Z","name":"embedded","reason":"no","event":"${event}"}`;

describe('loggedError', () => {
  it.each(['error', 'fatal'])('names the event of a line of level %s', (level) => {
    expect(loggedError(lineOf(level, 'runtime.process.crash'))).toBe('runtime.process.crash');
  });

  it('passes over warnings, what is told, and what is no line of a log', () => {
    expect(loggedError(lineOf('warn', 'chain.endpoint.fail'))).toBeNull();
    expect(loggedError(lineOf('info', 'api.server.listen'))).toBeNull();
    expect(loggedError('  REST    http://127.0.0.1:1/v1/banks')).toBeNull();
    expect(loggedError('{ "half')).toBeNull();
  });
});
