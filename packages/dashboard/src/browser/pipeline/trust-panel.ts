import type { VNode } from 'preact';
import { shortAddress } from '../format/address.ts';
import { formatCount } from '../format/number.ts';
import { formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge, type Tone } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty, Notice } from '../parts/states.ts';
import type { WireAudit, WireAuditedBank, WireAuditedFigure, WireVerified } from './wire-status.ts';

const COMMAND = 'npm run smoke -- --rpc URL';
type Row = Pick<WireAuditedBank, 'bank' | 'symbol' | 'overruled_until'> & WireAuditedFigure;

/** Whether this service was seen to agree with the lending program as it runs, and the banks of which its figures do not. */
export function TrustPanel({
  verified,
  audit,
}: {
  readonly verified: WireVerified | null;
  readonly audit: WireAudit | null;
}): VNode {
  const [tone, word] = describeRun(verified);
  return html`
    <section class="panel" aria-labelledby="trust-title">
      <div class="panel-head"><h2 id="trust-title">Against the program</h2><${Badge} tone=${tone}>${word}<//></div>
      ${tone === 'warning' || tone === 'bad' ? html`<${Notice}>${adviceOf(verified)}<//>` : null}
      ${audit === null ? html`<${Empty} title="Nothing is known of what was compared">The database does not answer.<//>` : html`<${Compared} audit=${audit} />`}
    </section>
  ` as VNode;
}

function describeRun(verified: WireVerified | null): readonly [Tone, string] {
  if (verified === null) return ['warning', 'Not verified'];
  if (verified.kind === 'local_chain') return ['plain', 'Local chain'];
  if (verified.verdict === 'trusted') return ['good', 'Verified'];
  return verified.verdict === 'not_trusted' ? ['bad', 'Not trusted'] : ['warning', 'Verified, with exceptions'];
}

function adviceOf(verified: WireVerified | null) {
  const command = html`<code>${COMMAND}</code>`;
  if (verified === null || verified.at === null) {
    return html`No run of first contact stands for the lending program as it runs. An operator runs ${command}`;
  }
  const exceptions = verified.exceptions ?? [];
  return html`The run of ${formatUtc(verified.at)} ${verified.verdict === 'not_trusted' ? 'does not trust this service' : 'made exceptions'}: ${exceptions.join('; ')}. To run it again: ${command}`;
}

function Compared({ audit: { compared, differed, unverified, banks } }: { readonly audit: WireAudit }): VNode {
  const rows: readonly Row[] = banks.flatMap(({ bank, symbol, overruled_until, figures }) =>
    figures
      .filter(({ unverified_since: since }) => since !== null)
      .map((figure) => ({ bank, symbol, overruled_until, ...figure })),
  );
  const figure = (value: number) => html`<${FigureText} text=${formatCount(value)} />`;
  return html`
    <dl class="facts facts-wide">
      <div><dt>Figures compared with the program's</dt><dd>${figure(compared)}</dd></div>
      <div><dt>Differed by more than they may</dt><dd>${figure(differed)}</dd></div>
      <div><dt>Banks compared</dt><dd>${figure(banks.length)}</dd></div>
      <div><dt>Banks that are not trusted</dt><dd>${figure(unverified)}</dd></div>
    </dl>
    ${
      rows.length > 0 &&
      html`
        <${Notice}>Borrowing, loops, and withdrawals that leave debt are refused at these banks, unless an operator overrules it.<//>
        <${DataTable} caption="Figures that disagree with the program" columns=${COLUMNS} rows=${rows} rowKey=${({ bank, figure: name }: Row) => `${bank} ${name}`} />
      `
    }
  ` as VNode;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'bank',
    label: 'Bank',
    cell: ({ bank, symbol }) => html`<a href=${`/banks/${bank}`} title=${bank}>${symbol ?? shortAddress(bank)}</a>`,
  },
  { key: 'figure', label: 'Figure', cell: ({ figure }) => figure },
  {
    key: 'field',
    label: 'Field',
    cell: ({ last_difference: last }) =>
      last === null ? html`<${FigureText} text="unknown" />` : html`<code>${last.field}</code>`,
  },
  {
    key: 'ours',
    label: 'Ours',
    title: 'In raw units of the field, as the program stores it',
    align: 'end',
    cell: ({ last_difference: last }) => html`<${FigureText} text=${last?.ours ?? 'unknown'} />`,
  },
  {
    key: 'theirs',
    label: "The program's",
    align: 'end',
    cell: ({ last_difference: last }) => html`<${FigureText} text=${last?.theirs ?? 'unknown'} />`,
  },
  {
    key: 'bound',
    label: 'May differ by',
    align: 'end',
    cell: ({ last_difference: last }) => html`<${FigureText} text=${last?.bound ?? 'unknown'} />`,
  },
  {
    key: 'since',
    label: 'Since slot',
    align: 'end',
    cell: ({ unverified_since: since }) => html`<${FigureText} text=${formatCount(since)} />`,
  },
  {
    key: 'overruled',
    label: 'Overruled until',
    cell: ({ overruled_until: until }) =>
      until === null ? 'no' : html`<time datetime=${until}>${formatUtc(until)}</time>`,
  },
];
