import type { AccountBalanceRow } from '@lending/store';
import DataLoader from 'dataloader';
import { GraphQLInputObjectType, GraphQLList, GraphQLNonNull, type GraphQLObjectType } from 'graphql';
import { z } from 'zod';
import { describeBalance } from '#reads/balance-record.ts';
import { type BalanceRecord, balanceSchema } from '#records/balance-fields.ts';
import type { Bank } from '#records/bank-fields.ts';
import { addressText } from '#tools/input-field.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import type { GraphqlContext } from '../context.ts';
import { costs, TABLE_PAGE_COST } from '../limits/field-cost.ts';
import { forwardConnection, mapConnection } from '../pages/connection.ts';
import { createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import { FORWARD_ARGS, type PageInput, readCursor, readPageSize } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { PublicKey } from '../schema/scalars.ts';
import { accountLoader, measureSnapshot } from './account-source.ts';

/** Everybody's balances: by account at the root, by size at a bank. */
export function balanceFields(types: RecordTypes): Fields {
  const side = types.enum('Side', ['lend', 'borrow']);
  const balance = balanceType(types);
  const connection = new GraphQLNonNull(createConnectionType({ node: balance }));
  types.extend('Bank', () => ({
    largestBalances: {
      type: new GraphQLNonNull(createConnectionType({ node: balance, name: 'LargestBalances' })),
      description: 'Who holds, or owes, the most of it, largest first',
      args: { side: { type: new GraphQLNonNull(side) }, ...FORWARD_ARGS },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveLargest,
    },
  }));
  return {
    balances: {
      type: connection,
      description: 'Balances in the tables that match every filter, by account',
      args: {
        filter: {
          type: new GraphQLInputObjectType({
            name: 'BalanceFilter',
            description: 'What is left out or null filters nothing; an empty list is refused',
            fields: {
              bank: { type: new GraphQLList(new GraphQLNonNull(PublicKey)), description: 'In one of these banks' },
              account: {
                type: new GraphQLList(new GraphQLNonNull(PublicKey)),
                description: 'Of one of these accounts',
              },
              authority: { type: PublicKey, description: 'Of any account of this owner' },
              side: { type: side, description: 'lend: what is supplied; borrow: what is owed' },
            },
          }),
        },
        ...FORWARD_ARGS,
      },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveBalances,
    },
  };
}

function balanceType(types: RecordTypes): GraphQLObjectType {
  const balance = types.object('Balance', balanceSchema, 'A slot in use of an account');
  types.extend('Balance', () => ({
    bankRecord: {
      type: types.named('Bank'),
      description: 'The whole record of its bank; null while it cannot be read',
      resolve: async ({ bank }: BalanceRecord, _args, { once }) =>
        (await once(bankSnapshot)).entries.get(bank)?.record ?? null,
    },
    accountRecord: {
      type: types.named('Account'),
      description: 'The whole account',
      resolve: ({ account }: BalanceRecord, _args, { once }) => once(accountLoader).load(account),
    },
  }));
  return balance;
}

interface BalanceFilter {
  readonly bank?: readonly string[];
  readonly account?: readonly string[];
  readonly authority?: string;
  readonly side?: 'lend' | 'borrow';
}

const position = z.tuple([addressText, z.int().min(0).max(255)]);

async function resolveBalances(
  _root: unknown,
  args: PageInput & { readonly filter?: Filter<BalanceFilter> | null },
  context: GraphqlContext,
) {
  const { bank: banks, account: accounts, ...filter } = givenOf<BalanceFilter>(args.filter);
  const size = readPageSize(args);
  const question = ['balances', banks, accounts, filter];
  const after = readCursor('after', args, position, question);
  const rows = await context.reads.store.listBalances({
    ...filter,
    banks,
    accounts,
    after: after === null ? undefined : { account: after[0], slotIndex: after[1] },
    limit: size + 1,
  });
  const page = forwardConnection({
    rows,
    size,
    positionOf: ({ account, slot_index: slotIndex }: AccountBalanceRow) => [account, slotIndex],
    question,
    isAfter: after !== null,
  });
  const snapshot = await context.once(measureSnapshot);
  return mapConnection(page, (row) => describeBalance(row, snapshot));
}

interface LargestArgs extends PageInput {
  readonly side: 'lend' | 'borrow';
}

/** Its shares on that side, in full precision, and whose. */
const largestPosition = z.tuple([z.string().regex(/^\d{1,40}(\.\d{1,60})?$/), addressText]);

async function resolveLargest({ address }: Bank, args: LargestArgs, context: GraphqlContext) {
  const size = readPageSize(args);
  const question = ['largest', address, args.side];
  const place = readCursor('after', args, largestPosition, question);
  const after = place === null ? null : ([place[0], place[1]] as const);
  const rows = await context.once(largestLoader).load({ bank: address, side: args.side, after, limit: size + 1 });
  const page = forwardConnection({
    rows,
    size,
    positionOf: (row: AccountBalanceRow) => [
      args.side === 'lend' ? row.asset_shares : row.liability_shares,
      row.account,
    ],
    question,
    isAfter: after !== null,
  });
  const snapshot = await context.once(measureSnapshot);
  return mapConnection(page, (row) => describeBalance(row, snapshot));
}

interface LargestQuestion {
  readonly bank: string;
  readonly side: 'lend' | 'borrow';
  readonly after: readonly [string, string] | null;
  readonly limit: number;
}

/** For `context.once`: of many banks in one statement, where they are asked the same; a place in a list is one bank's own. */
function largestLoader({ reads }: GraphqlContext) {
  return new DataLoader<LargestQuestion, readonly AccountBalanceRow[], string>(
    async (questions) => {
      const groups = Map.groupBy(questions, ({ side, after, limit }) => JSON.stringify([side, after, limit]));
      const found = await Promise.all(
        [...groups.values()].map(async ([first, ...others]) => {
          const { side, after, limit } = first as LargestQuestion;
          const rows = await reads.store.listLargestBalances({
            banks: [first as LargestQuestion, ...others].map(({ bank }) => bank),
            side,
            after: after === null ? undefined : { shares: after[0], account: after[1] },
            limit,
          });
          return [JSON.stringify([side, after, limit]), Map.groupBy(rows, ({ bank }) => bank)] as const;
        }),
      );
      const byQuestion = new Map(found);
      return questions.map(
        ({ bank, side, after, limit }) => byQuestion.get(JSON.stringify([side, after, limit]))?.get(bank) ?? [],
      );
    },
    { cacheKeyFn: (question) => JSON.stringify(question) },
  );
}
