import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import type { WireAsOf } from '../data/wire-records.ts';
import { formatCount } from '../format/number.ts';
import { formatAge, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';

/** How old what is shown is, and where it was read. `time` is newer where a stream went on from the answer. */
export function AsOf({ asOf, time }: { readonly asOf: WireAsOf; readonly time?: string | undefined }): VNode {
  const now = useNow();
  const newest = time !== undefined && time > asOf.time ? time : asOf.time;
  return html`
    <p class="as-of">
      As of <time datetime=${newest} title=${formatUtc(newest)}>${formatAge(newest, now)}</time>
      ${newest === asOf.time && asOf.slot !== null && html`, slot ${formatCount(asOf.slot)}`}
      ${asOf.source === 'localnet' && html`, from the built-in test chain, not Solana`}
    </p>
  `;
}
