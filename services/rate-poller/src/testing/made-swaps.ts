import { parseFraction } from '@lending/domain';
import { type BankFields, bankContent } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { SwapAnswers, SwapQuoter, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ReadPair } from '#swaps/read-pair.ts';
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
    group: null,
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

/** Reads what a test says a bank's price is now, USD, at the slot it says; null is no price. */
export function createMadeReader(
  priceOf: (bank: P0Bank, nth: number) => string | null,
  slotOf: () => bigint,
): ReadPair {
  let reads = 0;
  return async ({ key, in: from, out: to }) => {
    reads += 1;
    const price = (bank: P0Bank) => {
      const priceUsd = priceOf(bank, reads);
      const { mint, decimals } = bank;
      return priceUsd === null ? null : { mint, decimals, priceUsd, priceE18: parseFraction(priceUsd) };
    };
    const [inPrice, outPrice] = [price(from), price(to)];
    const moment = { slot: slotOf(), unixTimestamp: 1_000n };
    return inPrice === null || outPrice === null ? null : { key, in: inPrice, out: outPrice, moment };
  };
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
