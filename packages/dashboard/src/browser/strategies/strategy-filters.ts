import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRequest } from '../data/use-request.ts';
import type { WireBanksReply } from '../data/wire-records.ts';
import { html } from '../html.ts';
import { useQuery } from '../router/query.ts';
import { VENUES } from '../venue-words.ts';
import { DEFAULT_ORDER, isFiltered, LONGEST_SYMBOL, ORDERS, type StrategyQuestion } from './strategy-question.ts';
import { KIND_WORDS } from './strategy-words.ts';
import { STRATEGY_KINDS } from './wire-strategies.ts';

/** Long enough to type a symbol in one go: each pause is a request. */
const TYPING_MS = 800;

/** Of all banks, to choose from. */
const SYMBOLS_URL = '/v1/banks?fields=symbol';
const SYMBOLS_ID = 'strategy-symbols';

/** Filters and order; all of them are in the URL, which is what others are sent. */
export function StrategyFilters({ question }: { readonly question: StrategyQuestion }): VNode {
  const query = useQuery();
  const banks = useRequest<WireBanksReply>(SYMBOLS_URL).data?.banks ?? [];
  const symbols = [...new Set(banks.flatMap(({ symbol }) => symbol ?? []))].toSorted((a, b) => a.localeCompare(b));
  const choose = (name: string) => (event: Event) =>
    query.set({ [name]: (event.currentTarget as HTMLSelectElement).value });
  return html`
    <form class="filters" role="search" aria-label="Strategies" onSubmit=${(event: Event) => event.preventDefault()}>
      <datalist id=${SYMBOLS_ID}>${symbols.map((symbol) => html`<option key=${symbol} value=${symbol}></option>`)}</datalist>
      <${SymbolField} label="Supply" name="supply" known=${symbols} value=${question.supply} onSettled=${(text: string) => query.set({ supply: text })} />
      <${SymbolField} label="Borrow" name="borrow" known=${symbols} value=${question.borrow} onSettled=${(text: string) => query.set({ borrow: text })} />
      <label class="field">
        <span class="field-label">Kind</span>
        <select value=${question.kind} onChange=${choose('kind')}>
          <option value="">All</option>
          ${STRATEGY_KINDS.map((kind) => html`<option key=${kind} value=${kind} selected=${kind === question.kind}>${KIND_WORDS[kind].label}</option>`)}
        </select>
      </label>
      <label class="field">
        <span class="field-label">Venue</span>
        <select value=${question.venue} onChange=${choose('venue')}>
          <option value="">All</option>
          ${VENUES.map((venue) => html`<option key=${venue} value=${venue} selected=${venue === question.venue}>${venue}</option>`)}
        </select>
      </label>
      <label class="field">
        <span class="field-label">Order by</span>
        <select
          value=${question.order}
          onChange=${(event: Event) => {
            const { value } = event.currentTarget as HTMLSelectElement;
            query.set({ order: value === DEFAULT_ORDER ? null : value });
          }}
        >
          ${Object.entries(ORDERS).map(([key, label]) => html`<option key=${key} value=${key} selected=${key === question.order}>${label}</option>`)}
        </select>
      </label>
      ${
        isFiltered(question) &&
        html`<button type="button" class="quiet" onClick=${() => query.set({ supply: null, borrow: null, kind: null, venue: null })}>Clear filters</button>`
      }
    </form>
  `;
}

interface SymbolFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly known: readonly string[];
  readonly onSettled: (text: string) => void;
}

/** A whole symbol, told when it is one that is known, when the typing pauses, on Enter, or on leaving the field. */
function SymbolField({ label, name, value, known, onSettled }: SymbolFieldProps): VNode {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // What is told after a pause goes by the filters of then, not of when the typing began.
  const newest = useRef(onSettled);
  newest.current = onSettled;
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (next: string): void => {
    clearTimeout(timer.current);
    if (next.trim() !== value) newest.current(next.trim());
  };
  return html`
    <label class="field">
      <span class="field-label">${label}</span>
      <input
        type="search"
        name=${name}
        value=${text}
        list=${SYMBOLS_ID}
        placeholder="Any symbol"
        autocomplete="off"
        autocapitalize="off"
        spellcheck=${false}
        maxlength=${LONGEST_SYMBOL}
        onInput=${(event: Event) => {
          const next = (event.currentTarget as HTMLInputElement).value;
          setText(next);
          clearTimeout(timer.current);
          // One that was chosen from the list is whole.
          if (next === '' || known.includes(next)) settle(next);
          else timer.current = setTimeout(() => settle(next), TYPING_MS);
        }}
        onChange=${(event: Event) => settle((event.currentTarget as HTMLInputElement).value)}
      />
    </label>
  `;
}
