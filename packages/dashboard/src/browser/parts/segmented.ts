import type { VNode } from 'preact';
import { html } from '../html.ts';

/** One of a few: radio buttons that look like one control. */
export function Segmented({
  legend,
  name,
  options,
  chosen,
  onChoose,
}: {
  readonly legend: string;
  /** Of the radio group; unique on the page. */
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}): VNode {
  return html`
    <fieldset class="segmented">
      <legend class="visually-hidden">${legend}</legend>
      ${options.map(
        ({ value, label }) => html`
          <label key=${value}>
            <input type="radio" name=${name} value=${value} checked=${value === chosen} onChange=${() => onChoose(value)} />
            <span>${label}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}
