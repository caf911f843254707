import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Segmented } from '../parts/segmented.ts';
import { VENUES } from '../venue-words.ts';
import type { BankFilter } from './list-banks.ts';

const SIDE_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'lend', label: 'Take deposits' },
  { value: 'borrow', label: 'Lend out' },
];

/** Search, venue and side. All of them live in the URL, so that what is shown can be linked to. */
export function BankFilters({
  filter,
  onChange,
}: {
  readonly filter: BankFilter;
  readonly onChange: (values: Readonly<Record<string, string | null>>) => void;
}): VNode {
  return html`
    <form class="filters" role="search" aria-label="Banks" onSubmit=${(event: Event) => event.preventDefault()}>
      <label class="field">
        <span class="field-label">Search</span>
        <input
          type="search"
          name="q"
          value=${filter.text}
          placeholder="Symbol, venue or address"
          autocomplete="off"
          spellcheck=${false}
          onInput=${(event: Event) => onChange({ q: (event.currentTarget as HTMLInputElement).value })}
        />
      </label>
      <label class="field">
        <span class="field-label">Venue</span>
        <select name="venue" onChange=${(event: Event) => onChange({ venue: (event.currentTarget as HTMLSelectElement).value })}>
          <option value="" selected=${filter.venue === null}>All venues</option>
          ${VENUES.map((venue) => html`<option key=${venue} value=${venue} selected=${venue === filter.venue}>${venue}</option>`)}
        </select>
      </label>
      <${Segmented} legend="Side" name="side" options=${SIDE_OPTIONS} chosen=${filter.side ?? ''} onChoose=${(side: string) => onChange({ side })} />
    </form>
  `;
}
