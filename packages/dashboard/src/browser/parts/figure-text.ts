import type { VNode } from 'preact';
import { UNKNOWN } from '../format/number.ts';
import { html } from '../html.ts';

/** A formatted figure; what is not known says so to who points at it or hears it. */
export function FigureText({ text, title }: { readonly text: string; readonly title?: string | undefined }): VNode {
  if (text === UNKNOWN) {
    return html`<span class="unknown" title=${title ?? 'unknown'}><span aria-hidden="true">${UNKNOWN}</span><span class="visually-hidden">${title ?? 'unknown'}</span></span>`;
  }
  return html`<span title=${title}>${text}</span>`;
}
