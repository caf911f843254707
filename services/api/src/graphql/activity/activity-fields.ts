import { ACTIVITY_KINDS } from '@lending/domain';
import type { ActivityRow } from '@lending/store';
import DataLoader from 'dataloader';
import {
  type GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
} from 'graphql';
import { z } from 'zod';
import { describeRows, placeOf } from '#reads/list-activity.ts';
import { type Activity, type ActivityLeg, activitySchema, legSchema } from '#records/activity-fields.ts';
import { type AsOf, asOfSchema } from '#records/reply-fields.ts';
import { dateAnswer } from '#tools/account-answer.ts';
import { invalid } from '#tools/parse-input.ts';
import { type AccountSource, accountLoader } from '../accounts/account-source.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { costs, TABLE_PAGE_COST } from '../limits/field-cost.ts';
import { forwardConnection, mapConnection } from '../pages/connection.ts';
import { createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf, someOf } from '../pages/filter-input.ts';
import { FORWARD_ARGS, type PageInput, readCursor, readPageSize } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { DateTime, PublicKey } from '../schema/scalars.ts';

/** What was done: of everybody at the root, and of an account. */
export function activityFields(types: RecordTypes): Fields {
  const kind = types.enum('ActivityKind', ACTIVITY_KINDS);
  const activity = activityType(types);
  types.extend('Account', () => ({
    activity: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(activity))),
      description: 'The newest things done to this account, newest first; page on with the root field',
      args: { first: FORWARD_ARGS.first, kind: { type: new GraphQLList(new GraphQLNonNull(kind)) } },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveNewest,
    },
  }));
  return {
    activity: {
      type: new GraphQLNonNull(
        createConnectionType({
          node: activity,
          fields: {
            asOf: {
              type: new GraphQLNonNull(types.object('AsOf', asOfSchema)),
              description: 'How far activity was followed',
              resolve: (_page, _args, { reads }: GraphqlContext): Promise<AsOf> =>
                dateAnswer(reads, { isFollowed: true }, [], []),
            },
          },
        }),
      ),
      description: 'Activity in the tables that matches every filter, newest first; nobody new is followed for it',
      args: { filter: { type: activityFilterType(types, kind) }, ...FORWARD_ARGS },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveActivity,
    },
  };
}

function activityType(types: RecordTypes): GraphQLObjectType {
  types.object('ActivityLeg', legSchema, 'One movement of an activity');
  const activity = types.object('Activity', activitySchema, 'One thing an owner, or somebody for him, did');
  types.extend('Activity', () => ({
    accountRecord: {
      type: types.named('Account'),
      description: 'The account as it is now; null where the tables do not have it',
      resolve: ({ account }: Activity, _args, { once }) => once(accountLoader).load(account),
    },
  }));
  types.extend('ActivityLeg', () => ({
    bankRecord: {
      type: types.named('Bank'),
      description: 'The bank as it is now; null while it cannot be read',
      resolve: async ({ bank }: ActivityLeg, _args, { once }) =>
        (await once(bankSnapshot)).entries.get(bank)?.record ?? null,
    },
  }));
  return activity;
}

interface ActivityFilter {
  readonly account?: readonly string[];
  readonly authority?: string;
  readonly actor?: string;
  readonly bank?: readonly string[];
  readonly kind?: readonly ActivityRow['kind'][];
  readonly since?: Date;
  readonly until?: Date;
  readonly finality?: ActivityRow['finality'];
}

function activityFilterType(types: RecordTypes, kind: GraphQLEnumType): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: 'ActivityFilter',
    description: 'What is left out or null filters nothing; an empty list is refused',
    fields: {
      account: { type: new GraphQLList(new GraphQLNonNull(PublicKey)), description: 'Done to one of these accounts' },
      authority: { type: PublicKey, description: 'Of this owner' },
      actor: { type: PublicKey, description: 'Who signed: the owner, or somebody else such as a liquidator' },
      bank: { type: new GraphQLList(new GraphQLNonNull(PublicKey)), description: 'With a leg in one of these banks' },
      kind: { type: new GraphQLList(new GraphQLNonNull(kind)) },
      since: { type: DateTime, description: 'From then on, inclusive' },
      until: { type: DateTime, description: 'Up to then, exclusive, later than since' },
      finality: {
        type: types.enum('Finality', ['confirmed', 'finalized']),
        description: 'confirmed can still be dropped with its fork',
      },
    },
  });
}

/** What comes back is compared with rows, so each part is what a row can hold. */
const position = z.tuple([
  z.string().regex(/^\d{1,18}$/),
  z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{1,100}$/),
  z.int().min(0).max(255),
  z.int().min(0).max(1_023).nullable(),
]);

async function resolveActivity(
  _root: unknown,
  args: PageInput & { readonly filter?: Filter<ActivityFilter> | null },
  context: GraphqlContext,
) {
  const { account: accounts, bank: banks, kind: kinds, ...filter } = givenOf<ActivityFilter>(args.filter);
  if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
    throw invalid('until is not later than since', 'a time after since', CALL_NAME, { field: 'until' });
  }
  const size = readPageSize(args);
  const question = ['activity', accounts, banks, kinds, filter];
  const after = readCursor('after', args, position, question);
  const rows = await context.reads.store.listActivity({
    ...filter,
    accounts,
    banks,
    kinds,
    before:
      after === null
        ? undefined
        : { slot: BigInt(after[0]), signature: after[1], instructionIndex: after[2], innerIndex: after[3] },
    limit: size + 1,
  });
  const page = forwardConnection({ rows, size, positionOf: cursorOf, question, isAfter: after !== null });
  const entries = await describeRows(
    context.reads,
    page.edges.map(({ node }) => node),
  );
  const records = new Map(entries.map(({ record }) => [record.id, record]));
  return mapConnection(page, ({ id }) => records.get(id));
}

function cursorOf(row: ActivityRow): readonly unknown[] {
  const { slot, signature, instructionIndex, innerIndex } = placeOf(row);
  return [slot.toString(), signature, instructionIndex, innerIndex];
}

interface NewestArgs extends PageInput {
  readonly kind?: readonly ActivityRow['kind'][] | null;
}

async function resolveNewest({ row }: AccountSource, args: NewestArgs, context: GraphqlContext) {
  const limit = readPageSize(args);
  const kinds = args.kind == null ? null : someOf(args.kind, 'kind');
  return context.once(newestLoader).load({ account: row.address, limit, kinds });
}

interface NewestQuestion {
  readonly account: string;
  readonly limit: number;
  readonly kinds: NewestArgs['kind'];
}

/** For `context.once`: of all accounts that are asked the same, in one statement. */
function newestLoader({ reads }: GraphqlContext) {
  const same = ({ limit, kinds }: NewestQuestion) => JSON.stringify([limit, kinds]);
  return new DataLoader<NewestQuestion, readonly Activity[], string>(
    async (questions) => {
      const groups = [...Map.groupBy(questions, same).values()];
      const found = await Promise.all(groups.map((group) => newestOf(group, { reads })));
      const byGroup = new Map(groups.map((group, index) => [same(group[0] as NewestQuestion), found[index]]));
      return questions.map((question) => byGroup.get(same(question))?.get(question.account) ?? []);
    },
    { cacheKeyFn: (question) => JSON.stringify(question) },
  );
}

async function newestOf(
  group: readonly NewestQuestion[],
  { reads }: Pick<GraphqlContext, 'reads'>,
): Promise<ReadonlyMap<string, readonly Activity[]>> {
  const [{ limit, kinds }] = group as readonly [NewestQuestion];
  const rows = await reads.store.listNewestActivity({
    accounts: group.map(({ account }) => account),
    limit,
    kinds: kinds ?? undefined,
  });
  const entries = await describeRows(reads, rows);
  return Map.groupBy(
    entries.map(({ record }) => record),
    ({ account }) => account,
  );
}
