import { describeError, LendingError } from '@lending/errors';
import { cleanText } from '@lending/venues';
import { type Address, getBase16Decoder } from '@solana/kit';
import { crankInstructions, feedsPerCrank } from './crank-instructions.ts';
import type { Crank, Cranker, FeedToCrank } from './cranker.ts';
import { type Crossbar, createCrossbar } from './crossbar.ts';
import type { Fetch } from './fetch-json.ts';
import { type FeedRequest, fetchSignatures } from './fetch-signatures.ts';
import { readGatewayAnswer } from './read-gateway-answer.ts';
import type { SignedValues } from './signed-values.ts';

/** Something about an answer that does not stop a crank, for the operator. */
export interface CrankNotice {
  readonly kind: 'gateway_failed' | 'oracles_complain' | 'value_far_from_last';
  readonly gateway: string;
  readonly detail: string;
}

export interface SwitchboardCrankerOptions {
  readonly crossbarUrl: string;
  /** Hosts that gateways may be on, and what is below them: crossbar is not trusted to name others. */
  readonly gatewayHosts: readonly string[];
  /** How many oracles sign, default 3: more outlive a slow human signature. */
  readonly signatures?: number;
  /** How long all of it may take, ms; default 15 seconds. */
  readonly deadlineMs?: number;
  /** How long one gateway may take, ms; default 6 seconds. */
  readonly gatewayMs?: number;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  readonly onNotice?: (notice: CrankNotice) => void;
}

/** A value this much away from the feed's last one is told to the operator, in percent of it. */
const FAR_PERCENT = 25n;
/** Of what strangers said, as much is told to a caller. */
const MAX_REASON = 300;

interface Asked {
  readonly options: Required<SwitchboardCrankerOptions>;
  readonly crossbar: Crossbar;
  readonly payer: Address;
  readonly signal: AbortSignal;
}

/** Gets signatures of Switchboard's oracles over HTTP: jobs and gateways from crossbar, values and signatures from a gateway. */
export function createSwitchboardCranker(options: SwitchboardCrankerOptions): Cranker {
  const full: Required<SwitchboardCrankerOptions> = {
    signatures: 3,
    deadlineMs: 15_000,
    gatewayMs: 6_000,
    fetch: globalThis.fetch,
    now: Date.now,
    onNotice: () => {},
    ...options,
  };
  const { crossbarUrl: url, gatewayHosts, fetch, now } = full;
  const crossbar = createCrossbar({ url, gatewayHosts, fetch, now });
  return {
    async crank(feeds, payer, { signal } = {}) {
      const deadline = AbortSignal.timeout(full.deadlineMs);
      const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
      const asked: Asked = { options: full, crossbar, payer, signal: until };
      const unique = [...new Map(feeds.map((one) => [one.address, one])).values()];
      const [requests, gateways] = await Promise.all([
        readJobs(asked, unique),
        crossbar.fetchGateways(until).catch((error) => {
          throw stale(unique, `crossbar names no gateways: ${wordsOf(error)}`, error);
        }),
      ]);
      if (gateways.length === 0 && unique.length > 0)
        throw stale(unique, 'crossbar names no gateway on an allowed host');
      const batches = groupsOf(requests).flatMap((group) => batchesOf(group, feedsPerCrank(full.signatures)));
      return Promise.all(batches.map((batch) => crankBatch(asked, batch, gateways)));
    },
  };
}

function readJobs({ crossbar, signal }: Asked, feeds: readonly FeedToCrank[]): Promise<readonly FeedRequest[]> {
  return Promise.all(
    feeds.map(async (wanted) => {
      const feedHash = getBase16Decoder().decode(wanted.feed.feedHash);
      try {
        return { wanted, feedHash, jobs: await crossbar.fetchJobs(feedHash, signal) };
      } catch (error) {
        throw stale([wanted], `crossbar tells no jobs: ${wordsOf(error)}`, error);
      }
    }),
  );
}

/** Tries one gateway after the other. @throws ORACLE__PRICE_STALE when none gives what is needed. */
async function crankBatch(asked: Asked, batch: readonly FeedRequest[], gateways: readonly string[]): Promise<Crank> {
  const { options, signal } = asked;
  const wanted = batch.map((request) => request.wanted);
  let last: { readonly reason: string; readonly cause?: unknown } = { reason: 'no gateway was asked' };
  for (const gateway of gateways) {
    if (signal.aborted) break;
    try {
      return await crankThrough(asked, batch, gateway);
    } catch (error) {
      last = { reason: wordsOf(error), cause: error };
      options.onNotice({ kind: 'gateway_failed', gateway, detail: describeError(error) });
    }
  }
  throw stale(wanted, signal.aborted ? `no gateway answered in time: ${last.reason}` : last.reason, last.cause);
}

async function crankThrough(asked: Asked, batch: readonly FeedRequest[], gateway: string): Promise<Crank> {
  const { options, crossbar, payer } = asked;
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(options.gatewayMs)]);
  const answer = await fetchSignatures(options.fetch, gateway, batch, options.signatures, signal);
  const signed = readGatewayAnswer(answer, new Set(batch.map(({ feedHash }) => feedHash)));
  const requests = signed.values.flatMap(({ feedHash }) => batch.filter((request) => request.feedHash === feedHash));
  assertEnough(signed, requests, batch);
  if (signed.complaints.length > 0) {
    options.onNotice({ kind: 'oracles_complain', gateway, detail: signed.complaints.join('; ') });
  }
  for (const [index, { feedHash, jobs, wanted }] of requests.entries()) {
    crossbar.keepJobs(feedHash, jobs);
    const detail = describeLeap(wanted, signed.values[index]?.value ?? 0n);
    if (detail !== null) options.onNotice({ kind: 'value_far_from_last', gateway, detail });
  }
  const [first] = batch;
  if (first === undefined) throw new TypeError('A batch has a feed');
  const feeds = requests.map(({ wanted }) => wanted.address);
  const instructions = await crankInstructions({ queue: first.wanted.feed.queue, feeds, signed, payer });
  // The requests are in the order of the values.
  const values = signed.values.slice(0, feeds.length).map(({ value }) => value);
  return { feeds, values, instructions, lookupTables: {} };
}

/** @throws Error when a feed has no value, or too few oracles signed for one. */
function assertEnough(signed: SignedValues, answered: readonly FeedRequest[], batch: readonly FeedRequest[]): void {
  const said = signed.complaints.length === 0 ? '' : `: ${signed.complaints.join('; ')}`;
  const missing = batch.filter((request) => !answered.includes(request));
  if (missing.length > 0) {
    throw new Error(`the oracles have no value for ${missing.map(({ wanted }) => wanted.address).join(', ')}${said}`);
  }
  const needed = Math.max(1, ...batch.map(({ wanted }) => wanted.feed.minSampleSize));
  const { length } = signed.signatures;
  if (length < needed) throw new Error(`${length} oracles signed, ${needed} are needed${said}`);
}

function describeLeap({ address, feed }: FeedToCrank, value: bigint): string | null {
  const last = feed.result.value;
  const leap = value > last ? value - last : last - value;
  return last > 0n && leap * 100n > last * FAR_PERCENT ? `${address}: ${last} became ${value}` : null;
}

/** Feeds that oracles can sign for at once: of one queue, and no two of the same jobs, which an answer could not tell apart. */
function groupsOf(requests: readonly FeedRequest[]): readonly (readonly FeedRequest[])[] {
  const groups = Map.groupBy(requests, ({ wanted, feedHash }, index) => {
    const before = requests.slice(0, index).filter((other) => other.feedHash === feedHash);
    return `${wanted.feed.queue} ${before.length}`;
  });
  return [...groups.values()];
}

function batchesOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** What was wrong without what was behind it, which names hosts and ports. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stale(feeds: readonly FeedToCrank[], words: string, cause?: unknown): LendingError {
  const addresses = feeds.map(({ address }) => address);
  const reason = cleanText(words, MAX_REASON) ?? 'nothing was said';
  return new LendingError('ORACLE__PRICE_STALE', {
    message: `No oracle signs ${addresses.join(', ')} at present: ${reason}`,
    context: { feeds: addresses, reason },
    cause,
  });
}
