import type { VNode } from 'preact';
import { useLive } from '../data/use-live.ts';
import { usePatches } from '../data/use-patches.ts';
import { useRequest } from '../data/use-request.ts';
import type { WireBank, WireBankReply, WireLimitsReply, WireLiveBank, WireLiveRate } from '../data/wire-records.ts';
import { html } from '../html.ts';
import { AsOf } from '../parts/as-of.ts';
import { Notice } from '../parts/states.ts';
import { BankCharts } from './bank-charts.ts';
import { BankHeadline } from './bank-headline.ts';
import { CollateralPanel } from './collateral-panel.ts';
import { LimitsPanel } from './limits-panel.ts';
import { OraclePanel } from './oracle-panel.ts';
import { RatePartsPanel } from './rate-parts-panel.ts';
import { ReservePanel } from './reserve-panel.ts';

/** A bank that was found. What the stream tells of it replaces what was answered. */
export function BankView({ reply }: { readonly reply: WireBankReply }): VNode {
  const { address, as_of: asOf } = reply;
  const limits = useRequest<WireLimitsReply>(`/v1/banks/${address}/limits?limit=100`);
  const [rates, addRate] = usePatches<WireLiveRate>();
  const [states, addState] = usePatches<WireLiveBank>();
  useLive(
    { rates: [address], banks: [address] },
    { rate: (rate) => addRate(rate.address, rate), bank: (state) => addState(state.bank.address, state) },
  );
  const rate = rates.get(address);
  const bank: WireBank = { ...reply, ...states.get(address)?.bank, rates: rate?.rates ?? reply.rates };
  return html`
    <${Concerns} reply=${reply} isLive=${rate !== undefined} />
    <${BankHeadline} bank=${bank} />
    <div class="bank-asof">
      <${AsOf} asOf=${asOf} time=${rate?.time} />
      <${StrategyLinks} bank=${bank} />
    </div>
    <${BankCharts} bank=${bank} newestTime=${rate?.time ?? ''} limits=${limits} />
    <div class="bank-columns">
      <${RatePartsPanel} bank=${bank} />
      <${LimitsPanel} bank=${bank} limits=${limits} />
      <${OraclePanel} bank=${bank} />
      <${CollateralPanel} bank=${bank} />
      <${ReservePanel} bank=${bank} />
    </div>
  ` as unknown as VNode;
}

/** What to know before believing the figures. Data that was stale when it was answered is not any more once the stream tells of newer. */
function Concerns({ reply, isLive }: { readonly reply: WireBankReply; readonly isLive: boolean }): VNode {
  const shown = reply.warnings.filter(({ level, code }) => level !== 'info' && !(code === 'DATA_STALE' && isLive));
  return html`${shown.map(({ code, message }) => html`<${Notice} key=${code}>${message}<//>`)}` as unknown as VNode;
}

function StrategyLinks({ bank: { symbol, borrowable } }: { readonly bank: WireBank }): VNode | null {
  if (symbol === null) return null;
  const name = encodeURIComponent(symbol);
  return html`
    <p>
      Strategies that <a href=${`/strategies?supply=${name}`}>supply ${symbol}</a>${
        borrowable && html` or <a href=${`/strategies?borrow=${name}`}>borrow it</a>`
      }
    </p>
  `;
}
