import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

/** One headline figure: what it is, the figure, and a line of what it is made of. Stands in a `<dl class="tiles">`. */
export function FigureTile({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: Children;
  readonly note?: Children;
}): VNode {
  return html`
    <div class="tile">
      <dt>${label}</dt>
      <dd class="tile-value">${value}</dd>
      ${note !== undefined && html`<dd class="tile-note">${note}</dd>`}
    </div>
  `;
}
