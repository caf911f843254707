import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

/** One fact: a name and what it is. Stands in a `<dl class="facts">`. */
export function Fact({ label, children }: { readonly label: string; readonly children?: Children }): VNode {
  return html`<div><dt>${label}</dt><dd>${children}</dd></div>`;
}
