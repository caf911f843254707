import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import type { Patches } from '../data/use-patches.ts';
import { formatCount } from '../format/number.ts';
import { formatAge, formatSeconds, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import type { WireStatus, WireVenueStatus } from './wire-status.ts';

export interface NewestSample {
  readonly slot: number;
  readonly time: string;
}
type Row = WireVenueStatus & { readonly behind: number | null };

/** How far each venue was sampled; newer samples that were told since the answer count. */
export function VenuesPanel({
  status,
  newest,
}: {
  readonly status: WireStatus;
  readonly newest: Patches<NewestSample>;
}): VNode {
  const now = useNow(1_000);
  const { venues } = status;
  if (venues === null) {
    return html`<section class="panel" aria-label="Venues"><${Empty} title="Nothing is known of the venues">The database does not answer.<//></section>`;
  }
  const rows = venues.map((venue) => ({ ...venue, newest: later(venue.newest, newest.get(venue.venue)) }));
  const tip = Math.max(status.indexer?.tip?.slot ?? 0, ...rows.map((row) => row.newest?.slot ?? 0));
  const shown: Row[] = rows.map((row) => ({ ...row, behind: row.newest === null ? null : tip - row.newest.slot }));
  return html`
    <section class="panel" aria-labelledby="venues-title">
      <div class="panel-head"><h2 id="venues-title">Venues</h2></div>
      <${DataTable} caption="Venues and their newest samples" columns=${columns(now)} rows=${shown} rowKey=${({ venue }: Row) => venue} />
    </section>
  `;
}

function columns(now: number): readonly Column<Row>[] {
  return [
    { key: 'venue', label: 'Venue', cell: ({ venue }) => venue },
    {
      key: 'state',
      label: 'Samples',
      cell: ({ stale, newest }) =>
        newest === null
          ? html`<${Badge} tone="bad">None yet<//>`
          : html`<${Badge} tone=${stale ? 'bad' : 'good'}>${stale ? 'Stale' : 'Current'}<//>`,
    },
    {
      key: 'age',
      label: 'Newest',
      align: 'end',
      cell: ({ newest }) =>
        newest === null
          ? html`<${FigureText} text="never" />`
          : html`<time datetime=${newest.time} title=${formatUtc(newest.time)}>${formatAge(newest.time, now)}</time>`,
    },
    {
      key: 'late',
      label: 'Late by',
      title: 'How much older than a beat the newest sample is',
      align: 'end',
      cell: ({ newest, beat_seconds: beat }) => {
        const late = newest === null || beat === null ? null : (now - Date.parse(newest.time)) / 1000 - beat;
        const title =
          beat === null ? 'unknown: no poller said how often it is sampled' : `sampled every ${formatSeconds(beat)}`;
        return html`<${FigureText} text=${late !== null && late < 1 ? 'nothing' : formatSeconds(late)} title=${title} />`;
      },
    },
    {
      key: 'slot',
      label: 'At slot',
      align: 'end',
      cell: ({ newest }) => html`<${FigureText} text=${formatCount(newest?.slot)} />`,
    },
    {
      key: 'behind',
      label: 'Slots behind',
      title: 'Behind the newest slot that anything here was read at. Venues are asked on a beat, not every slot.',
      align: 'end',
      cell: ({ behind }) => html`<${FigureText} text=${formatCount(behind)} />`,
    },
    {
      key: 'gap',
      label: 'Missed in 24 h',
      title: 'Of the last 24 whole hours, how long nothing of the venue was sampled',
      align: 'end',
      cell: ({ gap_seconds_24h: gap }) =>
        html`<${FigureText} text=${gap === 0 ? 'nothing' : formatSeconds(gap)} title=${gap === null ? 'unknown: its first whole hour is not over' : undefined} />`,
    },
    {
      key: 'quarantined',
      label: 'Not believed in 24 h',
      title: 'Readings that made no sense; they are served nowhere',
      align: 'end',
      cell: ({ quarantined_24h: count, last_quarantined: last }) =>
        html`<${FigureText} text=${formatCount(count)} title=${last === null ? undefined : `Last: ${last.reason}, ${last.detail}, ${formatUtc(last.time)}`} />`,
    },
    { key: 'pools', label: 'Banks', align: 'end', cell: ({ banks }) => formatCount(banks) },
    { key: 'reserves', label: 'Reserves', align: 'end', cell: ({ reserves }) => formatCount(reserves) },
  ];
}

function later(answered: NewestSample | null, told: NewestSample | undefined): WireVenueStatus['newest'] {
  const newest = told !== undefined && (answered === null || told.slot > answered.slot) ? told : answered;
  return newest === null ? null : { age_seconds: 0, ...newest };
}
