import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import { formatCount, UNKNOWN } from '../format/number.ts';
import { formatAge } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { FigureText } from '../parts/figure-text.ts';
import { FigureTile } from '../parts/figure-tile.ts';
import type { WireStatus } from './wire-status.ts';

/** The whole at a glance. */
export function StatusTiles({ status }: { readonly status: WireStatus }): VNode {
  const now = useNow(1_000);
  const { ready, components, chain, indexer, banks, version } = status;
  const waiting = components.filter((component) => !component.ready).length;
  const slot = (value: number | null | undefined) => html`<${FigureText} text=${formatCount(value)} />`;
  return html`
    <dl class="tiles">
      <${FigureTile}
        label="Service"
        value=${html`<${Badge} tone=${ready ? 'good' : 'bad'}>${ready ? 'Ready' : 'Not ready'}<//>`}
        note=${waiting === 0 ? `all ${components.length} parts are ready` : `${waiting} of ${components.length} parts are not ready`}
      />
      <${FigureTile} label="Newest rates" value=${slot(chain?.slot)} note=${chain === null ? 'none yet' : `slot, ${formatAge(chain.time, now)}`} />
      <${FigureTile}
        label="Accounts told up to"
        value=${slot(indexer?.tip?.slot)}
        note=${indexer?.tip == null ? 'nothing yet' : `slot, ${formatAge(indexer.tip.time, now)}`}
      />
      <${FigureTile}
        label="Not final"
        value=${slot(indexer?.unfinal_slots)}
        note=${indexer?.root_slot == null ? 'slots' : `slots above ${formatCount(indexer.root_slot)}`}
      />
      <${FigureTile} label="Banks" value=${banks === null ? UNKNOWN : formatCount(banks)} note=${`version ${version}`} />
    </dl>
  `;
}
