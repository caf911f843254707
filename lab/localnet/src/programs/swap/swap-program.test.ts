import { tokenAccountLayout } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountState, ExecutionResult, SlotContext } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { deriveTokenAccount, tokenProgramOf } from '#market/bank-addresses.ts';
import { createDemoMarket } from '#market/demo-market.ts';
import { DEMO_FEEDS } from '#market/feeds.ts';
import { DEMO_POOLS } from '#market/swap-pools.ts';
import { associatedTokenAccount } from '#market/token-accounts.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { DEMO_WALLETS } from '#market/wallets.ts';
import { quoteSwap, type SwapSide } from './quote-swap.ts';
import { readPool } from './read-pool.ts';
import { routeInstruction, type SwapToken } from './swap-instruction.ts';
import { findSwapVault } from './swap-pool.ts';

const NOW = 1_795_255_000n;
const CONTEXT: SlotContext = {
  slot: 5_000n,
  unixTimestamp: NOW,
  epoch: 1n,
  lamportsPerSignature: 5_000n,
  minimumBalance: () => 1n,
};
const BLOCKHASH = getBase58Decoder().decode(new Uint8Array(32).fill(7));
const engine = createModelEngine();
const [saver] = DEMO_WALLETS;
if (saver === undefined) throw new Error('The demo market has no wallet');
const user = saver.address;

let accounts: Map<Address, AccountState>;
const tokens = new Map<DemoTokenName, SwapToken>();
beforeAll(async () => {
  const market = await createDemoMarket({ unixTimestamp: NOW, slot: 5_000n });
  accounts = new Map(market.genesis.accounts);
  for (const name of ['USDC', 'JitoSOL', 'PYUSD', 'BONK'] as const) {
    const token = DEMO_TOKENS[name];
    const account = await deriveTokenAccount(user, token);
    if (!accounts.has(account)) accounts.set(account, associatedTokenAccount(token, user, 0n));
    const oracle = DEMO_FEEDS[DEMO_POOLS[name].feed].account;
    tokens.set(name, { mint: token.mint, tokenProgram: tokenProgramOf(token), oracle, account });
  }
});

function tokenOf(name: DemoTokenName): SwapToken {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`${name} is not part of this test`);
  return token;
}

function execute(instruction: Instruction): ExecutionResult {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(user, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: BLOCKHASH as never, lastValidBlockHeight: 1n }, message),
    (message) => appendTransactionMessageInstruction(instruction, message),
    compileTransaction,
  );
  const wire = Uint8Array.from(getTransactionEncoder().encode(transaction));
  return engine.execute(wire, { get: (address) => accounts.get(address) }, CONTEXT, { verifySignatures: false });
}

function held(result: ExecutionResult, account: Address): bigint {
  const state = result.writes.get(account) ?? accounts.get(account);
  if (state === undefined) throw new Error(`${account} does not exist`);
  return tokenAccountLayout.decode(state.data).amount;
}

function sideOf(name: DemoTokenName): SwapSide {
  const read = readPool((address) => accounts.get(address), DEMO_TOKENS[name]);
  if (read === null) throw new Error(`${name} has no price`);
  return read.side;
}

function swap(from: DemoTokenName, to: DemoTokenName, amountIn: bigint, minimumOut = 0n): ExecutionResult {
  return execute(routeInstruction(user, tokenOf(from), tokenOf(to), { amountIn, minimumOut }));
}

describe('the swap program', () => {
  it.each([
    ['USDC', 'JitoSOL', 1_000_000_000n],
    ['JitoSOL', 'USDC', 3_000_000_000n],
    ['USDC', 'PYUSD', 5_000_000_000n],
    ['PYUSD', 'BONK', 2_000_000n],
  ] as const)('gives for %s what the quote of %s says, from the vault', (from, to, amountIn) => {
    const { amountOut } = quoteSwap(amountIn, sideOf(from), sideOf(to));
    const before = {
      from: held(swap(from, to, 0n), tokenOf(from).account),
      to: held(swap(from, to, 0n), tokenOf(to).account),
    };
    const result = swap(from, to, amountIn, amountOut);
    expect(result.error).toBeNull();
    expect(held(result, tokenOf(from).account)).toBe(before.from - amountIn);
    expect(held(result, tokenOf(to).account)).toBe(before.to + amountOut);
    expect(held(result, findSwapVault(tokenOf(from).mint).address)).toBe(DEMO_POOLS[from].held + amountIn);
    expect(held(result, findSwapVault(tokenOf(to).mint).address)).toBe(DEMO_POOLS[to].held - amountOut);
  });

  it('fails with 6001 when one unit less arrives than asked for', () => {
    const { amountOut } = quoteSwap(1_000_000_000n, sideOf('USDC'), sideOf('JitoSOL'));
    const result = swap('USDC', 'JitoSOL', 1_000_000_000n, amountOut + 1n);
    expect(result.error).toEqual({ InstructionError: [0, { Custom: 6001 }] });
    expect(result.logs).toContain('Program log: Error: Slippage tolerance exceeded');
  });

  it('fails with the token error when the user does not hold the input', () => {
    expect(swap('USDC', 'JitoSOL', 10n ** 15n).error).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });

  it.each([
    ['the oracle of another pool', 9],
    ['the vault of another pool', 5],
    ['another mint', 7],
  ])('refuses %s', (_what, position) => {
    const good = routeInstruction(user, tokenOf('USDC'), tokenOf('JitoSOL'), { amountIn: 1_000_000n, minimumOut: 0n });
    const other = routeInstruction(user, tokenOf('BONK'), tokenOf('JitoSOL'), { amountIn: 1_000_000n, minimumOut: 0n });
    const swapped = good.accounts?.map((account, index) => (index === position ? other.accounts?.[index] : account));
    const result = execute({ ...good, accounts: swapped as NonNullable<Instruction['accounts']> });
    expect(result.error).toEqual({ InstructionError: [0, { Custom: 6000 }] });
  });

  it('refuses a pool that somebody else made', () => {
    const good = routeInstruction(user, tokenOf('USDC'), tokenOf('JitoSOL'), { amountIn: 1_000_000n, minimumOut: 0n });
    const accounts = good.accounts?.map((account, index) =>
      index === 4 ? { address: user, role: AccountRole.READONLY } : account,
    );
    const result = execute({ ...good, accounts: accounts as NonNullable<Instruction['accounts']> });
    expect(result.error).toEqual({ InstructionError: [0, { Custom: 6000 }] });
  });

  it('lets nobody spend what is not signed for', () => {
    const good = routeInstruction(user, tokenOf('USDC'), tokenOf('JitoSOL'), { amountIn: 1_000_000n, minimumOut: 0n });
    const foreign = DEMO_WALLETS[1]?.address;
    const accounts = good.accounts?.map((account, index) =>
      index === 0 && foreign !== undefined ? { address: foreign, role: AccountRole.READONLY } : account,
    );
    const result = execute({ ...good, accounts: accounts as NonNullable<Instruction['accounts']> });
    expect(result.error).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] });
  });
});

describe('quoteSwap', () => {
  const dollar: SwapSide = { priceE18: 10n ** 18n, decimals: 6, feeBps: 2, depthUsd: 1_000_000n };
  const coin: SwapSide = { priceE18: 160n * 10n ** 18n, decimals: 9, feeBps: 5, depthUsd: 400_000n };

  it('prices at the oracle less the higher fee, for a trade too small to move anything', () => {
    // 0.16 USD at 160 USD is 0.001 coins, less 5 bps, less 0.16 / 400,000 for size.
    expect(quoteSwap(160_000n, dollar, coin)).toEqual({ amountOut: 999_499n, priceImpactPpm: 0n });
  });

  it('gives half for a trade of the shallower depth', () => {
    // 400,000 USD would be 2,500 coins; half of them, less 5 bps.
    expect(quoteSwap(400_000_000_000n, dollar, coin)).toEqual({
      amountOut: 1_249_375_000_000n,
      priceImpactPpm: 500_000n,
    });
  });

  const side = fc.record({
    priceE18: fc.bigInt(10n ** 12n, 10n ** 23n),
    decimals: fc.integer({ min: 5, max: 9 }),
    feeBps: fc.integer({ min: 0, max: 100 }),
    depthUsd: fc.bigInt(1_000n, 10n ** 9n),
  });
  const amount = fc.bigInt(0n, 10n ** 15n);

  it('never gives more value than it takes, there and back included', () => {
    fc.assert(
      fc.property(amount, side, side, (amountIn, from, to) => {
        const there = quoteSwap(amountIn, from, to).amountOut;
        expect(quoteSwap(there, to, from).amountOut).toBeLessThanOrEqual(amountIn);
        const [valueIn, valueOut] = [
          amountIn * from.priceE18 * 10n ** BigInt(to.decimals),
          there * to.priceE18 * 10n ** BigInt(from.decimals),
        ];
        expect(valueOut).toBeLessThanOrEqual(valueIn);
      }),
    );
  });

  it('gives no less for more', () => {
    fc.assert(
      fc.property(amount, amount, side, side, (a, b, from, to) => {
        const out = (value: bigint) => quoteSwap(value, from, to).amountOut;
        expect(out(a + b)).toBeGreaterThanOrEqual(out(a));
      }),
    );
  });
});
