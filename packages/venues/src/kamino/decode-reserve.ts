import { LendingError } from '@lending/errors';
import {
  KAMINO_FARMS_PROGRAM,
  type KaminoFarm,
  KLEND_PROGRAM,
  type KlendMarket,
  type KlendReserve,
  kaminoFarmLayout,
  klendMarketLayout,
  klendReserveLayout,
} from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';

const reserveDecoder = klendReserveLayout;
const marketDecoder = klendMarketLayout;
const farmDecoder = kaminoFarmLayout;
/** klend itself knows no power of ten beyond this one. */
const MAX_DECIMALS = 19n;

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE */
export function decodeReserve(account: AccountBytes): KlendReserve {
  const reserve = decodeAccount(
    account,
    {
      kind: 'Kamino reserve',
      owner: KLEND_PROGRAM,
      discriminator: klendReserveLayout.discriminator,
      size: klendReserveLayout.fixedSize,
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
    discriminator: klendMarketLayout.discriminator,
    size: klendMarketLayout.fixedSize,
  };
  return decodeAccount(account, shape, marketDecoder);
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeFarm(account: AccountBytes): KaminoFarm {
  const shape = {
    kind: 'Kamino farm',
    owner: KAMINO_FARMS_PROGRAM,
    discriminator: kaminoFarmLayout.discriminator,
    size: kaminoFarmLayout.fixedSize,
  };
  return decodeAccount(account, shape, farmDecoder);
}
