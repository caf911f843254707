import type { Address } from '@solana/kit';
import { walkLogs } from '../walk-logs.ts';
import { accountsOfEvent } from './activity-accounts.ts';
import { readEvent } from './decode-events.ts';
import { isGroupChange } from './group-changes.ts';

/** What a transaction's logs name: lending accounts, and whether something happened to a bank or the group. */
export interface AccountsInLogs {
  readonly accounts: readonly Address[];
  /** The runtime cut the logs, or an event could not be read: others may be missing. */
  readonly isTruncated: boolean;
  readonly isFailed: boolean;
  /** Something happened to a bank or the group, which concerns every follower. */
  readonly hasGroupChange: boolean;
}

/**
 * Which lending accounts a transaction did something to, from its logs alone: whoever follows only some accounts need not fetch the
 * others' transactions. Accounts whose instructions emit nothing (starts and ends of flash loans, closes) are not among them unless
 * something else happened to them in the same transaction; that is no activity, save for claims of rewards up to 0.1.7.
 */
export function accountsInLogs(logs: readonly string[], programId: Address): AccountsInLogs {
  const { lines, isTruncated } = walkLogs(logs);
  const events = lines
    .filter((line) => line.kind === 'data' && line.programId === programId)
    .map((line) => readEvent(line.text));
  return {
    accounts: [...new Set(events.flatMap((event) => (typeof event === 'object' ? accountsOfEvent(event) : [])))],
    isTruncated: isTruncated || events.some((event) => typeof event !== 'object'),
    hasGroupChange: events.some((event) => typeof event === 'object' && isGroupChange(event)),
    isFailed: lines.some(({ kind }) => kind === 'failed'),
  };
}
