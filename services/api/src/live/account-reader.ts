import type { Logger } from '@lending/runtime';
import type { AccountRow } from '@lending/store';
import type { ReadDeps } from '#reads/read-deps.ts';

export interface AccountReaderOptions {
  readonly store: Pick<ReadDeps['store'], 'readAccountsAt'>;
  readonly onRead: (rows: readonly AccountRow[]) => void;
  readonly logger: Logger;
}

/** Reads accounts that changed, those of one moment with one question. */
export interface AccountReader {
  /** Tries until the database answers. */
  read(addresses: Iterable<string>): void;
  stop(): void;
}

const DEBOUNCE_MS = 50;
const RETRY_MS = 1_000;

export function createAccountReader({ store, onRead, logger }: AccountReaderOptions): AccountReader {
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  function readSoon(delayMs: number): void {
    if (!isReading) timer ??= setTimeout(() => void readDue(), delayMs).unref();
  }

  async function readDue(): Promise<void> {
    timer = undefined;
    const addresses = [...due];
    due.clear();
    isReading = true;
    let delayMs = DEBOUNCE_MS;
    try {
      onRead(await store.readAccountsAt(addresses));
    } catch (error) {
      logger.warn('live.account.load', { error });
      for (const address of addresses) due.add(address);
      delayMs = RETRY_MS;
    }
    isReading = false;
    if (due.size > 0) readSoon(delayMs);
  }

  return {
    read(addresses) {
      for (const address of addresses) due.add(address);
      if (due.size > 0) readSoon(DEBOUNCE_MS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      due.clear();
    },
  };
}
