import { getBase64Decoder } from '@solana/kit';
import type { FeedToCrank } from './cranker.ts';
import { type Fetch, fetchJson } from './fetch-json.ts';

/** A feed and the jobs that oracles are to run for it. */
export interface FeedRequest {
  readonly wanted: FeedToCrank;
  /** Of the jobs, in hex. */
  readonly feedHash: string;
  readonly jobs: readonly Uint8Array[];
}

const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Asks a gateway to have feeds valued and signed.
 * @returns the gateway's JSON as it came.
 */
export function fetchSignatures(
  fetch: Fetch,
  gateway: string,
  requests: readonly FeedRequest[],
  signatures: number,
  signal: AbortSignal,
): Promise<unknown> {
  const body = {
    api_version: '1.0.0',
    recent_hash: '',
    signature_scheme: 'Secp256k1',
    hash_scheme: 'Sha256',
    feed_requests: requests.map(({ jobs, wanted: { feed } }) => ({
      jobs_b64_encoded: jobs.map((job) => getBase64Decoder().decode(job)),
      max_variance: Number(feed.maxVariance),
      min_responses: feed.minResponses,
    })),
    num_oracles: signatures,
    use_timestamp: false,
    use_ed25519: false,
    variable_overrides: {},
  };
  const url = `${gateway.replace(/\/+$/, '')}/gateway/api/v1/fetch_signatures_consensus`;
  return fetchJson({ fetch, url, body, maxBytes: MAX_ANSWER_BYTES, signal });
}
