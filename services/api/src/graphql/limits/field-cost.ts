import type { GraphQLField } from 'graphql';
import { type PageInput, pageSizeOf } from '../pages/page-input.ts';

/** What answering a field may take, told before anything is read. A field that says nothing counts as one value. */
export interface FieldCost {
  /** How many of its type the answer may hold: everything below it counts that often. */
  readonly times?: (args: Readonly<Record<string, unknown>>) => number;
  /** What finding them takes besides, in values: a question to the tables is worth some. */
  readonly own?: number;
}

/** To be spread into a field. */
export function costs(cost: FieldCost): { readonly extensions: { readonly cost: FieldCost } } {
  return { extensions: { cost } };
}

/** A page from memory: as many as `first` or `last` says. */
export const PAGE_COST: FieldCost = { times: (args) => pageSizeOf(args as PageInput) };

/** A page that the tables are asked for. */
export const TABLE_PAGE_COST: FieldCost = { ...PAGE_COST, own: 100 };

/** A list inside a record is short: the legs of an activity, the points of a rate curve. */
export const LIST_COST: FieldCost = { times: () => 5 };

export function costOf({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): FieldCost | undefined {
  return (extensions as { readonly cost?: FieldCost }).cost;
}
