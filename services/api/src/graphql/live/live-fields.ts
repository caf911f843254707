import { GraphQLList, GraphQLNonNull } from 'graphql';
import { activitySchema } from '#records/activity-fields.ts';
import { LIVE_SCHEMAS, type LiveKind, type LiveRecords } from '#records/live-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import type { LiveQuestion } from '../../live/live-hub.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { PublicKey } from '../schema/scalars.ts';

const NOTHING: LiveQuestion = { rates: [], banks: [], health: [], activity: [] };

/**
 * What can be subscribed to: what `/v1/stream` tells, of the same hub and within the same limits. A subscription begins with what is now; who
 * wants to go on where he stopped asks the stream.
 */
export function liveFields(types: RecordTypes): Fields {
  const addresses = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(PublicKey)));
  return {
    rateSampled: {
      type: new GraphQLNonNull(types.object('LiveRate', LIVE_SCHEMAS.rate, 'The newest rates of a bank or reserve')),
      description: 'Rates whenever they are sampled: the newest at once, then each newer one',
      args: {
        addresses: {
          type: new GraphQLList(new GraphQLNonNull(PublicKey)),
          description: 'Banks and reserves; left out: every bank',
        },
      },
      subscribe: (_root, { addresses: asked }: { addresses?: readonly string[] | null }, context) =>
        follow('rate', { rates: asked == null ? 'banks' : some(asked) }, context),
      resolve: told,
    },
    bankChanged: {
      type: new GraphQLNonNull(types.object('LiveBank', LIVE_SCHEMAS.bank, 'The state of a bank')),
      description: 'Banks whose state, allowed actions or caps change: as they are at once, then each change',
      args: {
        addresses: { type: new GraphQLList(new GraphQLNonNull(PublicKey)), description: 'Left out: every bank' },
      },
      subscribe: (_root, { addresses: asked }: { addresses?: readonly string[] | null }, context) =>
        follow('bank', { banks: asked == null ? 'all' : some(asked) }, context),
      resolve: told,
    },
    healthChanged: {
      type: new GraphQLNonNull(
        types.object('LiveHealth', LIVE_SCHEMAS.health, 'A crossing of one health status to another'),
      ),
      description: 'Accounts that cross from one health status to another: their status at once, then each crossing',
      args: { accounts: { type: addresses } },
      subscribe: (_root, { accounts }: { accounts: readonly string[] }, context) =>
        follow('health', { health: some(accounts, 'accounts') }, context),
      resolve: told,
    },
    activityRecorded: {
      type: new GraphQLNonNull(types.object('Activity', activitySchema)),
      description: 'What is done to accounts, from now on: accounts, or owners of accounts',
      args: { addresses: { type: addresses } },
      subscribe: (_root, { addresses: asked }: { addresses: readonly string[] }, context) =>
        follow('activity', { activity: some(asked) }, context),
      resolve: told,
    },
  };
}

/** Events of one kind, as the source of what is selected. */
async function follow<K extends LiveKind>(
  kind: K,
  question: Partial<LiveQuestion>,
  { live, client, signal }: GraphqlContext,
): Promise<AsyncGenerator<LiveRecords[K]>> {
  const stream = await live.follow({ ...NOTHING, ...question }, { after: null, client, signal, callName: CALL_NAME });
  return (async function* () {
    for await (const event of stream) if (event.kind === kind) yield event.data as LiveRecords[K];
  })();
}

function told(event: unknown): unknown {
  return event;
}

function some(addresses: readonly string[], field = 'addresses'): readonly string[] {
  if (addresses.length > 0) return [...new Set(addresses)];
  throw invalid(`${field} is empty`, 'at least one address', CALL_NAME, { field });
}
