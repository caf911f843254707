import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { html } from '../html.ts';
import { FigureText } from './figure-text.ts';

/** A figure that a stream changes: marked for a moment when what is shown rose or fell, and not when it only moved behind the digits shown. */
export function LiveFigure({
  value,
  format,
}: {
  readonly value: number | null | undefined;
  readonly format: (value: number | null | undefined) => string;
}): VNode {
  const text = format(value);
  const before = useRef({ value, text, changes: 0, direction: '' });
  if (before.current.text !== text) {
    const { value: was, changes } = before.current;
    const direction = value == null || was == null ? '' : value > was ? 'rose' : 'fell';
    before.current = { value, text, changes: changes + 1, direction };
  }
  const { changes, direction } = before.current;
  // A new key is a new element: that is what starts the animation again.
  return html`<span key=${changes} class=${`live-figure ${direction}`}><${FigureText} text=${text} /></span>`;
}
