import type { AccountState } from '@lending/localnet';
import type { Address } from '@solana/kit';
import { bootstrap } from '../bootstrap.ts';
import { Chain } from '../chain.ts';
import type { RealProgram } from '../elf.ts';
import { START_TIME } from '../market.ts';
import { startAccounts, withCurves } from '../start.ts';
import { worldAccounts } from '../world.ts';

/** The market that the program's own admin instructions set up; one that is newer starts from the accounts our codecs write. */
export function marketOf({ engine, isOld }: RealProgram): ReadonlyMap<Address, AccountState> {
  if (!isOld) return startAccounts();
  const chain = new Chain(engine, { accounts: worldAccounts(), unixTimestamp: START_TIME });
  bootstrap(chain);
  return withCurves(chain.state.accounts);
}
