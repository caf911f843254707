import type { GroupChangePage } from '@lending/store';
import { GraphQLInputObjectType, GraphQLList, GraphQLNonNull } from 'graphql';
import { z } from 'zod';
import { describeGroupChange } from '#reads/group-changes.ts';
import { GROUP_CHANGE_KINDS, groupChangeSchema } from '#records/group-change-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { costs, TABLE_PAGE_COST } from '../limits/field-cost.ts';
import { forwardConnection, mapConnection } from '../pages/connection.ts';
import { createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import { FORWARD_ARGS, type PageInput, readCursor, readPageSize } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { DateTime, PublicKey } from '../schema/scalars.ts';

/** What happened to banks, their group and liquidation tags. */
export function groupChangeFields(types: RecordTypes): Fields {
  const kind = types.enum('GroupChangeKind', GROUP_CHANGE_KINDS);
  const node = types.object('GroupChange', groupChangeSchema, 'Fields of other kinds than its own are null');
  const filter = new GraphQLInputObjectType({
    name: 'GroupChangeFilter',
    description: 'What is left out or null filters nothing; an empty list is refused',
    fields: {
      address: {
        type: new GraphQLList(new GraphQLNonNull(PublicKey)),
        description: 'Of these banks, accounts or group',
      },
      kind: { type: new GraphQLList(new GraphQLNonNull(kind)) },
      since: { type: DateTime, description: 'From then on, inclusive' },
      until: { type: DateTime, description: 'Up to then, exclusive, later than since' },
    },
  });
  return {
    groupChanges: {
      type: new GraphQLNonNull(createConnectionType({ node })),
      description: 'Changes of banks, their group and liquidation tags that match every filter, newest first',
      args: { filter: { type: filter }, ...FORWARD_ARGS },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveGroupChanges,
    },
  };
}

interface GroupChangeFilter {
  readonly address?: readonly string[];
  readonly kind?: readonly string[];
  readonly since?: Date;
  readonly until?: Date;
}

const POSITION = z.tuple([z.string().regex(/^\d{1,18}$/), z.string().max(200)]);

async function resolveGroupChanges(
  _root: unknown,
  args: PageInput & { readonly filter?: Filter<GroupChangeFilter> | null },
  { reads, once }: GraphqlContext,
) {
  const { address: addresses, kind: kinds, since, until } = givenOf<GroupChangeFilter>(args.filter);
  if (since !== undefined && until !== undefined && since >= until) {
    throw invalid('until is not later than since', 'a time after since', CALL_NAME, { field: 'until' });
  }
  const size = readPageSize(args);
  const page: Omit<GroupChangePage, 'limit'> = { addresses, kinds, since, until };
  const question = ['groupChanges', page];
  const after = readCursor('after', args, POSITION, question);
  const before = after === null ? undefined : { slot: BigInt(after[0]), id: after[1] };
  const rows = await reads.store.listGroupChanges({ ...page, before, limit: size + 1 });
  const positionOf = ({ slot, id }: (typeof rows)[number]) => [slot.toString(), id];
  const banks = await once(bankSnapshot);
  return mapConnection(forwardConnection({ rows, size, positionOf, question, isAfter: after !== null }), (row) =>
    describeGroupChange(row, banks),
  );
}
