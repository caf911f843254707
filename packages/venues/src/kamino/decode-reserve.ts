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

/** A mint keeps its decimals in one byte. */
const MAX_REWARD_DECIMALS = 255n;
/** klend itself knows no power of ten beyond this one. */
const MAX_DECIMALS = 19n;

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE */
export function decodeReserve(account: AccountBytes): KlendReserve {
  const reserve = decodeAccount(
    account,
    {
      kind: 'Kamino reserve',
      owner: KLEND_PROGRAM,
    },
    klendReserveLayout,
  );
  if (reserve.liquidity.mintDecimals <= MAX_DECIMALS) return reserve;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `Kamino reserve ${account.address} has ${reserve.liquidity.mintDecimals} decimals, expected at most ${MAX_DECIMALS}`,
    context: { address: account.address },
  });
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeMarket(account: AccountBytes): KlendMarket {
  return decodeAccount(account, { kind: 'Kamino market', owner: KLEND_PROGRAM }, klendMarketLayout);
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE */
export function decodeFarm(account: AccountBytes): KaminoFarm {
  const shape = {
    kind: 'Kamino farm',
    owner: KAMINO_FARMS_PROGRAM,
  };
  const farm = decodeAccount(account, shape, kaminoFarmLayout);
  if (farm.rewardInfos.every(({ token }) => token.decimals <= MAX_REWARD_DECIMALS)) return farm;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `Kamino farm ${account.address} has a reward of more than ${MAX_REWARD_DECIMALS} decimals, which no mint has`,
    context: { address: account.address },
  });
}
