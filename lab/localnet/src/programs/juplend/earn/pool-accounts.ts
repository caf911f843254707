import { ASSOCIATED_TOKEN_PROGRAM, type JuplendLending } from '@lending/programs';
import { accrueJuplendPrices, accrueJuplendTokenPrice, type JuplendPool } from '@lending/venues';
import { isU64, readU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import type { AccountReader, Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireAllWritable, requireToken, requireWritable } from '#programs/anchor/constraints.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { MINT } from '../../token/token-state.ts';
import { LENDING, type LENDING_ADMIN, REWARDS, store, type TOKEN_RESERVE } from '../accounts.ts';
import { requireKey } from '../checks.ts';
import { fail } from '../juplend-error.ts';
import { accrualUnits } from '../juplend-units.ts';

type LoaderOf<TKind> = TKind extends { view: (data: Uint8Array) => infer TState } ? Loader<TState> : never;

/** What every movement of an Earn pool names, besides who pays and who gets. */
export interface PoolAccounts {
  readonly signer: NamedAccount;
  readonly mint: NamedAccount;
  readonly fTokenMint: NamedAccount;
  readonly lendingAdmin: LoaderOf<typeof LENDING_ADMIN>;
  readonly lending: LoaderOf<typeof LENDING>;
  readonly tokenReserve: LoaderOf<typeof TOKEN_RESERVE>;
  readonly supplyPosition: NamedAccount;
  readonly rateModel: NamedAccount;
  readonly vault: NamedAccount;
  readonly liquidity: NamedAccount;
  readonly liquidityProgram: NamedAccount;
  readonly rewards: LoaderOf<typeof REWARDS>;
  readonly tokenProgram: NamedAccount;
}

/** The last accounts of every movement. */
export function readTail(reader: AccountReader) {
  const rateModel = reader.unchecked('rate_model');
  const vault = reader.unchecked('vault');
  return { rateModel, vault };
}

export function readPrograms(reader: AccountReader) {
  const liquidity = reader.unchecked('liquidity');
  const liquidityProgram = reader.unchecked('liquidity_program');
  const rewards = reader.account('rewards_rate_model', REWARDS);
  const tokenProgram = reader.tokenProgram('token_program');
  const associated = reader.optional('associated_token_program');
  if (associated !== null && associated.account.address !== ASSOCIATED_TOKEN_PROGRAM) {
    throw frameworkError('InvalidProgramId');
  }
  reader.program('system_program', SYSTEM_PROGRAM);
  return { liquidity, liquidityProgram, rewards, tokenProgram };
}

/** The constraints in the order of the accounts; `tokens` are the two token accounts, each with its mint. */
export function checkPool(
  pool: PoolAccounts,
  tokens: readonly (readonly [NamedAccount, mint: NamedAccount])[],
  claim: NamedAccount | null = null,
): void {
  const { signer, mint, fTokenMint, lendingAdmin, lending, tokenReserve, supplyPosition, vault, liquidity, rewards } =
    pool;
  requireWritable(signer);
  for (const [account, tokenMint] of tokens) {
    requireWritable(account);
    requireToken(account, { authority: signer, mint: tokenMint, tokenProgram: pool.tokenProgram });
  }
  requireKey(lendingAdmin, lendingAdmin.load().liquidityProgram, pool.liquidityProgram);
  requireWritable(lending);
  requirePool(lending, mint, fTokenMint);
  requireAllWritable(fTokenMint, tokenReserve);
  requireAddress(tokenReserve, lending.load().tokenReservesLiquidity);
  requireAllWritable(supplyPosition, vault, claim, liquidity);
  requireKey(rewards, rewards.load().mint, mint);
  requireAddress(rewards, lending.load().rewardsRateModel);
}

/** `has_one = mint, has_one = f_token_mint` */
export function requirePool(lending: PoolAccounts['lending'], mint: NamedAccount, fTokenMint: NamedAccount): void {
  requireKey(lending, lending.load().mint, mint);
  requireKey(lending, lending.load().fTokenMint, fTokenMint);
}

type Priced = Pick<PoolAccounts, 'lending' | 'fTokenMint' | 'tokenReserve' | 'rewards'>;

/** The supply price of the pool's mint as an update of now would write it. */
export function liquidityPriceOf(context: InvokeContext, { tokenReserve }: Priced): bigint {
  const reserve = tokenReserve.load();
  const { unixTimestamp } = context.slot;
  context.consume(accrualUnits(reserve, unixTimestamp));
  const { supply } = accrueJuplendPrices(reserve, unixTimestamp);
  return isU64(supply) ? supply : fail('LibraryCastingFailure');
}

/** The fToken's price at a supply price, without writing it. */
export function tokenPriceOf(context: InvokeContext, pool: Priced, liquidityPrice: bigint): bigint {
  return accrueJuplendTokenPrice(priced(pool), liquidityPrice, context.slot.unixTimestamp);
}

/**
 * Writes the prices of now.
 * @param fTokenSupply as it was when the instruction began.
 * @returns the fToken's price.
 * @see fluid-solana-programs programs/lending/src/utils/helpers.rs `update_rates`
 */
export function updateRates(context: InvokeContext, pool: Priced, liquidityPrice: bigint): bigint {
  const tokenExchangePrice = tokenPriceOf(context, pool, liquidityPrice);
  const after: JuplendLending = {
    ...pool.lending.load(),
    tokenExchangePrice,
    liquidityExchangePrice: liquidityPrice,
    lastUpdateTimestamp: context.slot.unixTimestamp,
  };
  store(pool.lending, LENDING, after);
  return tokenExchangePrice;
}

function priced({ lending, rewards, fTokenMint }: Priced): JuplendPool {
  const fTokenSupply = readU64(fTokenMint.account.data, MINT.supply);
  return { lending: lending.load(), rewards: rewards.load(), fTokenSupply };
}
