import type { Address } from '@solana/kit';
import { refreshAll, type Step, type StepResult } from '../solend-steps.ts';
import type { ReserveName, User } from '../solend-world.ts';

/** Steps with what each must come to: an error number of the program, a name of the runtime's, or null. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly (readonly [Step, StepResult['error']])[];
}

export const ALL = 2n ** 64n - 1n;
export const WAD = 10n ** 18n;
export const USD = 10n ** 6n;
export const SOL = 10n ** 9n;
export const ALT = 10n ** 8n;
export const MINUTE = 60n;

export const fine = (...steps: readonly Step[]) => steps.map((step) => [step, null] as const);
export const time = (seconds: bigint): Step => ({ kind: 'time', seconds });
const act =
  (kind: 'deposit' | 'redeem' | 'supply' | 'withdraw' | 'borrow' | 'repay') =>
  (user: User, reserve: ReserveName, amount: bigint, more: Partial<Step> = {}): Step =>
    ({ kind, user, reserve, amount, ...more }) as Step;
export const [deposit, redeem, supply, withdraw, borrow, repay] = [
  act('deposit'),
  act('redeem'),
  act('supply'),
  act('withdraw'),
  act('borrow'),
  act('repay'),
] as const;
export const init = (user: User): Step => ({ kind: 'init', user });
export const refresh = (reserve: ReserveName, more: Partial<Step> = {}): Step =>
  ({ kind: 'refresh', reserve, ...more }) as Step;
export const refreshObligation = (user: User, more: Partial<Step> = {}): Step =>
  ({ kind: 'refreshObligation', user, ...more }) as Step;
type Fields<TKind extends Step['kind']> =
  Extract<Step, { kind: TKind }> extends { fields: infer TFields } ? TFields : never;
export const setReserve = (reserve: ReserveName, fields: Fields<'setReserve'>): Step => ({
  kind: 'setReserve',
  reserve,
  fields,
});
export const setMarket = (fields: Fields<'setMarket'>): Step => ({ kind: 'setMarket', fields });
export const setObligation = (user: User, fields: Fields<'setObligation'>): Step => ({
  kind: 'setObligation',
  user,
  fields,
});
export const publishAll: readonly Step[] = (['usdPyth', 'solFeed', 'altPyth', 'altFeed', 'altExtra'] as const).map(
  (feed) => ({
    kind: 'publish',
    feed,
  }),
);
/** Time passes, prices are published, and all there is is refreshed. */
export const later = (seconds: bigint, ...users: readonly User[]) =>
  fine(time(seconds), ...publishAll, ...refreshAll(...users));
/** Ann has USD and ALT under her obligation. */
export const opened = fine(
  init('ann'),
  supply('ann', 'usd', 50_000n * USD),
  supply('ann', 'alt', 10_000n * ALT + 7n),
  ...refreshAll('ann'),
);
export const limiter = (maxOutflow: bigint, windowDuration = 1_000n) => ({
  maxOutflow,
  windowDuration,
  previousQuantity: 0n,
  windowStart: 0n,
  currentQuantity: 0n,
});
/** Accounts that look like Save's and are another program's. */
export const give = (account: Address, owner: Address): Step => ({ kind: 'give', account, owner });
