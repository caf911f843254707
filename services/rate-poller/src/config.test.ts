import { parseConfig } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { ratePollerSettings, readBeats } from './config.ts';

const NEEDED = {
  SOLANA_RPC_URL: 'http://localhost:8899',
  KAFKA_BROKERS: 'localhost:9092',
  DATABASE_URL: 'postgres://localhost/lending',
};

const read = (env: Readonly<Record<string, string>>) => parseConfig(ratePollerSettings, { ...NEEDED, ...env });

describe('readBeats', () => {
  it('samples P0 every ten seconds and all other venues every thirty', () => {
    const others = { kamino: 30_000, drift: 30_000, solend: 30_000, juplend: 30_000 };
    expect(readBeats(read({}))).toEqual({ p0: 10_000, ...others });
  });

  it('takes each venue at its own pace, and leaves out those not named', () => {
    const beats = { POLL_P0_MS: '200', POLL_KAMINO_MS: '300', POLL_JUPLEND_MS: '400', POLL_DRIFT_MS: '600' };
    const config = read({ ...beats, POLL_SOLEND_MS: '500', VENUES: 'solend, p0' });
    expect(readBeats(config)).toEqual({ p0: 200, solend: 500 });
  });
});

describe('ratePollerSettings', () => {
  it.each(['marginfi', 'p0,save', 'p0x'])('refuses the venue %s', (VENUES) => {
    expect(() => read({ VENUES })).toThrow(/VENUES is .* of p0, kamino, drift, solend, juplend/);
  });
});
