import { LendingError } from '@lending/errors';
import type { AccountRow } from '@lending/store';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
} from 'graphql';
import { z } from 'zod';
import { knownAddress } from '#reads/address-of.ts';
import { findAccounts } from '#reads/find-accounts.ts';
import { healthSchema, stressSchema } from '#records/health-fields.ts';
import { accountSchema, maxBorrowSchema, positionSchema } from '#records/position-fields.ts';
import { asOfSchema } from '#records/reply-fields.ts';
import { isAddress } from '#tools/address-input.ts';
import { addressText } from '#tools/input-field.ts';
import { invalid } from '#tools/parse-input.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { costs, TABLE_PAGE_COST } from '../limits/field-cost.ts';
import { forwardConnection, mapConnection } from '../pages/connection.ts';
import { createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import { FORWARD_ARGS, type PageInput, readCursor, readPageSize } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { DateTime, PublicKey, Slot } from '../schema/scalars.ts';
import { type AccountSource, measureSnapshot, openAccounts } from './account-source.ts';

/** What of accounts can be asked at the root. */
export function accountFields(types: RecordTypes): Fields {
  const account = accountType(types);
  return {
    account: {
      type: account,
      description:
        'The lending account at an address, closed ones too; null and ACCOUNT_NOT_FOUND where there is none. One that nobody followed yet is read from the chain and followed; null and DATA_STALE while it is being read',
      args: { address: { type: new GraphQLNonNull(PublicKey) } },
      ...costs({ own: 100 }),
      resolve: (_root, { address }: { address: string }, context) => findAccount(address, context),
    },
    accounts: {
      type: new GraphQLNonNull(accountConnectionType(types, account)),
      description: 'Lending accounts in the tables that match every filter; nobody new is followed for it',
      args: {
        filter: { type: accountFilterType(types) },
        orderBy: {
          type: new GraphQLNonNull(accountOrderType),
          defaultValue: 'address',
        },
        ...FORWARD_ARGS,
      },
      ...costs(TABLE_PAGE_COST),
      resolve: resolveAccounts,
    },
  };
}

const accountOrderType = new GraphQLEnumType({
  name: 'AccountOrder',
  description:
    'address: an account keeps its place; updated: the newest first; one that changes between two pages moves to the front, and may be missed',
  values: { address: { value: 'address' }, updated: { value: 'updated' } },
});

function accountType(types: RecordTypes): GraphQLObjectType {
  types.object('Position', positionSchema, 'A deposit or a debt of an account');
  const health = types.object('Health', healthSchema, 'How far an account is from liquidation');
  const stress = types.object('HealthStress', stressSchema, 'What a fall of the market makes of it');
  const maxBorrow = types.object('MaxBorrow', maxBorrowSchema);
  const { health: _health, max_borrow: _borrow, ...shape } = accountSchema.shape;
  const record = z.strictObject(shape);
  const account = types.object('Account', record, 'A lending account of Project 0', (source: AccountSource, key) =>
    key === 'orders' || key === 'rebalance_orders'
      ? source.orders().then((orders) => orders[key])
      : source.record[key as keyof typeof shape],
  );
  types.extend('Account', () => ({
    health: {
      type: new GraphQLNonNull(health),
      description: 'How far it is from liquidation',
      resolve: (source: AccountSource) => source.health,
    },
    stress: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(stress))),
      description: 'At falls of 5, 10, 20 and 30 percent of all prices but those of known dollars',
      resolve: (source: AccountSource) => source.stress,
    },
    maxBorrow: {
      type: new GraphQLList(new GraphQLNonNull(maxBorrow)),
      description:
        'Each alone, largest in USD first; null where the account cannot be valued. Searched for: costs more than it looks',
      ...costs({ own: 100 }),
      resolve: (source: AccountSource) => source.maxBorrow,
    },
    isClosed: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether it was closed on the chain',
      resolve: ({ row }: AccountSource) => row.is_closed,
    },
    updatedSlot: {
      type: new GraphQLNonNull(Slot),
      description: 'Of its newest version',
      resolve: ({ row }: AccountSource) => row.slot,
    },
    updatedAt: {
      type: new GraphQLNonNull(DateTime),
      description: "The chain's time at that slot",
      resolve: ({ row }: AccountSource) => row.slot_time,
    },
  }));
  types.extend('Position', () => ({
    bankRecord: {
      type: types.named('Bank'),
      description: 'The whole record of its bank; null while it cannot be read',
      resolve: async ({ bank }: { bank: string }, _args, { once }) =>
        (await once(bankSnapshot)).entries.get(bank)?.record ?? null,
    },
  }));
  return account;
}

function accountConnectionType(types: RecordTypes, account: GraphQLObjectType): GraphQLObjectType {
  return createConnectionType({
    node: account,
    fields: {
      asOf: {
        type: new GraphQLNonNull(types.object('AsOf', asOfSchema)),
        description: 'How far accounts were followed, and how old the prices are that they are valued with',
      },
      isComplete: {
        type: new GraphQLNonNull(GraphQLBoolean),
        description:
          'Whether all lending accounts there are, are in the tables; false: only those that somebody asked for',
        resolve: async (_page, _args, { reads }: GraphqlContext) => (await reads.progress.get()).areAccountsComplete,
      },
    },
  });
}

interface AccountFilter {
  readonly authority?: string;
  readonly group?: string;
  readonly bank?: readonly string[];
  readonly side?: 'lend' | 'borrow';
  readonly hasDebt?: boolean;
  readonly isClosed?: boolean;
  readonly updatedSince?: Date;
}

function accountFilterType(types: RecordTypes): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: 'AccountFilter',
    description: 'What is left out or null filters nothing; an empty list is refused',
    fields: {
      authority: { type: PublicKey, description: 'Accounts of this owner' },
      group: { type: PublicKey, description: 'Accounts of this group of banks' },
      bank: {
        type: new GraphQLList(new GraphQLNonNull(PublicKey)),
        description: 'With a balance in one of these banks',
      },
      side: { type: types.enum('Side', ['lend', 'borrow']), description: 'On which side of them; needs bank' },
      hasDebt: { type: GraphQLBoolean, description: 'Whether it owes anything' },
      isClosed: { type: GraphQLBoolean, description: 'Whether it was closed on the chain' },
      updatedSince: { type: DateTime, description: 'Changed on the chain at this time or later' },
    },
  });
}

interface AccountsArgs extends PageInput {
  readonly filter?: Filter<AccountFilter> | null;
  readonly orderBy: 'address' | 'updated';
}

const position = z.tuple([addressText, z.string().regex(/^\d{1,18}$/)]);

async function resolveAccounts(_root: unknown, args: AccountsArgs, context: GraphqlContext) {
  const { bank: banks, ...filter } = givenOf<AccountFilter>(args.filter);
  if (filter.side !== undefined && banks === undefined) {
    throw invalid('side is given without bank', 'side together with bank, or hasDebt', CALL_NAME, { field: 'side' });
  }
  const size = readPageSize(args);
  const question = ['accounts', banks, filter, args.orderBy];
  const after = readCursor('after', args, position, question);
  const rows = await context.reads.store.listAccounts({
    ...filter,
    banks,
    order: args.orderBy,
    after: after === null ? undefined : { address: after[0], slot: BigInt(after[1]) },
    limit: size + 1,
  });
  const page = forwardConnection({
    rows,
    size,
    positionOf: ({ address, slot }: AccountRow) => [address, slot.toString()],
    question,
    isAfter: after !== null,
  });
  const { asOf, sources } = await openAccounts(
    page.edges.map(({ node }) => node),
    context,
  );
  return { ...mapConnection(page, ({ address }) => sources.get(address)), asOf };
}

/** Follows it as the other doors do, so that an account that was read once does not grow old. */
async function findAccount(address: string, context: GraphqlContext): Promise<AccountSource> {
  const { reads, once } = context;
  const snapshot = await once(measureSnapshot);
  // As long as an address, and no 32 bytes: nothing can be there, and nobody is to look for it.
  const isNone = knownAddress(address, snapshot.banks) !== null || !isAddress(address);
  const found = isNone ? null : await findAccounts(reads, address);
  const row = found?.accounts.find((account) => account.address === address) ?? found?.closed;
  const opened = row == null ? undefined : (await openAccounts([row], context)).sources.get(row.address);
  if (opened !== undefined) return opened;
  if (found !== null && !found.cover.isComplete && found.accounts.length === 0) {
    throw new LendingError('DATA__NOT_READY', {
      message: `Nothing is known of the address given as address yet: ${found.cover.reason} — allowed: the same query again — send it again in a few seconds`,
      context: { address },
    });
  }
  throw new LendingError('READ__ACCOUNT_NOT_FOUND', {
    message:
      'No lending account has the address given as address — allowed: the address of a lending account — ask accounts with its authority to find it',
    context: { account: address },
  });
}
