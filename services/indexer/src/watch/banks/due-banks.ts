import type { Address } from '@solana/kit';

/** Banks that have to be read. A mark is lost only by a reading that succeeded after it was set. */
export interface DueBanks {
  add(banks: Iterable<Address>): void;
  /**
   * Hands all that are due to `read`, which answers those that are due again. Marks set meanwhile stay; those of a reading that
   * failed come back.
   */
  handle(read: (banks: readonly Address[]) => Promise<readonly Address[]>): Promise<void>;
}

export function createDueBanks(): DueBanks {
  const due = new Set<Address>();
  const add = (banks: Iterable<Address>): void => {
    for (const bank of banks) due.add(bank);
  };
  return {
    add,
    async handle(read) {
      const banks = [...due];
      due.clear();
      if (banks.length === 0) return;
      try {
        add(await read(banks));
      } catch (error) {
        add(banks);
        throw error;
      }
    },
  };
}
