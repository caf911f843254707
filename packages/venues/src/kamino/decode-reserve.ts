import { LendingError } from '@lending/errors';
import {
  getKaminoFarmDecoder,
  getKlendMarketDecoder,
  getKlendReserveDecoder,
  KAMINO_FARM_DISCRIMINATOR,
  KAMINO_FARM_SIZE,
  KAMINO_FARMS_PROGRAM,
  type KaminoFarm,
  KLEND_MARKET_DISCRIMINATOR,
  KLEND_MARKET_SIZE,
  KLEND_PROGRAM,
  KLEND_RESERVE_DISCRIMINATOR,
  KLEND_RESERVE_SIZE,
  type KlendMarket,
  type KlendReserve,
} from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';

const reserveDecoder = getKlendReserveDecoder();
const marketDecoder = getKlendMarketDecoder();
const farmDecoder = getKaminoFarmDecoder();
/** klend itself knows no power of ten beyond this one. */
const MAX_DECIMALS = 19n;

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE */
export function decodeReserve(account: AccountBytes): KlendReserve {
  const reserve = decodeAccount(
    account,
    {
      kind: 'Kamino reserve',
      owner: KLEND_PROGRAM,
      discriminator: KLEND_RESERVE_DISCRIMINATOR,
      size: KLEND_RESERVE_SIZE,
    },
    reserveDecoder,
  );
  if (reserve.liquidity.mintDecimals <= MAX_DECIMALS) return reserve;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `Kamino reserve ${account.address} has ${reserve.liquidity.mintDecimals} decimals, expected at most ${MAX_DECIMALS}`,
    context: { address: account.address },
  });
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeMarket(account: AccountBytes): KlendMarket {
  const shape = {
    kind: 'Kamino market',
    owner: KLEND_PROGRAM,
    discriminator: KLEND_MARKET_DISCRIMINATOR,
    size: KLEND_MARKET_SIZE,
  };
  return decodeAccount(account, shape, marketDecoder);
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeFarm(account: AccountBytes): KaminoFarm {
  const shape = {
    kind: 'Kamino farm',
    owner: KAMINO_FARMS_PROGRAM,
    discriminator: KAMINO_FARM_DISCRIMINATOR,
    size: KAMINO_FARM_SIZE,
  };
  return decodeAccount(account, shape, farmDecoder);
}
