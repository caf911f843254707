import { VENUES_ON_WIRE } from '@lending/domain';
import { GraphQLBoolean, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from 'graphql';
import { describeAsOf } from '#reads/as-of.ts';
import { findBank } from '#reads/find-bank.ts';
import { findReserve } from '#reads/find-reserve.ts';
import type { BankReserve } from '#records/bank-reserve-fields.ts';
import { type AsOf, asOfSchema } from '#records/reply-fields.ts';
import { type Reserve, reserveSchema } from '#records/reserve-fields.ts';
import { poolOrderType } from '../banks/pool-order.ts';
import { bankSnapshot, reserveSnapshot } from '../banks/pool-snapshots.ts';
import type { GraphqlContext } from '../context.ts';
import { costs, PAGE_COST } from '../limits/field-cost.ts';
import { PAGE_ARGS } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import { PublicKey } from '../schema/scalars.ts';
import { reserveConnectionType, resolveReserves } from './reserve-connection.ts';

/** What of the venues' pools can be asked at the root, and how banks and reserves find each other. */
export function reserveFields(types: RecordTypes): Fields {
  const reserve = types.object(
    'Reserve',
    reserveSchema,
    "A venue's own pool for one mint, whether or not a bank reaches it",
  );
  types.extend('Reserve', () => ({
    asOf: {
      type: new GraphQLNonNull(types.object('AsOf', asOfSchema)),
      description: 'How old its rates are; its configuration where it was never sampled',
      resolve: readAsOf,
    },
  }));
  types.extend('BankReserve', () => ({
    record: {
      type: reserve,
      description: 'The whole record of the reserve, with rates and incentives of its own; null until it is read',
      resolve: async ({ address }: BankReserve, _args: unknown, { once }) =>
        (await once(reserveSnapshot)).entries.get(address)?.record ?? null,
    },
  }));
  types.extend('ReserveBanks', () => ({
    record: {
      type: new GraphQLNonNull(types.named('Bank')),
      description: 'The whole record of the bank',
      resolve: async ({ address }: Reserve['banks'][number], _args: unknown, { once }) =>
        findBank(await once(bankSnapshot), address).record,
    },
  }));
  return {
    reserve: {
      type: reserve,
      description: 'The reserve, spot market or Earn account at an address; null and NOT_FOUND where there is none',
      args: { address: { type: new GraphQLNonNull(PublicKey) } },
      resolve: async (_root, { address }: { address: string }, context) =>
        findReserve(await context.once(reserveSnapshot), address).record,
    },
    reserves: {
      type: new GraphQLNonNull(reserveConnectionType(types, reserve)),
      description: 'Reserves that match every filter',
      args: {
        filter: { type: reserveFilterType(types) },
        orderBy: { type: new GraphQLNonNull(poolOrderType), defaultValue: 'deposits_usd' },
        ...PAGE_ARGS,
      },
      ...costs(PAGE_COST),
      resolve: resolveReserves,
    },
  };
}

function reserveFilterType(types: RecordTypes): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: 'ReserveFilter',
    description: 'What is left out or null filters nothing',
    fields: {
      symbol: { type: GraphQLString, description: 'Token symbol, whole, any case; several reserves may share one' },
      venue: { type: types.enum('Venue', VENUES_ON_WIRE), description: 'P0 has none: its pools are banks' },
      mint: { type: PublicKey },
      market: { type: PublicKey },
      reached: { type: GraphQLBoolean, description: 'Whether a P0 bank lends through it' },
    },
  });
}

async function readAsOf({ address }: Reserve, _args: unknown, { reads, once }: GraphqlContext): Promise<AsOf> {
  const { reading } = findReserve(await once(reserveSnapshot), address);
  return describeAsOf(reading, reads.now(), reads.staleAfterMs);
}
