import { ACCOUNT_FLAG, KNOWN_ACCOUNT_FLAGS } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { AccountRow } from '@lending/store';
import type { AccountValue } from '#reads/account-value.ts';
import { knownAddress } from '#reads/address-of.ts';
import { describeAsOf, oldestReading, type Reading } from '#reads/as-of.ts';
import type { BankSnapshot } from '#reads/bank-snapshot.ts';
import type { FoundAccounts } from '#reads/find-accounts.ts';
import type { Cover } from '#reads/follows.ts';
import type { MeasureSnapshot } from '#reads/measure-set.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { AddressCoverage, AsOf, Warning } from '#records/reply-fields.ts';
import { dataStale, LOCAL_CHAIN } from './warnings.ts';

/** What the answers about one address share: their age, what they cover, what is to be known of them. */

/**
 * How old an answer about rows is: the tip of what the indexer has told where they are streamed, else their own age; and the
 * oldest of the measures it was valued with. Each has its own limit: accounts are streamed, measures are taken on the beats of rates.
 */
export async function dateAnswer(
  deps: ReadDeps,
  cover: Pick<Cover, 'isFollowed'>,
  rows: readonly { readonly slot: bigint; readonly slot_time: Date; readonly source: 'chain' | 'localnet' }[],
  measures: Iterable<Reading>,
): Promise<AsOf> {
  const { tip } = await deps.progress.get();
  const own = rows.map(
    ({ slot, slot_time: time, source }): Reading => ({ slot, timeMs: time.getTime(), source, kind: 'sample' }),
  );
  const kept = cover.isFollowed && tip !== null ? [tip] : own;
  const told = oldestReading(kept) ?? tip;
  const measured = oldestReading(measures);
  const nowMs = deps.now();
  const dated = [
    ...(told === null ? [] : [describeAsOf(told, nowMs, deps.accountsStaleAfterMs)]),
    ...(measured === null ? [] : [describeAsOf(measured, nowMs, deps.staleAfterMs)]),
  ].sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
  const [oldest] = dated;
  if (oldest !== undefined) return { ...oldest, stale: dated.some(({ stale }) => stale) };
  const { chainTimeMs, entries } = await deps.banks.get();
  const source = [...entries.values()][0]?.reading.source ?? 'chain';
  // Nothing was read of this chain's accounts yet: the answer is about nothing, and says no slot.
  const age = Math.max(0, nowMs - chainTimeMs);
  return { slot: null, time: new Date(chainTimeMs).toISOString(), age_seconds: age / 1000, stale: true, source };
}

/** The measures that accounts are valued with. */
export function* measuresOf(
  rows: readonly Pick<AccountRow, 'balances'>[],
  { measured }: Pick<MeasureSnapshot, 'measured'>,
): Generator<Reading> {
  for (const { balances } of rows)
    for (const { bank } of balances) {
      const found = measured.get(bank);
      if (found !== undefined) yield found.reading;
    }
}

/** Unix seconds up to which interest is in an account's amounts, by the age of what it is valued with: a list may hold older ones. */
export function momentOf({ time }: AsOf): bigint {
  return BigInt(Math.floor(Date.parse(time) / 1000));
}

export function describeCoverage(cover: Cover, values: readonly AccountValue[]): AddressCoverage {
  const skipped = [...new Set(values.flatMap(({ unknown }) => unknown.map(({ bank }) => bank)))];
  const unvalued = skipped.length > 0 ? 'a bank could not be valued' : null;
  const foreign = values.find(({ row }) => (BigInt(row.flags) & ~KNOWN_ACCOUNT_FLAGS) !== 0n);
  const unnamed = foreign === undefined ? null : `account ${foreign.row.address} has flags that are not known here`;
  return {
    complete: cover.isComplete && skipped.length === 0 && unnamed === null,
    reason: cover.reason ?? unvalued ?? unnamed,
    banks_skipped: skipped.map((bank) => ({
      bank,
      reason: 'not measured yet, or cannot be read: what it holds is not known',
    })),
  };
}

/** Warnings about how accounts were valued, and how old the answer is. */
export function describeWarnings(asOf: AsOf, values: readonly AccountValue[]): Warning[] {
  const issues = values.flatMap(({ health }) => health.oracleIssues.map(({ bank }) => bank));
  return [
    ...dataStale(asOf),
    ...[...new Set(issues)].map(oracleStale),
    ...[...new Set(values.flatMap(({ unknown }) => unknown.map(({ bank }) => bank)))].map(bankUnknown),
    ...values.flatMap(({ row }) => restricted(row)),
    ...(asOf.source === 'localnet' ? [LOCAL_CHAIN] : []),
  ];
}

function oracleStale(bank: string): Warning {
  return {
    level: 'warning',
    code: 'ORACLE_STALE',
    message: 'The price of this bank is stale or too uncertain: the program values nothing by it until it is fresh.',
    bank,
  };
}

function bankUnknown(bank: string): Warning {
  return {
    level: 'warning',
    code: 'BANK_UNKNOWN',
    message: 'The account holds a balance in this bank, of which nothing was measured: its health is not known.',
    bank,
  };
}

const RESTRICTIONS = [
  [ACCOUNT_FLAG.disabled, 'disabled: nothing can be done with it'],
  [ACCOUNT_FLAG.frozen, 'frozen: its owner can do nothing with it'],
  [ACCOUNT_FLAG.inReceivership, 'in receivership: somebody is liquidating it'],
  [ACCOUNT_FLAG.inDeleverage, 'being deleveraged by the risk administrator'],
] as const;

function restricted(row: AccountRow): Warning[] {
  return RESTRICTIONS.filter(([flag]) => (BigInt(row.flags) & flag) !== 0n).map(([, what]) => ({
    level: 'warning',
    code: 'ACCOUNT_RESTRICTED',
    message: `Account ${row.address} is ${what}.`,
  }));
}

/** Why nothing was found at an address, and what to do. */
export function emptyReason(found: FoundAccounts, address: string, banks: BankSnapshot): string {
  const known = knownAddress(address, banks);
  if (known !== null) {
    return `The address is ${known}, neither a wallet nor a lending account — allowed: the wallet's own address, or that of a lending account — call again with it`;
  }
  if (found.closed !== null) {
    const moved = found.closed.migrated_to;
    if (moved !== null) return `The lending account was moved to ${moved} — call again with that address`;
    return 'The lending account at this address was closed — allowed: the wallet that owned it, to see its other accounts — call again with that';
  }
  if (!found.cover.isComplete) return `Nothing is known of this address yet: ${found.cover.reason}`;
  return 'No lending account is at this address, and none belongs to it — allowed: the wallet that lends, or a lending account — check the address';
}

/**
 * The one account that an address is, or owns.
 * @throws READ__ACCOUNT_NOT_FOUND when there is none; READ__ACCOUNT_MISMATCH when a wallet owns several; DATA__NOT_READY while it is
 * being read for the first time.
 */
export function onlyAccount(found: FoundAccounts, address: string, banks: BankSnapshot, callName: string): AccountRow {
  const own = found.accounts.find((row) => row.address === address);
  const [first, ...others] = own === undefined ? found.accounts : [own];
  if (first === undefined) {
    const reason = emptyReason(found, address, banks);
    if (!found.cover.isComplete && found.closed === null && knownAddress(address, banks) === null) {
      throw new LendingError('DATA__NOT_READY', {
        message: `${reason} — allowed: the same call again — call ${callName} again in a few seconds`,
        context: { address },
      });
    }
    throw new LendingError('READ__ACCOUNT_NOT_FOUND', { message: reason, context: { address } });
  }
  if (others.length > 0) {
    throw new LendingError('READ__ACCOUNT_MISMATCH', {
      message: `The wallet owns ${others.length + 1} accounts — allowed: one of details.accounts as account — call ${callName} again with it`,
      context: { accounts: found.accounts.map((row) => row.address).slice(0, 100) },
    });
  }
  return first;
}
