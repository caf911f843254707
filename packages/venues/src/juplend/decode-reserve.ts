import { LendingError } from '@lending/errors';
import {
  isMint,
  isTokenAccount,
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
import type { Address, Decoder, FixedSizeDecoder } from '@solana/kit';
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

const LENDING: AccountShape = { kind: 'JupLend lending account', owner: JUPLEND_LENDING_PROGRAM };
const RESERVE: AccountShape = { kind: 'JupLend token reserve', owner: JUPLEND_LIQUIDITY_PROGRAM };
const RATE_MODEL: AccountShape = { kind: 'JupLend rate model', owner: JUPLEND_LIQUIDITY_PROGRAM };
const POSITION: AccountShape = { kind: 'JupLend supply position', owner: JUPLEND_LIQUIDITY_PROGRAM };
const REWARDS: AccountShape = { kind: 'JupLend rewards rate model', owner: JUPLEND_REWARDS_PROGRAM };
const LIQUIDITY: AccountShape = { kind: 'JupLend liquidity account', owner: JUPLEND_LIQUIDITY_PROGRAM };

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeLending(account: AccountBytes): JuplendLending {
  return decodeAccount(account, LENDING, juplendLendingLayout);
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeTokenReserve(account: AccountBytes): JuplendTokenReserve {
  return decodeAccount(account, RESERVE, juplendTokenReserveLayout);
}

/**
 * Reads a pool's accounts, in the order of its keys.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeReserve(
  pool: Address,
  [lending, reserve, rateModel, position, rewards, fTokenMint, vault, liquidity]: readonly (AccountBytes | null)[],
): JuplendReserve {
  const decoded = {
    lending: required(pool, lending, LENDING, juplendLendingLayout),
    reserve: required(pool, reserve, RESERVE, juplendTokenReserveLayout),
    rateModel: required(pool, rateModel, RATE_MODEL, juplendRateModelLayout),
    position: optional(position, POSITION, juplendUserSupplyPositionLayout),
    rewards: optional(rewards, REWARDS, juplendRewardsRateModelLayout),
    liquidity: required(pool, liquidity, LIQUIDITY, juplendLiquidityLayout),
  };
  const mint = decodeTokenPart(pool, fTokenMint, 'fToken mint', isMint, mintLayout);
  const tokens = decodeTokenPart(pool, vault, 'JupLend vault', isTokenAccount, tokenAccountLayout);
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
  isOfKind: (data: Uint8Array) => boolean,
  layout: FixedSizeDecoder<T>,
): T {
  if (account && !isOfKind(account.data)) throw malformed(pool, `${account.address} is no ${kind}`);
  const owner = account?.owner === TOKEN_2022_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const plain =
    account === null || account === undefined
      ? account
      : { ...account, data: account.data.subarray(0, layout.fixedSize) };
  return required(pool, plain, { kind, owner }, layout);
}

function malformed(pool: Address, message: string): LendingError {
  return new LendingError('DECODE__ACCOUNT_MALFORMED', { message, context: { address: pool } });
}
