import type { Address } from '@solana/kit';
import type { ProgramFilter } from './program-filter.ts';
import type { ProgramEvent, ProgramSource, SourceOptions } from './program-source.ts';

/** The part of a source's events that says what becomes of accounts. */
export type ProgramWatchEvent = Extract<ProgramEvent, { readonly kind: 'gap' | 'account' }>;

export type WatchOptions = SourceOptions;

/** Follows those accounts of a program that match all filters, and nothing else of it. */
export async function* watchProgramAccounts(
  source: ProgramSource,
  program: Address,
  filters: readonly ProgramFilter[],
  options: WatchOptions,
): AsyncGenerator<ProgramWatchEvent, void, undefined> {
  const target = { program, accounts: [filters], transactions: false };
  for await (const event of source.watch(target, options))
    if (event.kind === 'gap' || event.kind === 'account') yield event;
}
