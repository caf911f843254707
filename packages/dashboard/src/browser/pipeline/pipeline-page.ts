import type { VNode } from 'preact';
import { useLive } from '../data/use-live.ts';
import { usePatches } from '../data/use-patches.ts';
import { usePoliteReload } from '../data/use-polite-reload.ts';
import { useRequest } from '../data/use-request.ts';
import { html } from '../html.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered, Notice } from '../parts/states.ts';
import { ComponentsPanel } from './components-panel.ts';
import { IndexerPanel } from './indexer-panel.ts';
import { SourcesPanel } from './sources-panel.ts';
import { StatusTiles } from './status-tiles.ts';
import { TopicsPanel } from './topics-panel.ts';
import { TrustPanel } from './trust-panel.ts';
import { type NewestSample, VenuesPanel } from './venues-panel.ts';
import type { WireStatus } from './wire-status.ts';

/** Samples are told as they come; the rest changes slowly, and is asked for while somebody looks. */
const ASK_AGAIN_MS = 20_000;

/** How far the service is behind the chain, and where something is missing. */
export function PipelinePage(): VNode {
  const request = useRequest<WireStatus>('/v1/status');
  const [newest, addNewest] = usePatches<NewestSample>();
  usePoliteReload(request.reload, { everyMs: ASK_AGAIN_MS, isWanted: true });
  useLive({ rates: 'all' }, { rate: ({ venue, slot, time }) => addNewest(venue, { slot, time }) });
  return html`
    <${PageHead} title="Pipeline" intro="From the chain to these pages: how far behind each part is, and what was missed.">
      <button type="button" disabled=${request.isLoading} onClick=${request.reload}>Refresh</button>
    <//>
    <${Answered} request=${request} what="the state of the service" rows=${10}>
      ${(status: WireStatus) => html`
        ${status.chain?.source === 'localnet' && html`<${Notice} tone="info">This is the built-in test chain, not Solana: no real money, and prices that somebody makes up.<//>`}
        <${StatusTiles} status=${status} />
        <${TrustPanel} verified=${status.verified_on_chain} audit=${status.audit} />
        <${VenuesPanel} status=${status} newest=${newest} />
        <${IndexerPanel} indexer=${status.indexer} />
        <${ComponentsPanel} components=${status.components} />
        <${TopicsPanel} status=${status} />
        <${SourcesPanel} sources=${status.sources} />
      `}
    <//>
  ` as unknown as VNode;
}
