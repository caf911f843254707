import { LendingError } from '@lending/errors';
import {
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  type JuplendLending,
  type JuplendLiquidity,
  type JuplendRateModel,
  type JuplendRewardsRateModel,
  type JuplendTokenReserve,
  type JuplendUserSupplyPosition,
  juplendLendingLayout,
  juplendLiquidityLayout,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserSupplyPositionLayout,
  mintLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import type { Address, Decoder } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { type AccountShape, decodeAccount, presentAccount } from '../decode-account.ts';

/** The accounts of one pool, in the order its keys name them. */
export interface JuplendReserve {
  readonly lending: JuplendLending;
  readonly reserve: JuplendTokenReserve;
  readonly rateModel: JuplendRateModel;
  /** Null where the pool was never set up to supply. */
  readonly position: JuplendUserSupplyPosition | null;
  /** Null where nothing is paid on top. */
  readonly rewards: JuplendRewardsRateModel | null;
  readonly fTokenSupply: bigint;
  readonly vaultAmount: bigint;
  readonly liquidity: JuplendLiquidity;
}

const shape = (kind: string, owner: Address, discriminator: Uint8Array, size: number): AccountShape => ({
  kind,
  owner,
  discriminator,
  size,
});
const LENDING = shape(
  'JupLend lending account',
  JUPLEND_LENDING_PROGRAM,
  juplendLendingLayout.discriminator,
  juplendLendingLayout.fixedSize,
);
const RESERVE = shape(
  'JupLend token reserve',
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendTokenReserveLayout.discriminator,
  juplendTokenReserveLayout.fixedSize,
);
const RATE_MODEL = shape(
  'JupLend rate model',
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendRateModelLayout.discriminator,
  juplendRateModelLayout.fixedSize,
);
const POSITION = shape(
  'JupLend supply position',
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendUserSupplyPositionLayout.discriminator,
  juplendUserSupplyPositionLayout.fixedSize,
);
const REWARDS = shape(
  'JupLend rewards rate model',
  JUPLEND_REWARDS_PROGRAM,
  juplendRewardsRateModelLayout.discriminator,
  juplendRewardsRateModelLayout.fixedSize,
);
const LIQUIDITY = shape(
  'JupLend liquidity account',
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendLiquidityLayout.discriminator,
  juplendLiquidityLayout.fixedSize,
);
const NO_DISCRIMINATOR = new Uint8Array();

const decoders = {
  lending: juplendLendingLayout,
  reserve: juplendTokenReserveLayout,
  rateModel: juplendRateModelLayout,
  position: juplendUserSupplyPositionLayout,
  rewards: juplendRewardsRateModelLayout,
  liquidity: juplendLiquidityLayout,
  mint: mintLayout,
  tokenAccount: tokenAccountLayout,
};

/**
 * Reads a pool's accounts, in the order of its keys.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeReserve(
  pool: Address,
  [lending, reserve, rateModel, position, rewards, fTokenMint, vault, liquidity]: readonly (AccountBytes | null)[],
): JuplendReserve {
  const decoded = {
    lending: required(pool, lending, LENDING, decoders.lending),
    reserve: required(pool, reserve, RESERVE, decoders.reserve),
    rateModel: required(pool, rateModel, RATE_MODEL, decoders.rateModel),
    position: optional(position, POSITION, decoders.position),
    rewards: optional(rewards, REWARDS, decoders.rewards),
    liquidity: required(pool, liquidity, LIQUIDITY, decoders.liquidity),
  };
  const mint = decodeTokenPart(pool, fTokenMint, 'fToken mint', mintLayout.fixedSize, decoders.mint);
  const tokens = decodeTokenPart(pool, vault, 'JupLend vault', tokenAccountLayout.fixedSize, decoders.tokenAccount);
  if (decoded.reserve.mint !== decoded.lending.mint || tokens.mint !== decoded.lending.mint) {
    throw malformed(pool, `The accounts of JupLend pool ${pool} are of different mints`);
  }
  return { ...decoded, fTokenSupply: mint.supply, vaultAmount: tokens.amount };
}

function required<T>(
  pool: Address,
  account: AccountBytes | null | undefined,
  wanted: AccountShape,
  decoder: Decoder<T>,
): T {
  return decodeAccount(presentAccount(account, wanted.kind, pool), wanted, decoder);
}

function optional<T>(account: AccountBytes | null | undefined, wanted: AccountShape, decoder: Decoder<T>): T | null {
  return account === null || account === undefined ? null : decodeAccount(account, wanted, decoder);
}

/** Mints and token accounts belong to either token program, and Token-2022 appends to them. */
function decodeTokenPart<T>(
  pool: Address,
  account: AccountBytes | null | undefined,
  kind: string,
  size: number,
  decoder: Decoder<T>,
): T {
  const owner = account?.owner === TOKEN_2022_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const plain =
    account === null || account === undefined ? account : { ...account, data: account.data.subarray(0, size) };
  return required(pool, plain, { kind, owner, discriminator: NO_DISCRIMINATOR, size }, decoder);
}

function malformed(pool: Address, message: string): LendingError {
  return new LendingError('DECODE__ACCOUNT_MALFORMED', { message, context: { address: pool } });
}
