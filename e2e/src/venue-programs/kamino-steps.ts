import type { ExecutionResult } from '@lending/localnet';
import {
  encodeInstruction,
  INSTRUCTIONS_SYSVAR,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendMarket,
  type KlendReserve,
  klendDepositReserveLiquidity,
  klendDepositReserveLiquidityAndObligationCollateral,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendInitObligation,
  klendInitUserMetadata,
  klendRedeemReserveCollateral,
  klendRefreshObligation,
  klendRefreshReserve,
  klendRefreshReservesBatch,
  klendWithdrawObligationCollateralAndRedeemReserveCollateral,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  NO_KEY,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { PAYER } from '../real-program/addresses.ts';
import { type Chain, LEADING_INSTRUCTIONS } from '../real-program/chain.ts';
import {
  AUTHORITY,
  CODECS,
  holdingsOf,
  MARKET,
  OWNED,
  poolOf,
  RESERVES,
  type ReserveName,
  type User,
  walletOf,
} from './kamino-world.ts';

/** One instruction. Amounts are tokens where they go in, cTokens where they come out. */
export type Op =
  | { readonly op: 'initMetadata'; readonly user: User }
  /** `as` is whose metadata is given. */
  | { readonly op: 'initObligation'; readonly user: User; readonly as?: User }
  | { readonly op: 'refresh'; readonly reserve: ReserveName }
  | { readonly op: 'refreshBatch'; readonly reserves: readonly ReserveName[] }
  | {
      readonly op: 'refreshObligation';
      readonly user: User;
      readonly reserves?: readonly ReserveName[];
      readonly isReadOnly?: boolean;
    }
  | {
      readonly op: 'supply' | 'redeem' | 'deposit' | 'withdraw' | 'depositV2' | 'withdrawV2';
      readonly user: User;
      readonly reserve: ReserveName;
      readonly amount: bigint;
    };

/** One thing that happens to both chains. */
export type Step =
  | { readonly kind: 'send'; readonly ops: readonly Op[] }
  | { readonly kind: 'time'; readonly seconds: bigint }
  | { readonly kind: 'setVault'; readonly reserve: ReserveName; readonly amount: bigint }
  | { readonly kind: 'setMarket'; readonly fields: Partial<KlendMarket> }
  | {
      readonly kind: 'setReserve';
      readonly reserve: ReserveName;
      readonly fields: {
        readonly [TName in keyof KlendReserve]?: KlendReserve[TName] extends object
          ? Partial<KlendReserve[TName]>
          : KlendReserve[TName];
      };
    };

export interface StepResult {
  /** Which instruction failed, and the program's number or the runtime's name for it. */
  readonly error: { readonly at: number; readonly reason: number | string } | null;
  readonly logs: readonly string[];
}

const DONE: StepResult = { error: null, logs: [] };

export function runStep(chain: Chain, step: Step): StepResult {
  switch (step.kind) {
    case 'send':
      return resultOf(chain.send(step.ops.map((op) => instructionOf(chain, op))));
    case 'time':
      chain.passTime(step.seconds);
      return DONE;
    case 'setMarket':
      chain.setData(
        MARKET,
        bytesOf(CODECS.market.encode({ ...CODECS.market.decode(chain.data(MARKET)), ...step.fields })),
      );
      return DONE;
    case 'setVault': {
      const { vault } = poolOf(step.reserve);
      const codec = tokenAccountLayout;
      chain.setData(vault, bytesOf(codec.encode({ ...codec.decode(chain.data(vault)), amount: step.amount })));
      return DONE;
    }
    case 'setReserve': {
      const { reserve } = poolOf(step.reserve);
      const merged = merge(CODECS.reserve.decode(chain.data(reserve)), step.fields) as KlendReserve;
      chain.setData(reserve, bytesOf(CODECS.reserve.encode(merged)));
      return DONE;
    }
  }
}

/** Objects field by field, all else as a whole. */
function merge(before: unknown, fields: object): unknown {
  const changed = Object.entries(fields).map(([name, value]) => {
    const old: unknown = Reflect.get(before as object, name);
    const isStruct =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
    return [name, isStruct ? merge(old, value) : value];
  });
  return { ...(before as object), ...Object.fromEntries(changed) };
}

function bytesOf(data: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(data);
}

function resultOf({ error, logs }: ExecutionResult): StepResult {
  if (error === null) return { error: null, logs };
  if (typeof error === 'string') return { error: { at: -1, reason: error }, logs };
  const [position, reason] = error.InstructionError as [number, string | { Custom: number }];
  const named = typeof reason === 'string' ? reason : reason.Custom;
  return { error: { at: position - LEADING_INSTRUCTIONS, reason: named }, logs };
}

function instructionOf(chain: Chain, op: Op): Instruction {
  switch (op.op) {
    case 'initMetadata': {
      const accounts = { owner: walletOf(op.user), feePayer: PAYER, userMetadata: OWNED[op.user].metadata };
      const rest = { referrerUserMetadata: null, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };
      return encodeInstruction(
        klendInitUserMetadata,
        KLEND_PROGRAM,
        { ...accounts, ...rest },
        { userLookupTable: MARKET },
      );
    }
    case 'initObligation': {
      const { obligation } = OWNED[op.user];
      const { metadata } = OWNED[op.as ?? op.user];
      const accounts = {
        ...{ obligationOwner: walletOf(op.user), feePayer: PAYER, obligation, lendingMarket: MARKET },
        ...{ seed1Account: NO_KEY, seed2Account: NO_KEY, ownerUserMetadata: metadata },
        ...{ rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM },
      };
      return encodeInstruction(klendInitObligation, KLEND_PROGRAM, accounts, { args: { tag: 0, id: 0 } });
    }
    case 'refresh': {
      const { reserve } = poolOf(op.reserve);
      const { tokenInfo } = CODECS.reserve.decode(chain.data(reserve)).config;
      const named = (feed: Address) => (feed === NO_KEY ? null : feed);
      const accounts = {
        reserve,
        lendingMarket: MARKET,
        pythOracle: named(tokenInfo.pythConfiguration.price),
        switchboardPriceOracle: named(tokenInfo.switchboardConfiguration.priceAggregator),
        switchboardTwapOracle: named(tokenInfo.switchboardConfiguration.twapAggregator),
        scopePrices: named(tokenInfo.scopeConfiguration.priceFeed),
      };
      return encodeInstruction(klendRefreshReserve, KLEND_PROGRAM, accounts, {});
    }
    case 'refreshBatch': {
      const pairs = op.reserves.flatMap((reserve) => [
        { address: poolOf(reserve).reserve, role: AccountRole.WRITABLE },
        { address: MARKET, role: AccountRole.READONLY },
      ]);
      return encodeInstruction(klendRefreshReservesBatch, KLEND_PROGRAM, {}, { skipPriceUpdates: true }, pairs);
    }
    case 'refreshObligation': {
      const { obligation } = OWNED[op.user];
      const reserves = op.reserves?.map((name) => poolOf(name).reserve) ?? depositedReserves(chain, op.user);
      return encodeInstruction(
        klendRefreshObligation,
        KLEND_PROGRAM,
        { lendingMarket: MARKET, obligation },
        {},
        reserves.map((address) => ({ address, role: op.isReadOnly ? AccountRole.READONLY : AccountRole.WRITABLE })),
      );
    }
    default:
      return withWritable(moveOf(op), poolOf(op.reserve).mint);
  }
}

/** The ELF at hand is older than the published IDL, and wants to be given the mint to write. */
function withWritable(instruction: Instruction, mint: Address): Instruction {
  const accounts = instruction.accounts?.map((meta) =>
    meta.address === mint ? { address: mint, role: AccountRole.WRITABLE } : meta,
  );
  return { ...instruction, accounts: accounts ?? [] };
}

function moveOf({ op, user, reserve: name, amount }: Extract<Op, { amount: bigint }>): Instruction {
  const { reserve, mint, vault, cTokenMint, cTokenVault } = poolOf(name);
  const { tokens, receipts } = holdingsOf(user, name);
  const shared = {
    owner: walletOf(user),
    lendingMarket: MARKET,
    lendingMarketAuthority: AUTHORITY,
    reserveLiquidityMint: mint,
    reserveLiquiditySupply: vault,
    reserveCollateralMint: cTokenMint,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: TOKEN_PROGRAM,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
  const { obligation } = OWNED[user];
  const farms = { obligationFarmUserState: null, reserveFarmState: null, farmsProgram: KAMINO_FARMS_PROGRAM };
  const into = { obligation, reserve, reserveDestinationDepositCollateral: cTokenVault, userSourceLiquidity: tokens };
  const outOf = {
    ...{ obligation, withdrawReserve: reserve, reserveSourceCollateral: cTokenVault },
    userDestinationLiquidity: tokens,
  };
  const placeholder = { placeholderUserDestinationCollateral: null };
  switch (op) {
    case 'supply': {
      const accounts = { ...shared, reserve, userSourceLiquidity: tokens, userDestinationCollateral: receipts };
      return encodeInstruction(klendDepositReserveLiquidity, KLEND_PROGRAM, accounts, { liquidityAmount: amount });
    }
    case 'redeem': {
      const accounts = { ...shared, reserve, userSourceCollateral: receipts, userDestinationLiquidity: tokens };
      return encodeInstruction(klendRedeemReserveCollateral, KLEND_PROGRAM, accounts, { collateralAmount: amount });
    }
    case 'deposit': {
      const layout = klendDepositReserveLiquidityAndObligationCollateral;
      const accounts = { ...shared, ...into, ...placeholder };
      return encodeInstruction(layout, KLEND_PROGRAM, accounts, { liquidityAmount: amount });
    }
    case 'depositV2': {
      const layout = klendDepositReserveLiquidityAndObligationCollateralV2;
      const accounts = { ...shared, ...into, ...placeholder, ...farms };
      return encodeInstruction(layout, KLEND_PROGRAM, accounts, { liquidityAmount: amount });
    }
    case 'withdraw': {
      const layout = klendWithdrawObligationCollateralAndRedeemReserveCollateral;
      const accounts = { ...shared, ...outOf, ...placeholder };
      return encodeInstruction(layout, KLEND_PROGRAM, accounts, { collateralAmount: amount });
    }
    case 'withdrawV2': {
      const layout = klendWithdrawObligationCollateralAndRedeemReserveCollateralV2;
      const accounts = { ...shared, ...outOf, ...placeholder, ...farms };
      return encodeInstruction(layout, KLEND_PROGRAM, accounts, { collateralAmount: amount });
    }
  }
}

function depositedReserves(chain: Chain, user: User) {
  const state = chain.account(OWNED[user].obligation);
  if (state === undefined || state.data.length === 0) return [];
  const { deposits } = CODECS.obligation.decode(state.data);
  return deposits.map(({ depositReserve }) => depositReserve).filter((reserve) => reserve !== NO_KEY);
}

/** A deposit or withdrawal as klend wants it: the reserve's other ones first, then its own refresh, the obligation's, and the move. */
export function sandwich(move: Extract<Op, { amount: bigint }>): Step {
  const others = RESERVES.filter((reserve) => reserve !== move.reserve);
  return {
    kind: 'send',
    ops: [
      ...others.map((reserve) => ({ op: 'refresh', reserve }) as const),
      { op: 'refresh', reserve: move.reserve },
      { op: 'refreshObligation', user: move.user },
      move,
    ],
  };
}
