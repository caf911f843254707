import { LendingError } from '@lending/errors';
import {
  MARINADE_STATE,
  MSOL_MINT,
  placeOf,
  SANCTUM_MULTI_STAKE_POOL_PROGRAM,
  SANCTUM_STAKE_POOL_PROGRAM,
  STAKE_POOL_PROGRAM,
  STAKE_POOL_SIZE,
  stakePoolLayout,
} from '@lending/programs';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { readEach } from '../read-each.ts';
import type { ListAccounts } from '../venue-adapter.ts';
import type { LstKeys } from './lst-reading.ts';

/** The programs whose accounts are stake pools: one and its two copies. */
export const STAKE_POOL_PROGRAMS: readonly Address[] = [
  STAKE_POOL_PROGRAM,
  SANCTUM_STAKE_POOL_PROGRAM,
  SANCTUM_MULTI_STAKE_POOL_PROGRAM,
];
const MINT_SLICE = { offset: placeOf(stakePoolLayout, 'poolMint').offset, length: 32 } as const;
const addressDecoder = getAddressDecoder();

/** Those that are known without a listing. */
export const UNLISTED_LSTS: readonly LstKeys[] = [{ mint: MSOL_MINT, accounts: [MARINADE_STATE] }];

/**
 * Every liquid staking token there is a way to read, by its mint: three listings of which only mints travel, and Marinade's one state.
 * Tokens of single-validator pools are not among them: `readStakedLst` reads those beside their bank's price.
 */
export async function discoverLsts(
  list: ListAccounts,
  onReject: (pool: Address, error: unknown) => void,
): Promise<ReadonlyMap<Address, LstKeys>> {
  const listings = await Promise.all(STAKE_POOL_PROGRAMS.map((program) => listPools(list, program)));
  const pools = await readEach(listings.flat(), keysOf, onReject);
  return new Map([...pools, ...UNLISTED_LSTS].map((keys) => [keys.mint, keys]));
}

function listPools(list: ListAccounts, program: Address): Promise<readonly AccountBytes[]> {
  return list({
    program,
    filters: [
      { kind: 'size', bytes: STAKE_POOL_SIZE },
      { kind: 'content', offset: 0, bytes: stakePoolLayout.discriminator },
    ],
    slice: MINT_SLICE,
  });
}

function keysOf({ address, data }: AccountBytes): LstKeys {
  if (data.length !== MINT_SLICE.length) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `${MINT_SLICE.length} bytes of stake pool ${address} were asked for, ${data.length} came`,
      context: { address, length: data.length },
    });
  }
  return { mint: addressDecoder.decode(data), accounts: [address] };
}
