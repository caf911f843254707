/**
 * What may be done with a reserve.
 * `active` all; `restricted` some of it not, as the reasons say; `closed` no deposits any more; `suspended` nothing, and no rate of it is
 * shown; `unknown` a state this build has not heard of, never usable.
 */
export const RESERVE_STATUSES = ['active', 'restricted', 'closed', 'suspended', 'unknown'] as const;
export type ReserveStatus = (typeof RESERVE_STATUSES)[number];
