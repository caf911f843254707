import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RequestError } from '../data/fetch-json.ts';
import type { Requested } from '../data/use-request.ts';
import { type Children, html } from '../html.ts';
import { announce } from './announce.ts';

/** Room for what is being asked for, so that the page does not jump when it comes. */
export function Loading({ what, rows = 6 }: { readonly what: string; readonly rows?: number }): VNode {
  return html`
    <div class="loading" role="status">
      <span class="visually-hidden">Loading ${what}</span>
      ${Array.from({ length: rows }, (_, row) => html`<div class="loading-row" key=${row} aria-hidden="true"></div>`)}
    </div>
  `;
}

/** Nothing was found: why, and what to do instead. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Children }): VNode {
  return html`
    <div class="state">
      <p class="state-title">${title}</p>
      ${children !== undefined && html`<div class="state-words">${children}</div>`}
    </div>
  `;
}

/** Something failed: the service's own words, and a way to try again. */
export function Failed({
  what,
  error,
  retry,
}: {
  readonly what: string;
  readonly error: RequestError;
  retry(): void;
}): VNode {
  return html`
    <div class="state state-failed" role="alert">
      <p class="state-title">Could not load ${what}</p>
      <p class="state-words">${error.message}</p>
      <p class="state-words"><code>${error.code}</code></p>
      <button type="button" onClick=${retry}>Try again</button>
    </div>
  `;
}

/** What is shown is older than it should be, or could not be asked for again. */
export function Notice({
  tone = 'warning',
  children,
}: {
  readonly tone?: 'info' | 'warning';
  readonly children?: Children;
}): VNode {
  return html`<div class=${`notice notice-${tone}`}>${children}</div>`;
}

/**
 * Shows what was asked for, or how far it got: loading, failed, or the data, with a notice above it when asking again failed.
 * `what` completes "Loading …" and "Could not load …".
 */
export function Answered<T>({
  request,
  what,
  rows,
  children,
}: {
  readonly request: Requested<T>;
  readonly what: string;
  readonly rows?: number;
  readonly children: (data: T) => Children;
}): VNode {
  const { data, error, isLoading, reload } = request;
  useEffect(() => {
    if (error !== null && data !== null) announce(`Could not refresh ${what}`);
  }, [error]);
  if (data === null) {
    if (error !== null) return html`<${Failed} what=${what} error=${error} retry=${reload} />`;
    return html`<${Loading} what=${what} rows=${rows} />`;
  }
  return html`
    ${
      error !== null &&
      html`<${Notice}>
        Could not refresh ${what}: ${error.message} What is shown may be old.${' '}
        <button type="button" class="quiet" disabled=${isLoading} onClick=${reload}>Try again</button>
      <//>`
    }
    ${children(data)}
  ` as VNode;
}
