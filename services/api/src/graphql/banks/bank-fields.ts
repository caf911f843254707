import { VENUES_ON_WIRE } from '@lending/domain';
import { GraphQLFloat, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from 'graphql';
import { describeAsOf } from '#reads/as-of.ts';
import { findBank } from '#reads/find-bank.ts';
import { type Bank, bankSchema } from '#records/bank-fields.ts';
import { type AsOf, asOfSchema } from '#records/reply-fields.ts';
import type { GraphqlContext } from '../context.ts';
import { costs, PAGE_COST } from '../limits/field-cost.ts';
import { PAGE_ARGS } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { PublicKey } from '../schema/scalars.ts';
import { bankConnectionType, resolveBanks } from './bank-connection.ts';
import { poolOrderType } from './pool-order.ts';
import { bankSnapshot } from './pool-snapshots.ts';

/** What of banks can be asked at the root. */
export function bankFields(types: RecordTypes): Fields {
  const bank = types.object(
    'Bank',
    bankSchema,
    'A pool of Project 0 for one mint: its own, or one that lends through a venue',
  );
  types.extend('Bank', () => ({
    asOf: {
      type: new GraphQLNonNull(types.object('AsOf', asOfSchema)),
      description: 'How old its rates are; its configuration where it was never sampled',
      resolve: readAsOf,
    },
  }));
  return {
    bank: {
      type: bank,
      description: 'The bank at an address; null and BANK_NOT_FOUND where there is none',
      args: { address: { type: new GraphQLNonNull(PublicKey) } },
      resolve: async (_root, { address }: { address: string }, context) =>
        findBank(await context.once(bankSnapshot), address).record,
    },
    banks: {
      type: new GraphQLNonNull(bankConnectionType(types, bank)),
      description: 'Banks that match every filter',
      args: {
        filter: { type: bankFilterType(types) },
        orderBy: { type: new GraphQLNonNull(poolOrderType), defaultValue: 'deposits_usd' },
        ...PAGE_ARGS,
      },
      ...costs(PAGE_COST),
      resolve: resolveBanks,
    },
  };
}

function bankFilterType(types: RecordTypes): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: 'BankFilter',
    description: 'What is left out or null filters nothing',
    fields: {
      symbol: { type: GraphQLString, description: 'Token symbol, whole, any case; several banks may share one' },
      venue: { type: types.enum('Venue', VENUES_ON_WIRE) },
      mint: { type: PublicKey },
      side: {
        type: types.enum('Side', ['lend', 'borrow']),
        description: 'lend: banks that operate and take deposits; borrow: banks that lend out (P0 only)',
      },
      minAvailableUsd: { type: GraphQLFloat, description: 'At least this much to withdraw or borrow now, USD' },
    },
  });
}

async function readAsOf({ address }: Bank, _args: unknown, { reads, once }: GraphqlContext): Promise<AsOf> {
  const { reading } = findBank(await once(bankSnapshot), address);
  return describeAsOf(reading, reads.now(), reads.staleAfterMs);
}
