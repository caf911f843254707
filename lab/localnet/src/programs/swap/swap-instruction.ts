import { encodeInstruction, instruction, u16, u64 } from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { findSwapAuthority, findSwapPool, findSwapVault, SWAP_PROGRAM } from './swap-pool.ts';

export const ROUTE_ACCOUNTS = `
  user s, source w, destination w, poolIn, poolOut, vaultIn w, vaultOut w, mintIn, mintOut, oracleIn, oracleOut, tokenProgramIn,
  tokenProgramOut, authority
` as const;

/**
 * Gives `amountIn` base units of one token for at least `minimumOut` of another. What a route that an aggregator found costs beyond the
 * pools' own fee is named in it. Accounts behind the fourteen are what a real route's pools would bring along (tick arrays, order books);
 * they are not looked at.
 */
export const routeLayout = instruction('route', ROUTE_ACCOUNTS, { amountIn: u64, minimumOut: u64, feeBps: u16 });

/** One side of a trade as the client names it. */
export interface SwapToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly oracle: Address;
  /** The user's token account. */
  readonly account: Address;
}

interface Route {
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
  readonly feeBps?: number;
  readonly extraAccounts?: readonly Address[];
}

/** The instruction that trades one token for another at oracle prices. */
export function routeInstruction(
  user: Address,
  from: SwapToken,
  to: SwapToken,
  { amountIn, minimumOut, feeBps = 0, extraAccounts = [] }: Route,
): Instruction {
  const accounts = {
    user,
    source: from.account,
    destination: to.account,
    poolIn: findSwapPool(from.mint).address,
    poolOut: findSwapPool(to.mint).address,
    vaultIn: findSwapVault(from.mint).address,
    vaultOut: findSwapVault(to.mint).address,
    mintIn: from.mint,
    mintOut: to.mint,
    oracleIn: from.oracle,
    oracleOut: to.oracle,
    tokenProgramIn: from.tokenProgram,
    tokenProgramOut: to.tokenProgram,
    authority: findSwapAuthority().address,
  };
  const extra = extraAccounts.map((address) => ({ address, role: AccountRole.READONLY }));
  return encodeInstruction(routeLayout, SWAP_PROGRAM, accounts, { amountIn, minimumOut, feeBps }, extra);
}
