import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Metrics, type Readiness } from '@lending/runtime';
import type { ReserveKeys, VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AgingList } from './aging-list.ts';
import { type BankList, createBankList } from './bank-list.ts';
import type { RecalledRates } from './epoch-recall.ts';
import { createNativeRates, type NativeRates } from './native-rates.ts';
import { rejecterOf } from './report-rejections.ts';
import { createReserveList } from './reserve-list.ts';
import { tell } from './tell-outage.ts';

/** What all lists of what there is to be read are made with. */
export interface ListOptions {
  readonly chain: Chain;
  /** How old a list may get before it is asked for again, in milliseconds. */
  readonly discoveryMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** The group's banks, of all venues. */
export function openBankList(options: ListOptions & { readonly program: Address; readonly group: Address }): BankList {
  const { chain, program, group, discoveryMs: maxAgeMs, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('bank-list'),
    logger,
    failEvent: 'bank.list.fail',
    resumeEvent: 'bank.list.resume',
  });
  const onReject = rejecterOf('unknown', options);
  return createBankList({ chain, program, group, maxAgeMs, onReject, onSearch: tell(outage) });
}

/** The reserves of one venue. */
export function openReserveList(options: ListOptions, adapter: VenueAdapter): AgingList<ReserveKeys> {
  const { chain, discoveryMs: maxAgeMs, logger, readiness } = options;
  const { venue } = adapter;
  const outage = createOutage({
    component: readiness.component(`reserve-list ${venue}`),
    logger: logger.child({ venue }),
    failEvent: 'reserve.list.fail',
    resumeEvent: 'reserve.list.resume',
  });
  return createReserveList({ chain, adapter, maxAgeMs, onReject: rejecterOf(venue, options), onSearch: tell(outage) });
}

/** Staking tokens, and what they earn. */
export function openNativeRates(options: ListOptions & { readonly recallNativeRates?: RecalledRates }): NativeRates {
  const { chain, discoveryMs: maxAgeMs, recallNativeRates: recall = null, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('stake-pool-list'),
    logger,
    failEvent: 'stake.list.fail',
    resumeEvent: 'stake.list.resume',
  });
  return createNativeRates({
    chain,
    maxAgeMs,
    recall,
    onReject: rejecterOf('unknown', options),
    onSearch: tell(outage),
    onRecallFailure: (error) => logger.warn('stake.recall.fail', { error }),
  });
}
