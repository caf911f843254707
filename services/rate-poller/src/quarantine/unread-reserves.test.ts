import { LendingError } from '@lending/errors';
import { anyAddress, CHAIN_SECONDS, createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { createUnreadReserves } from './unread-reserves.ts';

const RESERVE = { address: anyAddress(1), venue: 'solend' } as const;
const error = new LendingError('DECODE__ACCOUNT_MALFORMED', { message: 'the reserve has 100 bytes, expected 619' });

describe('createUnreadReserves', () => {
  it('makes a message of each, counts it, and says so once until the reserve was read again', async () => {
    const { logger, lines } = createLineLogger();
    const metrics = createMetrics();
    const reserves = createUnreadReserves({ source: 'localnet', logger, metrics });
    reserves.settle(RESERVE.address);
    for (const slot of [7n, 8n]) {
      const { message, doubt } = reserves.setAside({ ...RESERVE, error }, { slot, unixTimestamp: CHAIN_SECONDS });
      expect(doubt).toEqual({ reason: 'reserve_unreadable', detail: expect.stringContaining('has 100 bytes') });
      const payload = { bank: RESERVE.address, venue: 'solend', ...doubt };
      expect(message).toMatchObject({ type: 'rate.quarantined.v1', slot, source: 'localnet', payload });
    }
    expect(await metrics.render()).toContain(
      'rate_sample_quarantine_total{venue="solend",reason="reserve_unreadable"} 2',
    );
    reserves.settle(RESERVE.address);
    reserves.settle(RESERVE.address);
    expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual([
      'warn rate.sample.doubt',
      'info rate.sample.believe',
    ]);
  });
});
