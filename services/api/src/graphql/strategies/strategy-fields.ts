import { VENUES_ON_WIRE } from '@lending/domain';
import { type GraphQLEnumType, GraphQLFloat, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from 'graphql';
import { findBank } from '#reads/find-bank.ts';
import type { Bank } from '#records/bank-fields.ts';
import { STRATEGY_KINDS, strategySchema, strategySideSchema } from '#records/strategy-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import { CALL_NAME } from '../context.ts';
import { costs, PAGE_COST } from '../limits/field-cost.ts';
import { PAGE_ARGS } from '../pages/page-input.ts';
import type { Fields, RecordTypes } from '../schema/record-types.ts';
import {
  resolveStrategies,
  type StrategiesArgs,
  strategyConnectionType,
  strategyOrderType,
} from './strategy-connection.ts';

/** What of strategies can be asked at the root, and of the banks on their sides. */
export function strategyFields(types: RecordTypes): Fields {
  const kind = types.enum('StrategyKind', STRATEGY_KINDS, 'What its worth depends on');
  types.object('StrategySide', strategySideSchema, 'A bank as one side of a strategy');
  types.extend('StrategySide', () => ({
    record: {
      type: new GraphQLNonNull(types.named('Bank')),
      description: 'The whole record of the bank',
      resolve: async ({ bank }: { bank: string }, _args, { once }) => findBank(await once(bankSnapshot), bank).record,
    },
  }));
  const strategy = types.object('Strategy', strategySchema, 'A deposit and a borrow that svc_loop opens together');
  const connection = new GraphQLNonNull(strategyConnectionType(types, strategy));
  const page = {
    orderBy: { type: new GraphQLNonNull(strategyOrderType), defaultValue: 'score' },
    ...PAGE_ARGS,
  };
  types.extend('Bank', () => ({
    strategies: {
      type: connection,
      description: 'Strategies with this bank on one side',
      args: { side: { type: new GraphQLNonNull(types.enum('Side', ['lend', 'borrow'])) }, ...page },
      ...costs(PAGE_COST),
      resolve: ({ address }: Bank, { side, ...args }: StrategiesArgs & { side: 'lend' | 'borrow' }, context) =>
        resolveStrategies(args, context, { address, side }),
    },
  }));
  return {
    strategies: {
      type: connection,
      description: 'Loops and rate-arbitrage pairs that match every filter',
      args: {
        filter: { type: strategyFilterType(types, kind) },
        targetLeverage: {
          type: GraphQLFloat,
          description: 'Only pairs that reach it, with figures at it in atTarget; above 1, at most 2 decimals',
        },
        ...page,
      },
      ...costs(PAGE_COST),
      resolve: (_root, { targetLeverage, ...args }: StrategiesArgs & { targetLeverage?: number | null }, context) =>
        resolveStrategies({ ...args, targetHundredths: hundredthsOf(targetLeverage ?? undefined) }, context, null),
    },
  };
}

function strategyFilterType(types: RecordTypes, kind: GraphQLEnumType): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: 'StrategyFilter',
    description: 'What is left out or null filters nothing',
    fields: {
      kind: { type: kind, description: 'What its worth depends on' },
      supplySymbol: { type: GraphQLString, description: 'Token supplied, whole symbol, any case' },
      borrowSymbol: { type: GraphQLString, description: 'Token borrowed, the same' },
      venue: { type: types.enum('Venue', VENUES_ON_WIRE), description: 'On either side; every debt is at P0' },
      minSizeUsd: { type: GraphQLFloat, description: 'Own capital that has to fit now, USD' },
      maxLeverage: { type: GraphQLFloat, description: 'Only pairs that allow no more' },
    },
  });
}

function hundredthsOf(leverage: number | undefined): bigint | undefined {
  if (leverage === undefined) return undefined;
  const text = String(leverage);
  if (leverage > 1 && /^\d{1,9}(\.\d{1,2})?$/.test(text)) {
    const [whole = '0', decimals = ''] = text.split('.');
    return BigInt(whole + decimals.padEnd(2, '0'));
  }
  const allowed = 'a number above 1 with at most 2 decimals';
  throw invalid('targetLeverage has a value that is not allowed', allowed, CALL_NAME, {
    field: 'targetLeverage',
    allowed,
  });
}
