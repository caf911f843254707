import type { VenueBeatRow } from '@lending/store';
import { z } from 'zod';
import { readAuditStatus } from '#reads/audit-status.ts';
import { createIndexerStatus } from '#reads/indexer-status.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readServiceStatus } from '#reads/service-status.ts';
import { newestSlot, readSourceStatuses, slotMicros } from '#reads/source-status.ts';
import { describeTopic } from '#reads/topic-status.ts';
import { readVenueStatuses, type VenueStatus } from '#reads/venue-status.ts';
import { auditStatusSchema } from '#records/audit-status.ts';
import { programStatusSchema } from '#records/program-status.ts';
import { asOfSchema, venueField } from '#records/reply-fields.ts';
import { verifiedOnChainSchema } from '#records/verified-on-chain.ts';
import { defineOperation, type Operation } from './tool.ts';

export const statusSchema = z.strictObject({
  ready: z.boolean().describe('What /readyz answers: true is 200, false is 503'),
  version: z.string(),
  program: programStatusSchema.nullable().describe('The lending program as it runs; null before it was read'),
  verified_on_chain: verifiedOnChainSchema
    .nullable()
    .describe(
      'Which run of first contact stands for the program as it runs; null where none does, or the program was deployed again since: an operator runs npm run smoke -- --rpc URL',
    ),
  audit: auditStatusSchema
    .nullable()
    .describe('How figures of ours compare with those that the program left on the chain; null without a database'),
  components: z.array(
    z.strictObject({
      name: z.string(),
      ready: z.boolean(),
      reason: z.string().nullable().describe('Why it is not ready; null when it is'),
      since: z.string().describe('ISO-8601 UTC: when this was found or began'),
    }),
  ),
  chain: asOfSchema.nullable().describe('The newest data of any bank; null before there is any'),
  banks: z.int().nullable().describe('Banks known; null without a database'),
  venues: z
    .array(
      z.strictObject({
        venue: venueField,
        banks: z.int(),
        reserves: z.int(),
        newest: z
          .strictObject({ slot: z.int(), time: z.string(), age_seconds: z.number() })
          .nullable()
          .describe('The newest sample of any of them; null before the first'),
        stale: z.boolean().describe('True when it is older than the limit, or there is none'),
        beat_seconds: z.number().nullable().describe('How often it is sampled; null before a poller said so'),
        lag_seconds: z
          .number()
          .nullable()
          .describe(
            'How much older than a beat the newest sample is; null before the first, or while the beat is unknown',
          ),
        slots_behind: z
          .int()
          .nullable()
          .describe(
            'Slots from the newest sample to the newest slot that anybody knows of; null while either is unknown',
          ),
        gap_seconds_24h: z
          .number()
          .nullable()
          .describe(
            'Of the last 24 whole hours, how long nothing of the venue was sampled; null before its first hour is over',
          ),
        quarantined_24h: z
          .int()
          .describe('Readings of the last 24 hours that were not believed, and are served nowhere'),
        last_quarantined: z
          .strictObject({ address: z.string(), reason: z.string(), detail: z.string(), time: z.string() })
          .nullable(),
      }),
    )
    .nullable()
    .describe('Every venue that has banks or reserves; null without a database'),
  indexer: z
    .strictObject({
      tip: asOfSchema
        .nullable()
        .describe('Everything up to here is in the tables or on its way; null before the first'),
      root_slot: z.int().nullable().describe('What is up to here can no longer be dropped'),
      unfinal_slots: z.int().nullable().describe('Slots between the two'),
      accounts_complete: z.boolean().describe('All accounts there are were read; false: those that were asked for'),
      open_tasks: z.int().describe('Parts of the past that are still being read'),
      tasks: z
        .array(
          z.strictObject({
            task: z.string(),
            kind: z.enum(['accounts', 'activity']),
            address: z.string().nullable(),
            done: z.int().describe('Accounts or transactions read'),
            total: z.int().nullable().describe('Of how many; null where nobody knows'),
            rate_per_second: z.number().nullable().describe('Since the call before; null on the first'),
            at_slot: z.int().nullable().describe('Down to here'),
            until_slot: z.int().describe('Goes down to here'),
            updated_at: z.string(),
          }),
        )
        .describe('The newest 20 of them'),
      followed: z.strictObject({
        count: z.int().describe('Addresses that are followed because somebody asked for them'),
        unanswered: z.int().describe('Of these not read from the chain yet'),
        limit: z.int(),
      }),
    })
    .nullable()
    .describe('How far accounts and activity were followed; null without a database'),
  consumers: z
    .array(
      z.strictObject({
        group: z.string(),
        topic: z.string(),
        partitions: z.int(),
        position: z
          .string()
          .describe(
            'Next offset to read, summed over the partitions: grows while messages are handled, is no count of them',
          ),
        updated_at: z.string(),
      }),
    )
    .describe('How far the tables followed each topic'),
  topics: z
    .array(
      z.strictObject({
        topic: z.string(),
        group: z.string(),
        partitions: z.int(),
        behind: z.int().nullable().describe('Messages between where the tables are and the end of the topic'),
        worst_partition: z
          .strictObject({ partition: z.int(), behind: z.int() })
          .nullable()
          .describe('The partition with the most of them; null when there are none'),
        lag_seconds: z
          .number()
          .nullable()
          .describe(
            'How long the oldest of them had waited when that was measured, to some five seconds; 0 when none did',
          ),
        handled_per_second: z.number().nullable().describe('Over the last minute'),
        dead: z.int().nullable().describe('Messages that could not be handled and lie on its dead topic'),
        measured_at: z.string().describe('ISO-8601 UTC: when an indexer looked last'),
        unknown_since: z
          .string()
          .nullable()
          .describe('The same where that is over 30 s ago: then no indexer looks, and the figures are null'),
      }),
    )
    .nullable()
    .describe('What waits in each topic; null without a database'),
  sources: z
    .array(
      z.strictObject({
        role: z.string().describe('Which service: rate-poller, indexer or api, or embedded where one process is all'),
        instance: z.string().describe('Which process of it'),
        kind: z.enum(['rpc', 'pubsub', 'polling', 'yellowstone', 'aggregator']),
        host: z.string().describe('Host and port alone'),
        state: z
          .enum(['unknown', 'serving', 'lagging', 'resting', 'refused'])
          .describe(
            'unknown: not asked yet; lagging: behind the others, which are asked first; resting: it failed and is left alone for a while; refused: of another cluster',
          ),
        in_use: z.boolean().describe('Asked first, or heard'),
        newest_slot: z.int().nullable().describe('The newest confirmed slot it showed; null where it showed none'),
        slots_behind: z
          .int()
          .nullable()
          .describe('Behind the source that is furthest, at the moment of its last slot; null while unknown'),
        last_answer_seconds: z
          .number()
          .nullable()
          .describe('How long ago it answered last; null before the first time'),
        error: z.string().nullable().describe('Code of its last failure; null since it answers again'),
      }),
    )
    .nullable()
    .describe(
      'What every process hears from that told of it within 30 s; of the api, the process that answers; null without a database',
    ),
});

/** How the service itself stands. */
export function createGetStatus(reads: ReadDeps): Operation {
  const { store, accountsStaleAfterMs: staleAfterMs, maxFollowed } = reads;
  const readIndexer = createIndexerStatus({ store, staleAfterMs, maxFollowed });
  return defineOperation({
    name: 'get_status',
    title: 'Service status',
    description:
      'Each component, the chain slot the data is at, its age and its source, how far each venue was sampled, what waits in each topic, and how each node and aggregator stands. Always answers 200; /readyz is the probe.',
    rest: { method: 'GET', path: '/v1/status' },
    input: z.strictObject({}),
    output: statusSchema,
    async handle(_input) {
      const status = await readServiceStatus(reads);
      const pipeline = status.banks === null ? null : await orNull(() => readPipeline(reads));
      return {
        ready: status.ready,
        version: reads.version,
        program: reads.runningProgram(),
        verified_on_chain: reads.verifiedOnChain(),
        audit: status.banks === null ? null : await orNull(() => readAuditStatus(reads)),
        components: status.components.map((component) => ({ ...component, since: component.since.toISOString() })),
        chain: status.newest,
        banks: status.banks,
        venues: pipeline && (await orNull(() => readVenues(reads, pipeline.beats, newestSlot(pipeline, status.chain)))),
        indexer: status.banks === null ? null : await orNull(() => readIndexer(status)),
        consumers: status.consumers.map((consumer) => ({
          group: consumer.consumer_group,
          topic: consumer.topic,
          partitions: consumer.partitions,
          position: consumer.position,
          updated_at: consumer.updated_at.toISOString(),
        })),
        topics: pipeline?.topics.map(describeTopic) ?? null,
        sources: pipeline?.sources.slice() ?? null,
      };
    },
  });
}

async function readPipeline({ store, ownSources }: ReadDeps) {
  const [beats, topics] = await Promise.all([store.listVenueBeats(), store.listTopicLags()]);
  return { beats, topics, ...(await readSourceStatuses({ store, ownSources }, slotMicros(beats))) };
}

async function readVenues(
  { store, now, staleAfterMs }: ReadDeps,
  beats: readonly VenueBeatRow[],
  bestSlot: bigint | null,
): Promise<VenueStatus[]> {
  return [...(await readVenueStatuses(store, { now, staleAfterMs, beats, bestSlot }))];
}

/** A database that goes away between two questions is an answer, too. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
