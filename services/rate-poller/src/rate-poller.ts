import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import { describeError, LendingError } from '@lending/errors';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import type { Address } from '@solana/kit';
import { createBankList } from './bank-list.ts';
import { createOutbox } from './outbox.ts';
import { toBankMessages } from './publish/bank-messages.ts';
import { readBanks } from './read-banks.ts';

export interface RatePollerOptions {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly program: Address;
  readonly group: Address;
  /** How often every bank is sampled, in milliseconds. */
  readonly beatMs: number;
  /** How often the group is searched for new banks, in milliseconds. */
  readonly discoveryMs: number;
  /** Messages kept while the log is down. */
  readonly outboxCapacity: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/**
 * Samples every P0 bank on a beat and publishes what it saw. Resolves when the signal aborts, after the beat at hand.
 * Nothing that the network does ends it: it says that it is not ready, and tries again.
 */
export async function runRatePoller(options: RatePollerOptions, signal: AbortSignal): Promise<void> {
  const { chain, bus, program, group, logger, metrics } = options;
  const outage = createOutage({
    component: options.readiness.component('rate-poller'),
    logger,
    failEvent: 'rate.sample.fail',
    resumeEvent: 'rate.sample.resume',
  });
  const outbox = createOutbox(bus, options.outboxCapacity, (sent) =>
    samples.inc(sent.filter(({ type }) => type === 'rate.sampled.v1').length),
  );
  const samples = metrics.counter({ name: 'rate.sample.publish', help: 'Rate samples published' });
  const rejections = metrics.counter({ name: 'rate.bank.reject', help: 'Reads of banks that could not be decoded' });
  metrics.gauge({
    name: 'rate.outbox.wait',
    help: 'Messages waiting for the log',
    collect: () => outbox.size,
  });
  metrics.gauge({
    name: 'rate.outbox.drop',
    help: 'Messages given up because too many waited for the log',
    collect: () => outbox.dropped,
  });
  const onReject = (bank: Address, error: unknown): void => {
    rejections.inc();
    logger.debug('rate.bank.reject', { bank, reason: describeError(error) });
  };
  const discovery = createOutage({
    component: options.readiness.component('bank-list'),
    logger,
    failEvent: 'bank.list.fail',
    resumeEvent: 'bank.list.resume',
  });
  const onSearch = (error: unknown): void => (error === null ? discovery.recovered() : discovery.failed(error));
  const banks = createBankList({ chain, program, group, maxAgeMs: options.discoveryMs, onReject, onSearch });

  async function sample(): Promise<void> {
    const listed = await banks.get(signal);
    if (listed.length === 0) throw noBanks(options);
    const readings = await readBanks(listed, { chain, program, group, signal, onReject });
    for (const { bank } of readings) banks.update(bank);
    await outbox.send(toBankMessages(readings, chain.source, onReject));
    outage.recovered();
  }

  await runBeat(options.beatMs, signal, sample, { onError: (error) => outage.failed(error) });
  await banks.idle();
}

function noBanks({ chain, program, group }: RatePollerOptions): LendingError {
  return new LendingError('CHAIN__BANKS_NOT_FOUND', {
    message: `${chain.host} has no P0 bank of group ${group} under program ${program}; check P0_GROUP, P0_PROGRAM and the cluster`,
    context: { host: chain.host, program, group },
  });
}
