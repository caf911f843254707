import { LendingError } from '@lending/errors';
import {
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendLendingLayout,
  juplendTokenReserveLayout,
  NO_KEY,
  placeOf,
} from '@lending/programs';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { readEach } from '../read-each.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { AccountSearch, ListAccounts } from '../venue-adapter.ts';
import { decodeLending } from './decode-reserve.ts';

const ADDRESS_BYTES = 32;

const LENDINGS = searchFor(JUPLEND_LENDING_PROGRAM, juplendLendingLayout.discriminator, juplendLendingLayout.fixedSize);
const RESERVES: AccountSearch = {
  ...searchFor(JUPLEND_LIQUIDITY_PROGRAM, juplendTokenReserveLayout.discriminator, juplendTokenReserveLayout.fixedSize),
  slice: { offset: placeOf(juplendTokenReserveLayout, 'vault').offset, length: ADDRESS_BYTES },
};

/** Every Earn pool, with the accounts a reading asks for. The vault's key is taken from the token reserve, which names it. */
export async function discoverReserves(
  list: ListAccounts,
  onReject: (reserve: Address, error: unknown) => void,
): Promise<readonly ReserveKeys[]> {
  const [lendings, reserves, [market]] = await Promise.all([list(LENDINGS), list(RESERVES), findJuplendLiquidity()]);
  const vaults = new Map(reserves.map(({ address, data }) => [address, data]));
  return readEach(lendings, (account) => keysOf(account, vaults, market), onReject);
}

async function keysOf(
  account: AccountBytes,
  vaults: ReadonlyMap<Address, Uint8Array>,
  market: Address,
): Promise<ReserveKeys> {
  const lending = decodeLending(account);
  const { mint, fTokenMint, tokenReservesLiquidity, supplyPositionOnLiquidity } = lending;
  const vault = vaults.get(tokenReservesLiquidity);
  if (vault === undefined || vault.length < ADDRESS_BYTES) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
      message: `JupLend pool ${account.address} names ${tokenReservesLiquidity} as its token reserve, which is none`,
      context: { address: account.address },
    });
  }
  const [[rateModel], [derivedRewards]] = await Promise.all([
    findJuplendRateModel(mint),
    findJuplendRewardsRateModel(mint),
  ]);
  const rewards = lending.rewardsRateModel === NO_KEY ? derivedRewards : lending.rewardsRateModel;
  const accounts = [
    account.address,
    tokenReservesLiquidity,
    rateModel,
    supplyPositionOnLiquidity,
    rewards,
    fTokenMint,
    getAddressDecoder().decode(vault),
    market,
  ];
  return { venue: 'juplend', address: account.address, market, mint, accounts };
}

function searchFor(program: Address, discriminator: Uint8Array, size: number): AccountSearch {
  return {
    program,
    filters: [
      { kind: 'size', bytes: size },
      { kind: 'content', offset: 0, bytes: discriminator },
    ],
  };
}
