import type { ProgramVersion } from '@lending/programs';
import type { LoadedOracle, Moment, P0Bank } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';

interface ReadAt {
  readonly moment: Moment;
  /** Which program read it. */
  readonly version: ProgramVersion;
}

interface Remembered extends ReadAt {
  readonly accounts: readonly { readonly data: Uint8Array; readonly lamports: bigint }[];
  readonly loaded: LoadedOracle;
}

/**
 * What each bank's oracle last said. Decoding a feed takes a millisecond, and within a slot dozens of transactions ask the same feeds the
 * same thing. Forgotten with the bank's configuration.
 */
const remembered = new WeakMap<P0Bank, Remembered>();

/**
 * The oracle as it was read before, where nothing it depends on has changed since: the clock, the program, and the accounts, whose bytes
 * the ledger replaces and never changes. An account that the running transaction has written to is read again.
 */
export function recallOracle(
  config: P0Bank,
  accounts: readonly InstructionAccount[],
  at: ReadAt,
  load: () => LoadedOracle,
): LoadedOracle {
  if (!accounts.every((account) => account.isUntouched)) return load();
  const known = remembered.get(config);
  if (known !== undefined && isSame(known, accounts, at)) return known.loaded;
  const loaded = load();
  remembered.set(config, { accounts: accounts.map(({ data, lamports }) => ({ data, lamports })), ...at, loaded });
  return loaded;
}

function isSame(known: Remembered, accounts: readonly InstructionAccount[], { moment, version }: ReadAt): boolean {
  return (
    known.version === version &&
    known.moment.slot === moment.slot &&
    known.moment.unixTimestamp === moment.unixTimestamp &&
    known.accounts.length === accounts.length &&
    known.accounts.every(
      ({ data, lamports }, index) => accounts[index]?.data === data && accounts[index].lamports === lamports,
    )
  );
}
