import type { VNode } from 'preact';
import { html } from './html.ts';
import { PageHead } from './parts/page-head.ts';
import { Empty } from './parts/states.ts';

export function NotFoundPage(): VNode {
  return html`
    <${PageHead} title="Not found" />
    <${Empty} title="There is no page here"><a href="/">See all banks</a><//>
  ` as unknown as VNode;
}
