import { MARGINFI_PROGRAM } from '@lending/programs';
import { type Address, address } from '@solana/kit';

/** What a smoke test takes from the environment; all of it goes on to the service that is started. */
export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Project 0's, or another that P0_PROGRAM names. */
  readonly program: Address;
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
    token: given('LENDING_TOKEN') ?? null,
    aggregators: { Jupiter: keyOf('JUPITER_API_KEY'), DFlow: keyOf('DFLOW_API_KEY') },
  };
}
