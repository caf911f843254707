import { type AccountsOf, decodeArguments, isInstructionOf } from '@lending/programs';
import { writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { isTokenProgram } from '#engine/runtime-addresses.ts';
import { accountAt } from '../account-list.ts';
import { amountOf, MINT } from '../token/token-state.ts';
import { poolPriceE18 } from './oracle-price.ts';
import { quoteSwap, type SwapSide } from './quote-swap.ts';
import { type ROUTE_ACCOUNTS, routeLayout } from './swap-instruction.ts';
import { findSwapAuthority, SWAP_AUTHORITY_SEED, SWAP_PROGRAM, type SwapPool, swapPoolLayout } from './swap-pool.ts';

/** Numbers as Jupiter has them where it has the same error, so that callers meet what they will meet outside. */
const SWAP_ERRORS = {
  accountMismatch: [6000, 'The accounts do not belong to the pools'],
  slippageExceeded: [6001, 'Slippage tolerance exceeded'],
  priceUnavailable: [6002, 'The oracle of a pool has no price'],
  liquidityExceeded: [6003, 'The pool does not hold that much'],
} as const;

const TRANSFER_CHECKED = 12;

/**
 * A dealer that stands in for the exchanges an aggregator routes through: it trades any two tokens it has a pool of at their oracles'
 * prices, with a fee and a price that worsens with size. It exists on the local chain only.
 * Token-2022 fees are honoured on both sides: what arrives in the vault is traded, what arrives at the user is judged.
 */
export const swapProgram: Program = { programId: SWAP_PROGRAM, handle, units: 40_000n };

function handle(context: InvokeContext): void {
  const { amountIn, minimumOut, feeBps } = readCall(context.data);
  context.log('Instruction: Route');
  const trade = loadTrade(context);
  const before = amountOf(trade.destination.data);
  const arrived = takeIn(context, trade, amountIn);
  const { amountOut } = quoteSwap(arrived, trade.from, trade.to, feeBps);
  if (amountOut > amountOf(trade.vaultOut.data)) throw refuse(context, 'liquidityExceeded');
  giveOut(context, trade, amountOut);
  const received = amountOf(trade.destination.data) - before;
  if (received < minimumOut) throw refuse(context, 'slippageExceeded');
  const returned = new Uint8Array(8);
  writeU64(returned, 0, received);
  context.setReturnData(returned);
}

type Accounts = AccountsOf<typeof ROUTE_ACCOUNTS, InstructionAccount>;

interface Trade extends Accounts {
  readonly from: SwapSide;
  readonly to: SwapSide;
}

function loadTrade(context: InvokeContext): Trade {
  const taken = routeLayout.accounts.map(({ name }, index) => [name, accountAt(context.accounts, index)] as const);
  const accounts = Object.fromEntries(taken) as Accounts;
  const { user, poolIn, poolOut, vaultIn, vaultOut, mintIn, mintOut, oracleIn, oracleOut, authority } = accounts;
  if (!user.isSigner) throw new InstructionError('MissingRequiredSignature');
  const tokenPrograms = [accounts.tokenProgramIn, accounts.tokenProgramOut];
  const isKnown = tokenPrograms.every(({ address }) => isTokenProgram(address));
  if (!isKnown || poolIn.isSameAs(poolOut) || authority.address !== findSwapAuthority().address) {
    throw refuse(context, 'accountMismatch');
  }
  const from = loadSide(context, { pool: poolIn, vault: vaultIn, mint: mintIn, oracle: oracleIn });
  const to = loadSide(context, { pool: poolOut, vault: vaultOut, mint: mintOut, oracle: oracleOut });
  return { ...accounts, from, to };
}

function loadSide(
  context: InvokeContext,
  accounts: Record<'pool' | 'vault' | 'mint' | 'oracle', InstructionAccount>,
): SwapSide {
  const pool = readPool(context, accounts.pool);
  const isOfPool =
    pool.mint === accounts.mint.address &&
    pool.vault === accounts.vault.address &&
    pool.oracle === accounts.oracle.address;
  if (!isOfPool) throw refuse(context, 'accountMismatch');
  const priceE18 = poolPriceE18(pool, accounts.oracle);
  if (priceE18 === null) throw refuse(context, 'priceUnavailable');
  const decimals = accounts.mint.data[MINT.decimals] ?? 0;
  return { priceE18, decimals, feeBps: pool.feeBps, depthUsd: pool.depthUsd };
}

/** Only this program writes accounts it owns, so its owner alone makes a pool one. */
function readPool(context: InvokeContext, account: InstructionAccount): SwapPool {
  if (account.owner !== SWAP_PROGRAM) throw refuse(context, 'accountMismatch');
  return swapPoolLayout.decode(account.data);
}

function takeIn(context: InvokeContext, trade: Trade, amount: bigint): bigint {
  const before = amountOf(trade.vaultIn.data);
  const { source, mintIn, vaultIn, user, tokenProgramIn } = trade;
  transfer(context, { from: source, mint: mintIn, to: vaultIn, owner: user, program: tokenProgramIn }, amount, []);
  return amountOf(trade.vaultIn.data) - before;
}

function giveOut(context: InvokeContext, trade: Trade, amount: bigint): void {
  const { vaultOut, mintOut, destination, authority, tokenProgramOut } = trade;
  const seeds = [SWAP_AUTHORITY_SEED, Uint8Array.of(findSwapAuthority().bump)];
  const way = { from: vaultOut, mint: mintOut, to: destination, owner: authority, program: tokenProgramOut };
  transfer(context, way, amount, [seeds]);
}

function transfer(
  context: InvokeContext,
  way: Record<'from' | 'mint' | 'to' | 'owner' | 'program', InstructionAccount>,
  amount: bigint,
  signerSeeds: readonly (readonly Uint8Array[])[],
): void {
  const data = new Uint8Array(10);
  data[0] = TRANSFER_CHECKED;
  writeU64(data, 1, amount);
  data[9] = way.mint.data[MINT.decimals] ?? 0;
  const accounts = [
    { address: way.from.address, isSigner: false, isWritable: true },
    { address: way.mint.address, isSigner: false, isWritable: false },
    { address: way.to.address, isSigner: false, isWritable: true },
    { address: way.owner.address, isSigner: true, isWritable: false },
  ];
  context.invoke({ programId: way.program.address, accounts, data }, signerSeeds);
}

function readCall(data: Uint8Array) {
  try {
    if (isInstructionOf(routeLayout, data)) return decodeArguments(routeLayout, data);
  } catch {
    // Cut short: no call, as one of another discriminator is none.
  }
  throw new InstructionError('InvalidInstructionData');
}

function refuse(context: InvokeContext, name: keyof typeof SWAP_ERRORS): InstructionError {
  const [code, message] = SWAP_ERRORS[name];
  context.log(`Error: ${message}`);
  return customError(code);
}
