import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useLive } from '../data/use-live.ts';
import { usePatches } from '../data/use-patches.ts';
import { useRequest } from '../data/use-request.ts';
import type { WireBanksReply, WireListedBank, WireLiveBank, WireLiveRate } from '../data/wire-records.ts';
import { html } from '../html.ts';
import { announce } from '../parts/announce.ts';
import { AsOf } from '../parts/as-of.ts';
import { DataTable, readSort, sortRows, writeSort } from '../parts/data-table.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered, Empty } from '../parts/states.ts';
import { useQuery } from '../router/query.ts';
import { BANK_COLUMNS } from './bank-columns.ts';
import { BankFilters } from './bank-filters.ts';
import { BankTotals } from './bank-totals.ts';
import { CoverageNotice } from './coverage-notice.ts';
import { filterBanks, patchBanks, readFilter } from './list-banks.ts';

/** What the list shows, and no more: the whole record of every bank is ten times the bytes. */
const BANKS_URL =
  '/v1/banks?history=7d&fields=symbol,venue,operational_state,borrowable,actions_allowed,rates.total_deposit_apy_pct,' +
  'rates.total_borrow_apy_pct,rates.native_apy_pct,rates.utilization_pct,size.deposits_usd,size.borrows_usd,size.available_liquidity_usd';

const DEFAULT_SORT = { key: 'deposits', direction: 'descending' } as const;

/** All banks: what they pay and cost now, how large they are, and how that went over a week. */
export function BanksPage(): VNode {
  const request = useRequest<WireBanksReply>(BANKS_URL);
  const [rates, addRate] = usePatches<WireLiveRate>();
  const [states, addState] = usePatches<WireLiveBank>();
  useLive(request.data === null ? null : { rates: 'banks', banks: 'all' }, {
    rate: (rate) => addRate(rate.address, rate),
    bank: (state) => addState(state.bank.address, state),
  });
  return html`
    <${PageHead} title="Banks" intro="What every bank pays and costs now, across Project 0 and the venues it reaches." />
    <${Answered} request=${request} what="banks" rows=${10}>
      ${(reply: WireBanksReply) => html`<${BankList} reply=${reply} rates=${rates} states=${states} />`}
    <//>
  ` as unknown as VNode;
}

interface BankListProps {
  readonly reply: WireBanksReply;
  readonly rates: ReadonlyMap<string, WireLiveRate>;
  readonly states: ReadonlyMap<string, WireLiveBank>;
}

function BankList({ reply, rates, states }: BankListProps): VNode {
  const query = useQuery();
  const filter = readFilter(query);
  const sort = readSort(query.get('sort'), BANK_COLUMNS) ?? DEFAULT_SORT;
  const banks = useMemo(() => patchBanks(reply.banks, rates, states), [reply, rates, states]);
  const found = filterBanks(banks, filter);
  const isFiltered = found.length !== banks.length;
  useEffect(() => {
    if (isFiltered) announce(`${found.length} of ${banks.length} banks`);
  }, [found.length]);
  const newest = [...rates.values()].reduce((latest, { time }) => (time > latest ? time : latest), '');
  return html`
    <${CoverageNotice} coverage=${reply.coverage} />
    <${BankTotals} banks=${banks} />
    <section aria-labelledby="banks-title" class="panel">
      <div class="panel-head">
        <h2 id="banks-title">${isFiltered ? `${found.length} of ${banks.length} banks` : `${banks.length} banks`}</h2>
        <${AsOf} asOf=${reply.as_of} time=${newest} />
      </div>
      <${BankFilters} filter=${filter} onChange=${query.set} />
      ${
        found.length === 0
          ? html`<${Empty} title="No bank matches">
              <button type="button" onClick=${() => query.set({ q: null, venue: null, side: null })}>Show all banks</button>
            <//>`
          : html`<${DataTable}
              caption="Banks"
              columns=${BANK_COLUMNS}
              rows=${sortRows(found, BANK_COLUMNS, sort)}
              rowKey=${({ address }: WireListedBank) => address}
              sort=${sort}
              onSort=${(chosen: typeof sort) => query.set({ sort: writeSort(chosen) })}
            />`
      }
    </section>
  ` as unknown as VNode;
}
