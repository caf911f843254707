import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useMore } from '../data/use-more.ts';
import { type Requested, useRequest } from '../data/use-request.ts';
import { formatCount } from '../format/number.ts';
import { html } from '../html.ts';
import { announce } from '../parts/announce.ts';
import { AsOf } from '../parts/as-of.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered, Empty, Notice } from '../parts/states.ts';
import { useQuery } from '../router/query.ts';
import { StrategyFilters } from './strategy-filters.ts';
import { isFiltered, readQuestion, type StrategyQuestion, strategiesPath } from './strategy-question.ts';
import { StrategyTable } from './strategy-table.ts';
import type { WireStrategiesReply } from './wire-strategies.ts';

/** Pairs to supply and to borrow, best first: what they pay, what they risk, what fits, and what getting in costs. */
export function StrategiesPage(): VNode {
  const query = useQuery();
  const question = readQuestion(query.get);
  const path = strategiesPath(question);
  const request = useRequest<WireStrategiesReply>(path);
  const reply = request.data;
  return html`
    <${PageHead} title="Strategies" intro="Supply one token, borrow another: every pair the program allows, ranked by yield, risk, room and cost.">
      <button type="button" disabled=${request.isLoading} onClick=${request.reload}>Refresh</button>
    <//>
    <section class="panel" aria-labelledby="strategies-title">
      <div class="panel-head">
        <h2 id="strategies-title">${reply === null ? 'Pairs' : `${formatCount(reply.total)} ${reply.total === 1 ? 'pair' : 'pairs'}`}</h2>
        ${reply !== null && html`<${AsOf} asOf=${reply.as_of} />`}
      </div>
      <${StrategyFilters} question=${question} />
      <${Answered} request=${request} what="strategies" rows=${10}>
        ${(answer: WireStrategiesReply) => html`<${Ranking} path=${path} reply=${answer} question=${question} request=${request} />`}
      <//>
    </section>
  ` as unknown as VNode;
}

interface RankingProps {
  readonly path: string;
  readonly reply: WireStrategiesReply;
  readonly question: StrategyQuestion;
  readonly request: Requested<WireStrategiesReply>;
}

function Ranking({ path, reply, question, request }: RankingProps): VNode {
  const { pages, hasMore, more, isLoading, error } = useMore(path, request.data);
  const query = useQuery();
  const strategies = [reply, ...pages].flatMap((page) => page.strategies);
  useEffect(() => announce(`${strategies.length} of ${reply.total} strategies`), [path, strategies.length]);
  if (strategies.length === 0) {
    return html`
      <${Empty} title="No strategy matches">
        ${
          isFiltered(question)
            ? html`<button type="button" onClick=${() => query.set({ supply: null, borrow: null, kind: null, venue: null })}>Show all strategies</button>`
            : (reply.empty_reason ?? 'No two banks can be combined now.')
        }
      <//>
    `;
  }
  return html`
    <${Skipped} coverage=${reply.coverage} />
    <${StrategyTable} strategies=${strategies} />
    <div class="table-foot">
      <p class="table-count">${formatCount(strategies.length)} of ${formatCount(reply.total)} pairs</p>
      ${error !== null && html`<p role="alert">Could not load more: ${error.message}</p>`}
      ${hasMore && html`<button type="button" disabled=${isLoading} onClick=${more}>${isLoading ? 'Loading …' : 'Show more'}</button>`}
    </div>
  ` as unknown as VNode;
}

/** Pairs that are not listed because a rate of one of their banks is not known. */
function Skipped({ coverage }: Pick<WireStrategiesReply, 'coverage'>): VNode | null {
  const { banks_skipped: banks, venues_missing: venues } = coverage;
  if (banks.length === 0 && venues.length === 0) return null;
  return html`
    <${Notice} tone="info">
      <ul>
        ${venues.map(({ venue, reason }) => html`<li key=${venue}>Rates of ${venue} are not current: ${reason}</li>`)}
        ${
          banks.length > 0 &&
          html`<li>
            <details>
              <summary>${banks.length} ${banks.length === 1 ? 'bank is' : 'banks are'} in no pair, because too little is known of ${banks.length === 1 ? 'it' : 'them'}</summary>
              <ul>${banks.map(({ bank, reason }) => html`<li key=${bank}><a href=${`/banks/${bank}`}>${bank}</a>: ${reason}</li>`)}</ul>
            </details>
          </li>`
        }
      </ul>
    <//>
  `;
}
