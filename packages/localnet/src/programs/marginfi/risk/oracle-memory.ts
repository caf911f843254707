import type { LoadedOracle, Moment, P0Bank } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';

interface Remembered {
  readonly accounts: readonly { readonly data: Uint8Array; readonly lamports: bigint }[];
  readonly moment: Moment;
  readonly loaded: LoadedOracle;
}

/**
 * What each bank's oracle last said. Decoding a feed takes a millisecond, and within a slot dozens of transactions ask the same feeds the
 * same thing. Forgotten with the bank's configuration.
 */
const remembered = new WeakMap<P0Bank, Remembered>();

/**
 * The oracle as it was read before, where nothing it depends on has changed since: the clock, and the accounts, whose bytes the ledger
 * replaces and never changes. An account that the running transaction has written to is read anew.
 */
export function recallOracle(
  config: P0Bank,
  accounts: readonly InstructionAccount[],
  moment: Moment,
  load: () => LoadedOracle,
): LoadedOracle {
  if (!accounts.every((account) => account.isUntouched)) return load();
  const known = remembered.get(config);
  if (known !== undefined && isSame(known, accounts, moment)) return known.loaded;
  const loaded = load();
  remembered.set(config, { accounts: accounts.map(({ data, lamports }) => ({ data, lamports })), moment, loaded });
  return loaded;
}

function isSame(known: Remembered, accounts: readonly InstructionAccount[], moment: Moment): boolean {
  return (
    known.moment.slot === moment.slot &&
    known.moment.unixTimestamp === moment.unixTimestamp &&
    known.accounts.length === accounts.length &&
    known.accounts.every(
      ({ data, lamports }, index) => accounts[index]?.data === data && accounts[index].lamports === lamports,
    )
  );
}
