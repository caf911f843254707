import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

export type Tone = 'plain' | 'good' | 'warning' | 'bad';

/** A word about a state. The colour repeats what the word says, and says nothing of its own. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: Children;
}): VNode {
  return html`<span class=${`badge badge-${tone}`} title=${title}>${children}</span>`;
}
