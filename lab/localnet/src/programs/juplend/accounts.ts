import {
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  juplendLendingAdminLayout,
  juplendLendingLayout,
  juplendLiquidityLayout,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserClaimLayout,
  juplendUserSupplyPositionLayout,
} from '@lending/programs';
import { type Address, type Codec, isSolanaError } from '@solana/kit';
import type { AccountKind, NamedAccount } from '#programs/anchor/account-reader.ts';

/** A kind of account whose fields are read and written all at once: they are few. */
export interface PlainKind<TState> extends AccountKind<TState> {
  readonly codec: Codec<TState>;
}

export const LENDING_ADMIN = kindOf(
  JUPLEND_LENDING_PROGRAM,
  juplendLendingAdminLayout.discriminator,
  juplendLendingAdminLayout,
);
export const LENDING = kindOf(JUPLEND_LENDING_PROGRAM, juplendLendingLayout.discriminator, juplendLendingLayout);
export const REWARDS = kindOf(
  JUPLEND_REWARDS_PROGRAM,
  juplendRewardsRateModelLayout.discriminator,
  juplendRewardsRateModelLayout,
);
export const LIQUIDITY = kindOf(
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendLiquidityLayout.discriminator,
  juplendLiquidityLayout,
);
export const TOKEN_RESERVE = kindOf(
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendTokenReserveLayout.discriminator,
  juplendTokenReserveLayout,
);
export const RATE_MODEL = kindOf(
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendRateModelLayout.discriminator,
  juplendRateModelLayout,
);
export const SUPPLY_POSITION = kindOf(
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendUserSupplyPositionLayout.discriminator,
  juplendUserSupplyPositionLayout,
);
export const USER_CLAIM = kindOf(
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendUserClaimLayout.discriminator,
  juplendUserClaimLayout,
);

/** Writes an account's fields; the instruction must have checked that it may. */
export function store<TState>({ account }: NamedAccount, { codec }: PlainKind<TState>, state: TState): void {
  account.writableData().set(codec.encode(state));
}

function kindOf<TState>(owner: Address, discriminator: Uint8Array, codec: Codec<TState>): PlainKind<TState> {
  return { owner, discriminator, codec, view: (data) => decode(codec, data) };
}

/** The program stops where an account of the right kind is too short. */
function decode<TState>(codec: Codec<TState>, data: Uint8Array): TState {
  try {
    return codec.decode(data);
  } catch (error) {
    if (isSolanaError(error)) throw new RangeError('an account is cut short', { cause: error });
    throw error;
  }
}
