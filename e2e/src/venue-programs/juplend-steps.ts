import type { ExecutionResult } from '@lending/localnet';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  encodeInstruction,
  isInstructionOf,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendEarnDeposit,
  juplendEarnMint,
  juplendEarnRedeem,
  juplendEarnUpdateRate,
  juplendEarnWithdraw,
  juplendLiquidityInitClaimAccount,
  juplendLiquidityOperate,
  juplendLiquidityPreOperate,
  juplendLiquidityUpdateExchangePrice,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { AccountRole, type Address, type Codec, getU64Encoder, type Instruction } from '@solana/kit';
import { PAYER } from '../real-program/addresses.ts';
import type { Chain } from '../real-program/chain.ts';
import { CODECS, holdingsOf, MINT, POOL, type Protocol, type User, walletOf } from './juplend-world.ts';

type Fields = { [TName in keyof typeof CODECS]: Partial<ReturnType<(typeof CODECS)[TName]['codec']['decode']>> };

/** One thing that happens to both chains. */
export type Step =
  | { readonly kind: 'time'; readonly seconds: bigint }
  | { readonly kind: 'updateRate' }
  | { readonly kind: 'updateExchangePrice' }
  | { readonly kind: 'initClaim'; readonly user: User | Protocol }
  | {
      readonly kind: 'earn';
      readonly op: 'deposit' | 'mint' | 'withdraw' | 'redeem';
      readonly user: User;
      readonly amount: bigint;
      /** Where the fTokens or tokens go; default the user's own. */
      readonly recipient?: Address;
      /** Whether a withdrawal names a claim account, which it has no use for. */
      readonly namesClaim?: boolean;
    }
  | {
      readonly kind: 'operate';
      readonly protocol: Protocol;
      /** Positive: supplies; negative: withdraws. */
      readonly supply?: bigint;
      /** Positive: borrows; negative: pays back. */
      readonly borrow?: bigint;
      /** What is sent into the vault before; default what is owed, and nothing is announced where this is null. */
      readonly sent?: bigint | null;
      readonly transferType?: number;
      readonly hasClaims?: boolean;
      /** Accounts for tokens that leave, and are not given. */
      readonly without?: 'withdrawTo' | 'borrowTo';
    }
  /** Writes fields of an account, as an administrator would have come to them. */
  | {
      [TName in keyof Fields]: { readonly kind: 'set'; readonly account: TName; readonly fields: Fields[TName] };
    }[keyof Fields];

/** What a step came to. */
export interface StepResult {
  readonly error: string | null;
  readonly returned: string | null;
  readonly logs: readonly string[];
}

const MAX_U64 = (1n << 64n) - 1n;

const NOTHING: StepResult = { error: null, returned: null, logs: [] };

/** @param isOld the program reads the account lists of the first published IDL. */
export function runStep(chain: Chain, step: Step, isOld: boolean): StepResult {
  if (step.kind === 'time') {
    chain.passTime(step.seconds);
    return NOTHING;
  }
  if (step.kind === 'set') {
    const { address, codec } = CODECS[step.account] as { readonly address: Address; readonly codec: Codec<object> };
    const fields = { ...codec.decode(chain.data(address)), ...step.fields };
    chain.setData(address, new Uint8Array(codec.encode(fields)));
    return NOTHING;
  }
  const instructions = instructionsOf(step);
  const result = chain.send(isOld ? instructions.map(withOldAccounts) : instructions);
  return { error: errorOf(result), returned: returnedOf(result), logs: result.logs };
}

function errorOf({ error }: ExecutionResult): string | null {
  return error === null ? null : JSON.stringify(error);
}

function returnedOf({ error, returnData }: ExecutionResult): string | null {
  if (error !== null || returnData === null) return null;
  return `${returnData.programId} ${Buffer.from(returnData.data).toString('hex')}`;
}

/** The first program versions name the associated token program, where today's do without. */
function withOldAccounts(instruction: Instruction): Instruction {
  const { accounts = [], data = new Uint8Array() } = instruction;
  if (instruction.programAddress !== JUPLEND_LIQUIDITY_PROGRAM) return instruction;
  const associated = { address: ASSOCIATED_TOKEN_PROGRAM, role: AccountRole.READONLY };
  const bytes = Uint8Array.from(data);
  if (isInstructionOf(juplendLiquidityOperate, bytes)) return { ...instruction, accounts: [...accounts, associated] };
  if (isInstructionOf(juplendLiquidityPreOperate, bytes)) {
    return { ...instruction, accounts: accounts.toSpliced(-1, 0, associated) };
  }
  return instruction;
}

function instructionsOf(step: Exclude<Step, { readonly kind: 'time' | 'set' }>): readonly Instruction[] {
  switch (step.kind) {
    case 'updateRate': {
      const { lending, fTokenMint, tokenReserve, rewards } = POOL;
      const accounts = {
        lending,
        mint: MINT,
        fTokenMint,
        supplyTokenReservesLiquidity: tokenReserve,
        rewardsRateModel: rewards,
      };
      return [encodeInstruction(juplendEarnUpdateRate, JUPLEND_LENDING_PROGRAM, accounts, {})];
    }
    case 'updateExchangePrice': {
      const { tokenReserve, rateModel } = POOL;
      const accounts = { tokenReserve, rateModel };
      const layout = juplendLiquidityUpdateExchangePrice;
      return [encodeInstruction(layout, JUPLEND_LIQUIDITY_PROGRAM, accounts, { mint: MINT })];
    }
    case 'initClaim': {
      const accounts = { signer: PAYER, claimAccount: holdingsOf(step.user).claim, systemProgram: SYSTEM_PROGRAM };
      const args = { mint: MINT, user: walletOf(step.user) };
      return [encodeInstruction(juplendLiquidityInitClaimAccount, JUPLEND_LIQUIDITY_PROGRAM, accounts, args)];
    }
    case 'earn':
      return [earnInstruction(step)];
    case 'operate':
      return operateInstructions(step);
    default:
      return step satisfies never;
  }
}

function earnInstruction({
  op,
  user,
  amount,
  recipient,
  namesClaim,
}: Extract<Step, { readonly kind: 'earn' }>): Instruction {
  const { tokens, fTokens, claim } = holdingsOf(user);
  const shared = {
    signer: walletOf(user),
    mint: MINT,
    lendingAdmin: POOL.lendingAdmin,
    lending: POOL.lending,
    fTokenMint: POOL.fTokenMint,
    supplyTokenReservesLiquidity: POOL.tokenReserve,
    lendingSupplyPositionOnLiquidity: POOL.supplyPosition,
    rateModel: POOL.rateModel,
    vault: POOL.vault,
    liquidity: POOL.liquidity,
    liquidityProgram: JUPLEND_LIQUIDITY_PROGRAM,
    rewardsRateModel: POOL.rewards,
    tokenProgram: TOKEN_PROGRAM,
    associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
  };
  const into = { ...shared, depositorTokenAccount: tokens, recipientTokenAccount: recipient ?? fTokens };
  const out = {
    ...shared,
    ownerTokenAccount: fTokens,
    recipientTokenAccount: recipient ?? tokens,
    claimAccount: namesClaim === true ? claim : null,
  };
  switch (op) {
    case 'deposit':
      return encodeInstruction(juplendEarnDeposit, JUPLEND_LENDING_PROGRAM, into, { assets: amount });
    case 'mint':
      return encodeInstruction(juplendEarnMint, JUPLEND_LENDING_PROGRAM, into, { shares: amount });
    case 'withdraw':
      return encodeInstruction(juplendEarnWithdraw, JUPLEND_LENDING_PROGRAM, out, { amount });
    case 'redeem':
      return encodeInstruction(juplendEarnRedeem, JUPLEND_LENDING_PROGRAM, out, { shares: amount });
    default:
      return op satisfies never;
  }
}

function operateInstructions(step: Extract<Step, { readonly kind: 'operate' }>): readonly Instruction[] {
  const { protocol, supply = 0n, borrow = 0n, transferType = 1, hasClaims = false } = step;
  const { tokens, claim, supplyPosition, borrowPosition } = holdingsOf(protocol);
  const wallet = walletOf(protocol);
  const owed = (supply > 0n ? supply : 0n) + (borrow < 0n ? -borrow : 0n);
  const sent = step.sent === undefined && owed > 0n ? owed : (step.sent ?? null);
  const { liquidity, vault, tokenReserve, rateModel } = POOL;
  const program = JUPLEND_LIQUIDITY_PROGRAM;
  const announced = {
    protocol: wallet,
    liquidity,
    userSupplyPosition: supplyPosition,
    userBorrowPosition: borrowPosition,
    vault,
    tokenReserve,
    tokenProgram: TOKEN_PROGRAM,
  };
  const operated = {
    ...announced,
    mint: MINT,
    rateModel,
    withdrawToAccount: supply < 0n && step.without !== 'withdrawTo' ? tokens : null,
    borrowToAccount: borrow > 0n && step.without !== 'borrowTo' ? tokens : null,
    borrowClaimAccount: hasClaims ? claim : null,
    withdrawClaimAccount: hasClaims ? claim : null,
  };
  const args = { supplyAmount: supply, borrowAmount: borrow, withdrawTo: wallet, borrowTo: wallet, transferType };
  return [
    ...(sent === null
      ? []
      : [encodeInstruction(juplendLiquidityPreOperate, program, announced, { mint: MINT }), transfer(protocol, sent)]),
    encodeInstruction(juplendLiquidityOperate, program, operated, args),
  ];
}

function transfer(protocol: Protocol, amount: bigint): Instruction {
  return {
    programAddress: TOKEN_PROGRAM,
    accounts: [
      { address: holdingsOf(protocol).tokens, role: AccountRole.WRITABLE },
      { address: POOL.vault, role: AccountRole.WRITABLE },
      { address: walletOf(protocol), role: AccountRole.READONLY_SIGNER },
    ],
    // No more than the token program can be asked for.
    data: Uint8Array.from([3, ...getU64Encoder().encode(amount > MAX_U64 ? MAX_U64 : amount)]),
  };
}
