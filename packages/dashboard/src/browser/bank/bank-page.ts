import type { VNode } from 'preact';
import { useRequest } from '../data/use-request.ts';
import type { WireBankReply } from '../data/wire-records.ts';
import { formatPct } from '../format/number.ts';
import { html } from '../html.ts';
import { AsOf } from '../parts/as-of.ts';
import { FigureTile } from '../parts/figure-tile.ts';
import { LiveFigure } from '../parts/live-figure.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered } from '../parts/states.ts';

/** One bank. */
export function BankPage({ params }: { readonly params: { readonly address?: string } }): VNode {
  const request = useRequest<WireBankReply>(`/v1/banks/${encodeURIComponent(params.address ?? '')}`);
  return html`
    <${PageHead} title=${request.data?.symbol ?? 'Bank'} />
    <${Answered} request=${request} what="the bank">
      ${(bank: WireBankReply) => html`
        <dl class="tiles">
          <${FigureTile} label="Deposit APY" value=${html`<${LiveFigure} value=${bank.rates.total_deposit_apy_pct} format=${formatPct} />`} />
        </dl>
        <${AsOf} asOf=${bank.as_of} />
      `}
    <//>
  ` as unknown as VNode;
}
