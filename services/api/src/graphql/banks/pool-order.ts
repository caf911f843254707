import { GraphQLEnumType } from 'graphql';
import { z } from 'zod';
import { compareSortKeys, POOL_SORTS, type PoolSort, sortKeyOf } from '#reads/pool-order.ts';
import { addressText } from '#tools/input-field.ts';
import type { ListPage } from '../pages/connection.ts';
import { toGraphqlName } from '../schema/field-name.ts';

/** What banks and reserves are ordered by. The words are names of fields. */
export const poolOrderType = new GraphQLEnumType({
  name: 'PoolOrder',
  description: 'Largest first, but cheapest first by totalBorrowApyPct and A first by symbol; unknown last',
  values: Object.fromEntries(POOL_SORTS.map((sort) => [toGraphqlName(sort), { value: sort }])),
});

const symbolPosition = z.tuple([z.string().nullable(), addressText]);
const figurePosition = z.tuple([z.number().nullable(), addressText]);
type Position = readonly [z.ZodType<string | number | null>, typeof addressText];

type PoolPlaces<T> = Pick<ListPage<T, Position>, 'position' | 'positionOf' | 'compare'>;

/** The places of banks or reserves in an order, as their cursors carry them. */
export function poolPlaces<T extends { readonly record: Parameters<typeof sortKeyOf>[0] }>(
  sort: PoolSort,
): PoolPlaces<T> {
  const position: z.ZodTuple<readonly [z.ZodType, ...z.ZodType[]]> =
    sort === 'symbol' ? symbolPosition : figurePosition;
  return {
    position: position as PoolPlaces<T>['position'],
    positionOf: ({ record }) => {
      const { value, address } = sortKeyOf(record, sort);
      return [value, address];
    },
    compare: ([a, atA], [b, atB]) => compareSortKeys({ value: a, address: atA }, { value: b, address: atB }, sort),
  };
}
