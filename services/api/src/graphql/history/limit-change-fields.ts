import type { KnownLimitChangeRow } from '@lending/store';
import DataLoader from 'dataloader';
import { GraphQLList, GraphQLNonNull } from 'graphql';
import { toLimits } from '#reads/limit-history.ts';
import type { Bank } from '#records/bank-fields.ts';
import { limitsSchema } from '#records/limit-fields.ts';
import type { Reserve } from '#records/reserve-fields.ts';
import type { GraphqlContext } from '../context.ts';
import { costs, TABLE_PAGE_COST } from '../limits/field-cost.ts';
import { FORWARD_ARGS, type PageInput, readPageSize } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';

/** Adds how the caps of banks and reserves changed. */
export function limitChangeFields(types: RecordTypes): Fields {
  const limits = types.object('Limits', limitsSchema, 'The caps of a bank or reserve from a time on');
  const field = {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(limits))),
    description:
      'The newest changes of its caps, newest first. A bank on another venue counts its deposit limit in receipts of the venue',
    args: { first: FORWARD_ARGS.first },
    ...costs(TABLE_PAGE_COST),
    resolve: async ({ address, decimals }: Bank | Reserve, args: PageInput, { once }: GraphqlContext) => {
      const rows = await once(limitChangeLoader).load({ address, limit: readPageSize(args) });
      return rows.map((row) => toLimits(row, decimals, row.is_first));
    },
  };
  types.extend('Bank', () => ({ limitChanges: field }));
  types.extend('Reserve', () => ({ limitChanges: field }));
  return {};
}

interface LimitQuestion {
  readonly address: string;
  readonly limit: number;
}

/** For `context.once`: of all that are asked for as many, in one statement. */
function limitChangeLoader({ reads }: GraphqlContext) {
  return new DataLoader<LimitQuestion, readonly KnownLimitChangeRow[], string>(
    async (questions) => {
      const found = new Map<string, readonly KnownLimitChangeRow[]>();
      await Promise.all(
        [...Map.groupBy(questions, ({ limit }) => limit)].map(async ([limit, group]) => {
          const rows = await reads.store.listLimitChangesOf({ addresses: group.map(({ address }) => address), limit });
          for (const [address, changes] of Map.groupBy(rows, (row) => row.address)) {
            found.set(`${address} ${limit}`, changes);
          }
        }),
      );
      return questions.map(({ address, limit }) => found.get(`${address} ${limit}`) ?? []);
    },
    { cacheKeyFn: ({ address, limit }) => `${address} ${limit}` },
  );
}
