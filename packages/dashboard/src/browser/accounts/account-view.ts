import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLive } from '../data/use-live.ts';
import { type Requested, useRequest } from '../data/use-request.ts';
import { useSpacedReload } from '../data/use-spaced-reload.ts';
import type { WireWarning } from '../data/wire-records.ts';
import { formatFactor, formatPct, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { announce } from '../parts/announce.ts';
import { AsOf } from '../parts/as-of.ts';
import { FigureText } from '../parts/figure-text.ts';
import { FigureTile } from '../parts/figure-tile.ts';
import { Answered, Empty, Notice } from '../parts/states.ts';
import { ActivityList } from './activity-list.ts';
import { HealthGauge } from './health-gauge.ts';
import { STATUS_WORDS } from './health-words.ts';
import { BorrowLimits, Orders } from './limits-panel.ts';
import { mergeActivity } from './merge-activity.ts';
import { Positions } from './positions-table.ts';
import { StressTable } from './stress-table.ts';
import type {
  WireAccount,
  WireAccountsReply,
  WireActivity,
  WireActivityReply,
  WireHealth,
  WireHealthReply,
  WireLiveHealth,
} from './wire-account.ts';

const SHOWN_ACTIVITY = 12;

interface AccountViewProps {
  /** What was asked for: the account, or the wallet that owns it. */
  readonly asked: string;
  readonly account: WireAccount;
  readonly reply: WireAccountsReply;
  readonly request: Requested<WireAccountsReply>;
}

/** One account. What is told of it while it is shown is drawn at once, and everything is asked for again soon after. */
export function AccountView({ asked, account, reply, request }: AccountViewProps): VNode {
  const { address } = account;
  const stress = useRequest<WireHealthReply>(`/v1/health/${address}`);
  const activity = useRequest<WireActivityReply>(`/v1/activity/${address}?limit=${SHOWN_ACTIVITY}`);
  const [told, setTold] = useState<{ readonly after: WireAccountsReply; readonly health: WireHealth } | null>(null);
  const [happened, setHappened] = useState<readonly WireActivity[]>([]);
  const askAgain = useSpacedReload(() => {
    request.reload();
    stress.reload();
  });
  useLive(
    { health: [address], activity: [address] },
    {
      health: (event) => {
        const { from, to, health } = event as unknown as WireLiveHealth;
        setTold({ after: reply, health });
        if (from === null || from === to) return;
        announce(`Health is now ${STATUS_WORDS[to].label}`);
        askAgain();
      },
      activity: (event) => {
        const entry = event as unknown as WireActivity;
        setHappened((before) => [entry, ...before.filter(({ id }) => id !== entry.id)].slice(0, SHOWN_ACTIVITY));
        askAgain();
      },
    },
  );
  // What was told is newer than the answer it came after, and older than the next one.
  const health = told !== null && told.after === reply ? told.health : account.health;
  return html`
    ${reply.warnings
      .filter((warning) => concerns(warning, account))
      .map(({ message }) => html`<${Notice} key=${message}>${message}<//>`)}
    <${Totals} account=${account} asked=${asked} />
    <div class="account-columns">
      <section class="panel panel-padded" aria-label="Health">
        <div class="panel-head"><h2>Health</h2><${AsOf} asOf=${reply.as_of} /></div>
        <${HealthGauge} health=${health} />
      </section>
      <${Answered} request=${stress} what="what a fall of the market does" rows=${4}>
        ${(answer: WireHealthReply) => html`<${StressTable} stress=${answer.stress} />`}
      <//>
    </div>
    <${Positions} positions=${account.positions} />
    <div class="account-columns">
      <${BorrowLimits} limits=${account.max_borrow} />
      <section class="panel" aria-label="Recent activity">
        <div class="panel-head"><h2>Recent activity</h2></div>
        <${Answered} request=${activity} what="activity" rows=${4}>
          ${(answer: WireActivityReply) => {
            const all = mergeActivity(happened, answer.activity ?? [], SHOWN_ACTIVITY);
            return all.length === 0
              ? html`<${Empty} title="Nothing yet">${answer.coverage.complete ? 'Nothing was done to this account that this service has read.' : `The past is still being read: ${answer.coverage.reason}.`}<//>`
              : html`<${ActivityList} activity=${all} />`;
          }}
        <//>
      </section>
    </div>
    <${Orders} orders=${account.orders} />
  ` as unknown as VNode;
}

/** Of an answer about a wallet, the warnings that this account is meant by. */
function concerns({ code, message, bank }: WireWarning, account: WireAccount): boolean {
  if (code === 'ACCOUNT_RESTRICTED') return message.includes(account.address);
  return code === 'BANK_UNKNOWN' && account.positions.some((position) => position.bank === bank);
}

function Totals({ account, asked }: { readonly account: WireAccount; readonly asked: string }): VNode {
  const { equity_usd, assets_usd, liabilities_usd, leverage, net_apy_pct } = account;
  const figure = (text: string) => html`<${FigureText} text=${text} />`;
  return html`
    <dl class="tiles">
      <${FigureTile} label="Equity" value=${figure(formatUsd(equity_usd))} note="supplied less owed" />
      <${FigureTile} label="Supplied" value=${figure(formatUsd(assets_usd))} />
      <${FigureTile} label="Owed" value=${figure(formatUsd(liabilities_usd))} />
      <${FigureTile}
        label="Net APY"
        value=${figure(formatPct(net_apy_pct))}
        note=${leverage === null ? 'on equity, at the rates now' : `on equity, ${formatFactor(Math.round(leverage * 100) / 100, '×')} leverage`}
      />
    </dl>
    <p class="account-names">
      ${
        asked === account.address
          ? account.authority !== null &&
            html`Owned by <a class="address" href=${`/accounts/${account.authority}`}>${account.authority}</a>, `
          : html`Account <a class="address" href=${`/accounts/${account.address}`}>${account.address}</a>, `
      }
      ${account.balance_slots_used} of ${account.balance_slots_max} balances used
    </p>
  ` as unknown as VNode;
}
