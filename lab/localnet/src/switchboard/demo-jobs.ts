import { createHash } from 'node:crypto';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { getAddressBytes, SWITCHBOARD_MAINNET_QUEUE } from '@lending/programs';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';

/** What an oracle does to learn a price, as crossbar tells it. */
export interface DemoJob {
  readonly tasks: readonly (
    | { readonly httpTask: { readonly url: string } }
    | { readonly jsonParseTask: { readonly path: string } }
  )[];
}

/** Numbers of the fields that demo jobs use. @see Switchboard's oracle_job.proto */
const FIELD = { tasks: 1, httpTask: 1, jsonParseTask: 2, url: 1, path: 1 } as const;

/** The jobs of a feed: one, which asks a host that does not exist. */
export function demoJobsOf(name: DemoFeedName): readonly DemoJob[] {
  return [{ tasks: [{ httpTask: { url: `https://prices.invalid/${name}` } }, { jsonParseTask: { path: '$.price' } }] }];
}

/** Which feed has jobs of this hash, in hex; null when none has. */
export function findFeedByHash(hash: string): DemoFeedName | null {
  return FEEDS_BY_HASH.get(hash) ?? null;
}

/** What names the jobs of a feed on its queue: the SHA-256 of the queue's key and of the jobs. */
export function feedHashOf(name: DemoFeedName): Uint8Array {
  return hashJobs(demoJobsOf(name).map(encodeJob));
}

/** The same of jobs that somebody sent, each with its length before it. */
export function hashJobs(jobs: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(getAddressBytes(SWITCHBOARD_MAINNET_QUEUE));
  for (const job of jobs) hash.update(job);
  return new Uint8Array(hash.digest());
}

function encodeJob({ tasks }: DemoJob): Uint8Array {
  const writer = new BinaryWriter().fork();
  for (const task of tasks) {
    writer.tag(FIELD.tasks, WireType.LengthDelimited).fork();
    if ('httpTask' in task) writeText(writer, FIELD.httpTask, FIELD.url, task.httpTask.url);
    else writeText(writer, FIELD.jsonParseTask, FIELD.path, task.jsonParseTask.path);
    writer.join();
  }
  return writer.join().finish();
}

/** A message with one text in it. */
function writeText(writer: BinaryWriter, field: number, textField: number, text: string): void {
  writer.tag(field, WireType.LengthDelimited).fork().tag(textField, WireType.LengthDelimited).string(text).join();
}

const FEEDS_BY_HASH: ReadonlyMap<string, DemoFeedName> = new Map(
  (Object.keys(DEMO_FEEDS) as DemoFeedName[]).map((name) => [Buffer.from(feedHashOf(name)).toString('hex'), name]),
);
