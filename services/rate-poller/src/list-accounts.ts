import type { Chain } from '@lending/chain';
import type { ListAccounts } from '@lending/venues';

/** The wire that whoever looks around in a program's accounts brings. */
export function toListAccounts(chain: Chain, signal: AbortSignal): ListAccounts {
  return async ({ program, filters, slice }) => {
    const { accounts } = await chain.fetchProgramAccounts(program, filters, {
      signal,
      ...(slice && { dataSlice: slice }),
    });
    return accounts;
  };
}
