import { defineInstruction, encodeInstruction } from '@lending/programs';
import { type Address, getStructCodec, getU64Codec, type Instruction } from '@solana/kit';
import { findSwapAuthority, findSwapPool, findSwapVault, SWAP_PROGRAM } from './swap-pool.ts';

/** Gives `amountIn` base units of one token for at least `minimumOut` of another. */
export const swapLayout = defineInstruction({
  name: 'swap',
  discriminator: Uint8Array.of(248, 198, 158, 145, 225, 117, 135, 200),
  accounts: [
    { name: 'user', isSigner: true },
    { name: 'source', isWritable: true },
    { name: 'destination', isWritable: true },
    { name: 'poolIn' },
    { name: 'poolOut' },
    { name: 'vaultIn', isWritable: true },
    { name: 'vaultOut', isWritable: true },
    { name: 'mintIn' },
    { name: 'mintOut' },
    { name: 'oracleIn' },
    { name: 'oracleOut' },
    { name: 'tokenProgramIn' },
    { name: 'tokenProgramOut' },
    { name: 'authority' },
  ],
  args: getStructCodec([
    ['amountIn', getU64Codec()],
    ['minimumOut', getU64Codec()],
  ]),
});

/** One side of a trade as the client names it. */
export interface SwapToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly oracle: Address;
  /** The user's token account. */
  readonly account: Address;
}

/** The instruction that trades one token for another at oracle prices. */
export function swapInstruction(
  user: Address,
  from: SwapToken,
  to: SwapToken,
  amounts: { readonly amountIn: bigint; readonly minimumOut: bigint },
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
  return encodeInstruction(swapLayout, SWAP_PROGRAM, accounts, amounts);
}
