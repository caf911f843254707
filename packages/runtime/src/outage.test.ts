import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import { createOutage } from './outage.ts';
import { createReadiness } from './readiness.ts';

describe('createOutage', () => {
  it('says once that a part fails and once that it works again', () => {
    const { logger, lines } = createRecordingLogger();
    const readiness = createReadiness();
    const component = readiness.component('bus');
    const outage = createOutage({ component, logger, failEvent: 'bus.batch.fail', resumeEvent: 'bus.batch.resume' });
    const error = new LendingError('BUS__UNAVAILABLE', { message: 'broker away', cause: new Error('ECONNREFUSED') });
    outage.failed(error);
    outage.failed(error);
    expect(readiness.getStatus().components[0]?.reason).toBe('BUS__UNAVAILABLE: broker away');
    outage.recovered();
    outage.recovered();
    expect(lines).toEqual(['warn bus.batch.fail', 'info bus.batch.resume']);
    expect(readiness.getStatus().ready).toBe(true);
    outage.failed(error);
    expect(lines).toHaveLength(3);
  });

  it('says a failure of another kind in the same outage', () => {
    const { logger, lines } = createRecordingLogger();
    const component = createReadiness().component('bus');
    const outage = createOutage({ component, logger, failEvent: 'bus.batch.fail', resumeEvent: 'bus.batch.resume' });
    outage.failed(new LendingError('BUS__UNAVAILABLE'));
    outage.failed(new LendingError('RUNTIME__DISK_EXCEEDED'));
    expect(lines).toEqual(['warn bus.batch.fail', 'warn bus.batch.fail']);
  });

  it('leaves an RPC node that does not answer to the endpoint log', () => {
    const { logger, lines } = createRecordingLogger();
    const component = createReadiness().component('chain');
    const outage = createOutage({
      component,
      logger,
      failEvent: 'rate.sample.fail',
      resumeEvent: 'rate.sample.resume',
    });
    outage.failed(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    outage.recovered();
    expect(lines).toEqual(['debug rate.sample.fail', 'debug rate.sample.resume']);
    outage.failed(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    outage.failed(new LendingError('BUS__UNAVAILABLE'));
    outage.recovered();
    expect(lines.slice(2)).toEqual(['debug rate.sample.fail', 'warn rate.sample.fail', 'info rate.sample.resume']);
  });
});
