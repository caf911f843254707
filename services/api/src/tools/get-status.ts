import { z } from 'zod';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readServiceStatus } from '#reads/service-status.ts';
import { asOfSchema } from '#records/reply-fields.ts';
import { defineOperation, type Operation } from './tool.ts';

const output = z.strictObject({
  ready: z.boolean().describe('What /readyz answers: true is 200, false is 503'),
  version: z.string(),
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
});

/** How the service itself stands. */
export function createGetStatus(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_status',
    title: 'Service status',
    description:
      'Each component, the chain slot the data is at, its age and its source. Always answers 200; /readyz is the probe.',
    rest: { method: 'GET', path: '/v1/status' },
    input: z.strictObject({}),
    output,
    async handle(_input) {
      const status = await readServiceStatus(reads);
      return {
        ready: status.ready,
        version: reads.version,
        components: status.components.map((component) => ({ ...component, since: component.since.toISOString() })),
        chain: status.newest,
        banks: status.banks,
        consumers: status.consumers.map((consumer) => ({
          group: consumer.consumer_group,
          topic: consumer.topic,
          partitions: consumer.partitions,
          position: consumer.position,
          updated_at: consumer.updated_at.toISOString(),
        })),
      };
    },
  });
}
