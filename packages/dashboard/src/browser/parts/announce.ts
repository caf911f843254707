import type { VNode } from 'preact';
import { html } from '../html.ts';
import { createStore, useStore } from '../store.ts';

const words = createStore('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Long enough that typing is not read out letter by letter. */
const SETTLE_MS = 800;

/** Says something to who does not see the page, politely, and only the last of what comes in quick succession. Rates are never announced. */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => words.set(text), SETTLE_MS);
}

export function LiveRegion(): VNode {
  return html`<div class="visually-hidden" role="status" aria-live="polite">${useStore(words)}</div>`;
}
