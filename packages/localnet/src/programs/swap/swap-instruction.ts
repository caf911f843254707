import { encodeInstruction, instruction, u16, u64 } from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { findSwapAuthority, findSwapPool, findSwapVault, SWAP_PROGRAM } from './swap-pool.ts';

const SWAP_ACCOUNTS = `
  user s, source w, destination w, poolIn, poolOut, vaultIn w, vaultOut w, mintIn, mintOut, oracleIn, oracleOut, tokenProgramIn,
  tokenProgramOut, authority
` as const;

/** Gives `amountIn` base units of one token for at least `minimumOut` of another. */
export const swapLayout = instruction('swap', SWAP_ACCOUNTS, { amountIn: u64, minimumOut: u64 });

/**
 * The same along a route that an aggregator found: what it costs beyond the pools' own fee is named in it. Accounts behind the
 * fourteen are what a real route's pools would bring along (tick arrays, order books); they are not looked at.
 */
export const routeLayout = instruction('route', SWAP_ACCOUNTS, { amountIn: u64, minimumOut: u64, feeBps: u16 });

/** One side of a trade as the client names it. */
export interface SwapToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly oracle: Address;
  /** The user's token account. */
  readonly account: Address;
}

interface SwapAmounts {
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** The instruction that trades one token for another at oracle prices. */
export function swapInstruction(user: Address, from: SwapToken, to: SwapToken, amounts: SwapAmounts): Instruction {
  return encodeInstruction(swapLayout, SWAP_PROGRAM, accountsOf(user, from, to), amounts);
}

/** The same along a route, with what it brings along. */
export function routeInstruction(
  user: Address,
  from: SwapToken,
  to: SwapToken,
  route: SwapAmounts & { readonly feeBps: number; readonly extraAccounts: readonly Address[] },
): Instruction {
  const { extraAccounts, ...args } = route;
  const extra = extraAccounts.map((address) => ({ address, role: AccountRole.READONLY }));
  return encodeInstruction(routeLayout, SWAP_PROGRAM, accountsOf(user, from, to), args, extra);
}

function accountsOf(user: Address, from: SwapToken, to: SwapToken) {
  return {
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
}
