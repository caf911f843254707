import { GraphQLNonNull } from 'graphql';
import { NO_AGGREGATOR_KEYS } from '#builds/aggregator-keys.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { createGetStatus, statusSchema } from '#tools/get-status.ts';
import { type Operation, REPORT_NOTHING } from '#tools/tool.ts';
import { docsBaseOf } from '../../rest/docs-base.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { costs } from '../limits/field-cost.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';

/** How the service itself stands. */
export function statusFields(types: RecordTypes): Fields {
  return {
    status: {
      type: new GraphQLNonNull(types.object('Status', statusSchema)),
      description: 'Each component, the slot the data is at and its age, and how far each venue was sampled',
      ...costs({ own: 500 }),
      resolve: (_root, _args, { once }) => once(readStatus),
    },
  };
}

/** For `context.once`: asked twice in one query, it is read once. */
function readStatus({ reads, client, signal }: GraphqlContext): Promise<unknown> {
  return operationOf(reads).handle(
    {},
    {
      door: 'rest',
      callName: CALL_NAME,
      client,
      aggregatorKeys: NO_AGGREGATOR_KEYS,
      signal,
      report: REPORT_NOTHING,
      docsBase: docsBaseOf(null),
    },
  );
}

/** It remembers what it told last, to say how fast the past is read, so there is one for as long as there are reads. */
const operations = new WeakMap<ReadDeps, Operation>();

function operationOf(reads: ReadDeps): Operation {
  const operation = operations.get(reads) ?? createGetStatus(reads);
  operations.set(reads, operation);
  return operation;
}
