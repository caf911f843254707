import type { VNode } from 'preact';
import { formatTime, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import type { WireComponent } from './wire-status.ts';

/** Every part of the process: those that are not ready first, with their reason. */
export function ComponentsPanel({ components }: { readonly components: readonly WireComponent[] }): VNode {
  const waiting = components.filter(({ ready }) => !ready);
  const ready = components.filter((component) => component.ready);
  return html`
    <section class="panel" aria-labelledby="components-title">
      <div class="panel-head"><h2 id="components-title">Parts</h2></div>
      ${
        waiting.length > 0 &&
        html`<ul class="component-list">
          ${waiting.map(({ name, reason, since }) => html`<li key=${name}><${Badge} tone="bad">Not ready<//> <strong>${name}</strong>: ${reason ?? 'no reason was given'} <${Since} time=${since} /></li>`)}
        </ul>`
      }
      <ul class="component-grid">
        ${ready.map(({ name, since }) => html`<li key=${name} title=${`Ready since ${formatUtc(since)}`}><span class="component-dot" aria-hidden="true"></span>${name}<span class="visually-hidden"> is ready</span></li>`)}
      </ul>
    </section>
  `;
}

function Since({ time }: { readonly time: string }): VNode {
  return html`<span class="component-since">since <time datetime=${time} title=${formatUtc(time)}>${formatTime(time)}</time></span>`;
}
