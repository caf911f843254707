import { MARGINFI_MAIN_GROUP, MARGINFI_MAIN_LOOKUP_TABLES, MARGINFI_PROGRAM } from '@lending/programs';
import { type Address, address } from '@solana/kit';

/** What a smoke test takes from the environment; all of it goes on to the service that is started. */
export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Project 0's, or another that P0_PROGRAM names. */
  readonly program: Address;
  /** Its main group, or another that P0_GROUP names. */
  readonly group: Address;
  /** Lookup tables that hold the group's banks; P0_LOOKUP_TABLES names others. */
  readonly lookupTables: readonly Address[];
  /** A token of conversations, for a service that runs already. */
  readonly token: string | null;
  readonly aggregators: Readonly<Record<'Jupiter' | 'DFlow', 'with a key' | 'without a key'>>;
}

export function readSettings(environment: Settings['environment'] = process.env): Settings {
  const given = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const keyOf = (name: string) => (given(name) === undefined ? 'without a key' : 'with a key');
  return {
    environment,
    program: address(given('P0_PROGRAM') ?? MARGINFI_PROGRAM),
    group: address(given('P0_GROUP') ?? MARGINFI_MAIN_GROUP),
    lookupTables:
      given('P0_LOOKUP_TABLES')
        ?.split(',')
        .map((text) => address(text.trim())) ?? MARGINFI_MAIN_LOOKUP_TABLES,
    token: given('LENDING_TOKEN') ?? null,
    aggregators: { Jupiter: keyOf('JUPITER_API_KEY'), DFlow: keyOf('DFLOW_API_KEY') },
  };
}
