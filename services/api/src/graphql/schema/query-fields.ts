import type { GraphQLFieldConfigMap } from 'graphql';
import { accountFields } from '../accounts/account-fields.ts';
import { balanceFields } from '../accounts/balance-fields.ts';
import { activityFields } from '../activity/activity-fields.ts';
import { bankFields } from '../banks/bank-fields.ts';
import type { GraphqlContext } from '../context.ts';
import { groupChangeFields } from '../group-changes/group-change-fields.ts';
import { historyFields } from '../history/history-fields.ts';
import { limitChangeFields } from '../history/limit-change-fields.ts';
import { reserveFields } from '../reserves/reserve-fields.ts';
import { statusFields } from '../status/status-fields.ts';
import { strategyFields } from '../strategies/strategy-fields.ts';
import type { RecordTypes } from './record-types.ts';

/**
 * Everything that can be asked at the root. To add to it: make a folder beside `banks`, export from it one function
 * `(types: RecordTypes) => Fields`, and spread it here. In such a function
 *
 * - `types.object('Account', accountSchema)` makes the type of a zod record, with its names, words, nulls, enums and lists;
 * - `types.extend('Bank', () => ({ history: { … } }))` adds a relation to a type of another folder (its source is the record, in
 *   snake_case, as the reads answer it); `types.named('Bank')` is such a type, to be used inside a thunk;
 * - `createConnectionType({ node })` makes a connection, resolved by `listConnection` (in memory, all arguments of `PAGE_ARGS`) or
 *   `forwardConnection` (rows of the tables, `FORWARD_ARGS`: ask for `readPageSize(args) + 1` rows, and `readCursor` says from where);
 * - `context.once(createAccountLoader)` is a DataLoader, made once for each request by a function of a module;
 * - `...costs(TABLE_PAGE_COST)`, or `...costs({ times: (args) => points, own })`, says what the field may cost: how many of its type
 *   the answer may hold. Without it a list inside a record counts five times and everything else once;
 * - errors are thrown as `LendingError`, those of arguments by `invalid(…)` of `#tools/parse-input.ts` with `CALL_NAME`.
 *
 * `npm run schema:graphql` then writes `schema.graphql` anew, which a test compares.
 */
export function queryFields(types: RecordTypes): GraphQLFieldConfigMap<unknown, GraphqlContext> {
  return {
    ...bankFields(types),
    ...reserveFields(types),
    ...strategyFields(types),
    ...historyFields(types),
    ...limitChangeFields(types),
    ...accountFields(types),
    ...balanceFields(types),
    ...activityFields(types),
    ...groupChangeFields(types),
    ...statusFields(types),
  };
}
