import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Children, html } from '../html.ts';

/** The heading of a page; also its title in the browser. A navigation moves the focus here, so that the new page is read out. */
export function PageHead({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro?: Children;
  readonly children?: Children;
}): VNode {
  useEffect(() => {
    document.title = `${title} · Lending`;
  }, [title]);
  return html`
    <div class="page-head">
      <div>
        <h1 tabindex="-1">${title}</h1>
        ${intro !== undefined && html`<p class="intro">${intro}</p>`}
      </div>
      ${children}
    </div>
  `;
}
