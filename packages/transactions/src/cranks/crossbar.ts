import * as z from 'zod';
import { BoundedCache } from '#bounded-cache.ts';
import { type Fetch, fetchJson } from './fetch-json.ts';
import { encodeJob } from './jobs/encode-job.ts';

export interface CrossbarOptions {
  readonly url: string;
  /** Hosts that gateways may be on: these, and what is below them. */
  readonly gatewayHosts: readonly string[];
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** Switchboard's directory: which jobs a feed is made of, and which gateways reach the oracles. */
export interface Crossbar {
  /** The jobs that a feed's hash names, as oracles take them. */
  fetchJobs(feedHash: string, signal: AbortSignal): Promise<readonly Uint8Array[]>;
  /** Keeps jobs that were seen to be those of the hash. */
  keepJobs(feedHash: string, jobs: readonly Uint8Array[]): void;
  /** Where gateways are, those left out whose hosts nobody allowed. */
  fetchGateways(signal: AbortSignal): Promise<readonly string[]>;
}

const MAX_JOBS_BYTES = 256 * 1024;
const MAX_GATEWAYS_BYTES = 64 * 1024;
const MAX_JOBS = 64;
const MAX_FEEDS_KEPT = 500;
const GATEWAYS_KEPT_MS = 300_000;

const jobsSchema = z.object({ jobs: z.array(z.unknown()).min(1).max(MAX_JOBS) });
const gatewaysSchema = z.array(z.string().max(500)).max(200);

/** Asks crossbar over HTTP. Gateways are kept for five minutes, jobs as long as there is room; each question throws what was wrong. */
export function createCrossbar({ url, gatewayHosts, fetch, now }: CrossbarOptions): Crossbar {
  const jobsByHash = new BoundedCache<readonly Uint8Array[]>(MAX_FEEDS_KEPT);
  let gateways: { readonly urls: readonly string[]; readonly until: number } | null = null;
  const base = url.replace(/\/+$/, '');
  return {
    async fetchJobs(feedHash, signal) {
      const kept = jobsByHash.get(feedHash);
      if (kept !== undefined) return kept;
      const answer = await fetchJson({ fetch, url: `${base}/fetch/${feedHash}`, maxBytes: MAX_JOBS_BYTES, signal });
      return jobsSchema.parse(answer).jobs.map(encodeJob);
    },
    keepJobs: (feedHash, jobs) => jobsByHash.set(feedHash, jobs),
    async fetchGateways(signal) {
      if (gateways !== null && now() < gateways.until) return gateways.urls;
      const asked = `${base}/gateways?network=mainnet`;
      const answer = await fetchJson({ fetch, url: asked, maxBytes: MAX_GATEWAYS_BYTES, signal });
      const urls = gatewaysSchema.parse(answer).filter((gateway) => isAllowed(gateway, base, gatewayHosts));
      if (urls.length > 0) gateways = { urls, until: now() + GATEWAYS_KEPT_MS };
      return urls;
    },
  };
}

/**
 * Whether a gateway may be spoken to: crossbar is a stranger, and names any host it likes. Where crossbar itself is reached by TLS, so must
 * gateways be.
 */
function isAllowed(gateway: string, crossbar: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(gateway)) return false;
  const { protocol, hostname, username, password } = new URL(gateway);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && new URL(crossbar).protocol === 'http:');
  const isKnown = hosts.some((host) => `.${hostname}`.endsWith(`.${host.toLowerCase()}`));
  return isPrivate && isKnown && username === '' && password === '';
}
