import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import { formatTokens, formatUsd } from '../format/number.ts';
import { formatAge, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import type { WireActivity, WireLeg } from './wire-account.ts';

const KINDS: Readonly<Record<string, string>> = {
  create_account: 'Account opened',
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
  borrow: 'Borrow',
  repay: 'Repayment',
  liquidation: 'Liquidation',
  loop: 'Loop',
  close_position: 'Position closed',
  transfer: 'Transfer',
  emissions_claim: 'Rewards claimed',
  order: 'Order',
  bankruptcy: 'Bankruptcy',
};
const ACTIONS: Readonly<Record<WireLeg['action'], string>> = {
  deposit: 'supplied',
  withdraw: 'withdrew',
  borrow: 'borrowed',
  repay: 'repaid',
  seize: 'lost',
  write_off: 'was forgiven',
};

/** What was done, newest first. */
export function ActivityList({ activity }: { readonly activity: readonly WireActivity[] }): VNode {
  const now = useNow();
  return html`
    <ol class="activity">
      ${activity.map(
        ({ id, kind, time, finality, legs, actor, authority }) => html`
          <li key=${id}>
            <span class="activity-kind">${KINDS[kind] ?? kind.replaceAll('_', ' ')}</span>
            <span class="activity-legs">${legs.map((leg, index) => html`<span key=${index}>${legWords(leg)}</span>`)}</span>
            <span class="activity-when">
              ${finality === 'confirmed' && html`<${Badge} title="Confirmed: it can still be dropped with its fork">not final<//>`}
              ${actor !== authority && html`<${Badge} title=${`Done by ${actor}, not by the owner`}>by another<//>`}
              <time datetime=${time} title=${formatUtc(time)}>${formatAge(time, now)}</time>
            </span>
          </li>
        `,
      )}
    </ol>
  `;
}

function legWords({ action, amount_ui, amount_usd, symbol, bank, close_side }: WireLeg): string {
  const name = symbol ?? `${bank.slice(0, 4)}…`;
  const what = amount_ui === null ? `an unknown amount of ${name}` : formatTokens(amount_ui, name);
  const worth = amount_usd === null ? '' : ` (${formatUsd(amount_usd)})`;
  return `${ACTIONS[action]} ${what}${worth}${close_side ? ', all of it' : ''}`;
}
