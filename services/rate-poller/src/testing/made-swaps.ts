import { type BankFields, bankContent } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { SwapAnswers, SwapQuoter, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import { decodeBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { QuoteClock } from '#swaps/run-swap-quotes.ts';
import type { SeenBank } from '#swaps/seen-banks.ts';

/** A bank of P0's own that takes deposits and lends, seen at second 1,000. */
export function madeSeenBank(
  address: Address,
  mint: Address,
  { bank = {}, ...fields }: Partial<Omit<SeenBank, 'bank'>> & { readonly bank?: BankFields } = {},
): SeenBank {
  const account = { address, slot: 1n, lamports: 1n, ...bankContent({ mint, ...bank }) };
  return {
    bank: decodeBank(account, MARGINFI_PROGRAM),
    priceUsd: '1',
    availableBase: 1_000_000n,
    takesDeposits: true,
    lendsOut: true,
    unixTimestamp: 1_000n,
    ...fields,
  };
}

export const NO_ANSWERS: SwapAnswers = { quoted: [], noRoute: [], refused: [], failed: [] };

/** A quoter that answers what a test says, and remembers what it was asked. */
export function createMadeQuoter(answer: (size: SwapSize, nth: number) => SwapAnswers) {
  const sizes: SwapSize[] = [];
  const quoter: SwapQuoter = {
    isAble: true,
    async ask(size) {
      sizes.push(size);
      return answer(size, sizes.length);
    },
  };
  return { quoter, sizes };
}

/** A clock that jumps to when somebody wants to be woken. */
export function createMadeClock(startMs = 1_000_000) {
  let nowMs = startMs;
  const slept: number[] = [];
  const clock: QuoteClock = {
    now: () => nowMs,
    async sleep(ms) {
      slept.push(ms);
      nowMs += ms;
      // Others get their turn, too.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return { clock, slept };
}
