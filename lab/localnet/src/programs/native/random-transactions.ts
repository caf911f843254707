import { marginfiErrorName, type ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import { createDice } from '#actors/dice.ts';
import type { AccountState, ExecutionResult, SlotContext, TransactionError } from '#engine/engine.ts';
import { RandomMarket, type RandomTransaction } from './random-market.ts';

/** Transactions on one market, one after the other; then it begins again. */
export const PER_MARKET = 100;
const WRITABLE = 1;
const EVENT = 'Program data: ';

/** A random transaction as the model ran it. */
export interface RandomRun extends RandomTransaction {
  readonly number: number;
  readonly before: ReadonlyMap<Address, AccountState>;
  readonly after: ReadonlyMap<Address, AccountState>;
  /** What it may write to. */
  readonly written: readonly Address[];
  readonly context: SlotContext;
  readonly result: ExecutionResult;
}

/** Runs whole markets on the model: a seed and the number of a market give the same transactions again. */
export async function* randomTransactions(
  version: ProgramVersion,
  seed: string,
  markets: Iterable<number>,
): AsyncGenerator<RandomRun> {
  const opened = await RandomMarket.open(version, createDice(seed));
  for (const market of markets) {
    const random = opened.fork();
    for (let number = market * PER_MARKET; number < (market + 1) * PER_MARKET; number += 1) {
      const dice = createDice(`${seed}/${number}`);
      while (dice.roll(6) === 0) random.stir(dice);
      const { payer, instructions } = random.next(dice);
      const { chain } = random;
      const before = new Map(chain.accounts);
      const result = chain.send(payer, ...instructions);
      const metas = instructions.flatMap(({ accounts }) => accounts);
      const written = new Set(metas.filter(({ role }) => role & WRITABLE).map(({ address }) => address));
      const after = new Map(chain.accounts);
      yield { number, payer, instructions, before, after, written: [...written], context: chain.context, result };
    }
  }
}

/** The markets that hold these transactions, whole ones. */
export function marketsOf(first: number, count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / PER_MARKET) }, (_, index) => Math.floor(first / PER_MARKET) + index);
}

/** The events of a transaction in their order, in base64. */
export function eventsIn({ logs }: Pick<ExecutionResult, 'logs'>): readonly string[] {
  return logs.filter((line) => line.startsWith(EVENT)).map((line) => line.slice(EVENT.length));
}

/** Which instruction ended a transaction; null where none did. */
export function instructionOf(error: TransactionError | null): number | null {
  if (typeof error === 'string' || error === null) return null;
  return ((error.InstructionError as readonly unknown[] | undefined)?.[0] as number | undefined) ?? null;
}

/** The name of a program error, or what stands in its place. */
export function errorWord(error: TransactionError | null, version?: ProgramVersion): string {
  if (error === null || typeof error === 'string') return String(error);
  const [, reason] = (error.InstructionError ?? []) as readonly unknown[];
  const custom = (reason as { Custom?: number } | undefined)?.Custom;
  return custom === undefined ? JSON.stringify(reason) : (marginfiErrorName(custom, version) ?? String(custom));
}
