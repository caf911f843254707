import { type AuditBook, type AuditRow, auditFacts, auditPrice, createAuditBook } from '@lending/audit';
import type { AccountUpdate } from '@lending/chain';
import { describeError } from '@lending/errors';
import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Logger } from '@lending/runtime';
import { type LoadedOracle, loadOracle, type Moment, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

/** A bank with the accounts of its oracle, all of one slot. */
export interface OracleReading {
  readonly bank: P0Bank;
  readonly oracle: {
    readonly loaded: LoadedOracle;
    readonly accounts: readonly (AccountUpdate | null)[];
    readonly moment: Moment;
  };
}

export interface PriceAuditOptions {
  readonly source: MessageSource;
  /** What all processes found. */
  readonly recall: () => Promise<readonly AuditRow[]>;
  readonly logger: Logger;
}

/** Compares the prices in banks' caches with those that their oracles give, from what a round has read. */
export interface PriceAudit {
  /** @returns the messages of what was compared; none while it is not known what an earlier process found. Never throws. */
  audit(readings: readonly OracleReading[]): Promise<readonly Message[]>;
}

/** A bank as the round before read it, and since when its oracle has the same bytes. */
interface Seen {
  readonly bank: P0Bank;
  readonly loaded: LoadedOracle;
  readonly accounts: OracleReading['oracle']['accounts'];
  /** Unix seconds. */
  readonly unchangedSince: bigint;
}

/** How often it is looked what other processes found. */
const RECALL_MS = 60_000;

export function createPriceAudit({ source, recall, logger }: PriceAuditOptions): PriceAudit {
  const seen = new Map<Address, Seen>();
  let book: AuditBook | null = null;
  let recallAt = 0;

  function compare({ bank, oracle }: OracleReading, into: AuditBook): readonly AuditRow[] {
    const { accounts, moment } = oracle;
    const now = moment.unixTimestamp;
    const before = seen.get(bank.address);
    const isUnchanged = before !== undefined && haveSameBytes(before.accounts, accounts);
    const unchangedSince = isUnchanged ? before.unchangedSince : now;
    seen.set(bank.address, { bank, loaded: oracle.loaded, accounts, unchangedSince });
    if (before === undefined) return [];
    const { readAt } = bank.oracleCache;
    // Some prices follow the clock: then it is the one that the program read.
    const loaded =
      unchangedSince < readAt ? loadOracle(bank, accounts, { ...moment, unixTimestamp: readAt }) : oracle.loaded;
    const comparisons = auditPrice({
      before: before.bank,
      after: bank,
      loaded,
      earlier: before.loaded,
      now,
      unchangedSince,
    });
    return comparisons.length === 0 ? [] : into.note(comparisons, moment.slot);
  }

  /** One bank that cannot be compared does not hold up the others of its round. */
  function messagesOf(reading: OracleReading, into: AuditBook): readonly Message[] {
    const { unixTimestamp } = reading.oracle.moment;
    try {
      return compare(reading, into).map((row) => createMessage({ ...auditFacts(row), unixTimestamp, source }));
    } catch (error) {
      logger.warn('price.audit.skip', { bank: reading.bank.address, reason: describeError(error) });
      return [];
    }
  }

  async function recallWhenDue(): Promise<AuditBook> {
    if (book !== null && performance.now() < recallAt) return book;
    const rows = await recall();
    recallAt = performance.now() + RECALL_MS;
    if (book === null) book = createAuditBook(rows);
    else book.adopt(rows);
    return book;
  }

  return {
    async audit(readings) {
      try {
        const into = await recallWhenDue();
        return readings.flatMap((reading) => messagesOf(reading, into));
      } catch (error) {
        logger.warn('price.audit.fail', { error });
        return [];
      }
    },
  };
}

function haveSameBytes(before: Seen['accounts'], after: Seen['accounts']): boolean {
  return (
    before.length === after.length &&
    before.every((was, index) => {
      const is = after[index] ?? null;
      return was === null || is === null ? was === is : Buffer.compare(was.data, is.data) === 0;
    })
  );
}
