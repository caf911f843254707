import { getAddressBytes, INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { AccountReader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireHasOne, requireSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { ACCOUNT, isKeyAt } from '../../token/token-state.ts';
import type { MarketLoader, ObligationLoader, ReserveLoader } from '../state/kinds.ts';
import { MARKET_AUTHORITY_SEED } from './tokens.ts';

/** What every instruction that moves a reserve's tokens names. */
export interface PoolAccounts {
  readonly owner: NamedAccount;
  readonly market: MarketLoader;
  readonly marketAuthority: NamedAccount;
  readonly reserve: ReserveLoader;
  readonly mint: NamedAccount;
  readonly vault: NamedAccount;
  readonly cTokenMint: NamedAccount;
  readonly cTokenProgram: NamedAccount;
  readonly liquidityTokenProgram: NamedAccount;
}

/** The three accounts that end each of these instructions; the sysvar is only named. */
export function readTokenPrograms(reader: AccountReader) {
  return {
    cTokenProgram: reader.program('collateral_token_program', TOKEN_PROGRAM),
    liquidityTokenProgram: reader.tokenProgram('liquidity_token_program'),
    sysvar: reader.unchecked('instruction_sysvar_account'),
  };
}

/** Checks that the accounts are the reserve's and the market's own. @throws AnchorError */
export function checkPool(context: InvokeContext, pool: PoolAccounts & { readonly sysvar: NamedAccount }): void {
  const { market, marketAuthority, reserve, mint, vault, cTokenMint } = pool;
  const { bumpSeed } = market.load().read();
  const seeds = [MARKET_AUTHORITY_SEED, getAddressBytes(market.account.address)];
  requireSeeds(marketAuthority, seeds, Number(bumpSeed & 255n), context.programId);
  requireWritable(reserve);
  const { lendingMarket, liquidity, collateral } = reserve.load().read();
  requireHasOne(reserve, getAddressBytes(lendingMarket), market);
  requireAddress(mint, liquidity.mintPubkey);
  if (mint.account.owner !== pool.liquidityTokenProgram.account.address) {
    throw frameworkError('ConstraintMintTokenProgram', { origin: { kind: 'account', name: mint.name } });
  }
  requireWritable(vault);
  requireAddress(vault, liquidity.supplyVault);
  requireWritable(cTokenMint);
  requireAddress(cTokenMint, collateral.mintPubkey);
  requireAddress(pool.sysvar, INSTRUCTIONS_SYSVAR);
}

/** `mut, has_one = lending_market, has_one = owner` of an obligation. */
export function checkObligation(
  obligation: ObligationLoader,
  { market, owner }: Pick<PoolAccounts, 'market' | 'owner'>,
): void {
  requireWritable(obligation);
  const state = obligation.load().read();
  requireHasOne(obligation, getAddressBytes(state.lendingMarket), market);
  requireHasOne(obligation, getAddressBytes(state.owner), owner);
}

/** `token::mint = …` of somebody's token account, and whose it must be where the instruction says. */
export function checkHolder(holder: NamedAccount, mint: NamedAccount, owner: NamedAccount | null): void {
  requireWritable(holder);
  const origin = { kind: 'account', name: holder.name } as const;
  if (owner !== null && !isKeyAt(holder.account.data, ACCOUNT.owner, owner.account)) {
    throw frameworkError('ConstraintTokenOwner', { origin });
  }
  if (!isKeyAt(holder.account.data, ACCOUNT.mint, mint.account))
    throw frameworkError('ConstraintTokenMint', { origin });
}
