import type { ExecutionResult } from '@lending/localnet';
import {
  borrowSolendLiquidity,
  depositSolendLiquidity,
  depositSolendLiquidityAndCollateral,
  encodeInstruction,
  initSolendObligation,
  type PriceUpdateV2,
  type PullFeed,
  RENT_SYSVAR,
  redeemSolendCollateral,
  refreshSolendObligation,
  refreshSolendReserve,
  repaySolendLiquidity,
  SOLEND_PROGRAM,
  type SolendLendingMarket,
  type SolendObligation,
  type SolendReserve,
  TOKEN_PROGRAM,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import { type AccountMeta, AccountRole, type Address, type Codec, type Instruction, isWritableRole } from '@solana/kit';
import type { Chain } from '../real-program/chain.ts';
import {
  AUTHORITY,
  CODECS,
  EXTRA_ORACLE,
  type FeedName,
  feedAddress,
  holdingsOf,
  isPyth,
  MARKET,
  ORACLES,
  obligationOf,
  poolOf,
  RESERVES,
  type ReserveName,
  type User,
  walletOf,
} from './solend-world.ts';

/** What a user does with a reserve. Amounts are tokens, or receipts where something is taken out. */
type UserStep = {
  readonly kind: 'deposit' | 'redeem' | 'supply' | 'withdraw' | 'borrow' | 'repay';
  readonly user: User;
  readonly reserve: ReserveName;
  readonly amount: bigint;
};

/** One thing that happens to both chains. */
export type Step = (
  | UserStep
  | { readonly kind: 'time'; readonly seconds: bigint }
  | { readonly kind: 'refresh'; readonly reserve: ReserveName; readonly withoutExtra?: boolean }
  | { readonly kind: 'init' | 'refreshObligation'; readonly user: User }
  | {
      readonly kind: 'publish';
      readonly feed: FeedName;
      readonly price?: bigint;
      readonly unsure?: boolean;
      readonly exponent?: number;
    }
  | {
      readonly kind: 'setReserve';
      readonly reserve: ReserveName;
      readonly fields: (state: SolendReserve) => Partial<SolendReserve>;
    }
  /** Makes an account another program's, its bytes unchanged. */
  | { readonly kind: 'give'; readonly account: Address; readonly owner: Address }
  | { readonly kind: 'setMarket'; readonly fields: (state: SolendLendingMarket) => Partial<SolendLendingMarket> }
  | {
      readonly kind: 'setObligation';
      readonly user: User;
      readonly fields: (state: SolendObligation) => Partial<SolendObligation>;
    }
) & {
  /** Puts another account in a place of the instruction, by its position. */
  readonly swap?: readonly [position: number, account: Address];
  /** Leaves a signature out, by the position of who gives it. */
  readonly unsigned?: number;
  /** Adds or drops accounts at the end. */
  readonly tail?: readonly Address[] | 'drop';
  /** Cuts the instruction's data. */
  readonly bytes?: number;
};

/** What a step came to: the program's error number, the runtime's name for it, or null. */
export interface StepResult {
  readonly error: number | string | null;
  readonly logs: readonly string[];
}

const NOTHING: StepResult = { error: null, logs: [] };

export function runStep(chain: Chain, step: Step): StepResult {
  switch (step.kind) {
    case 'time':
      chain.passTime(step.seconds);
      return NOTHING;
    case 'publish':
      publish(chain, step);
      return NOTHING;
    case 'give':
      give(chain, step);
      return NOTHING;
    case 'setReserve':
      change(chain, poolOf(step.reserve).reserve, CODECS.reserve, step.fields);
      return NOTHING;
    case 'setMarket':
      change(chain, MARKET, CODECS.market, step.fields);
      return NOTHING;
    case 'setObligation':
      change(chain, obligationOf(step.user), CODECS.obligation, step.fields);
      return NOTHING;
    default: {
      const result: ExecutionResult = chain.send([bend(instructionOf(chain, step), step)]);
      return { error: errorOf(result), logs: result.logs };
    }
  }
}

function errorOf({ error }: ExecutionResult): StepResult['error'] {
  if (error === null || typeof error === 'string') return error;
  const [, reason] = error.InstructionError as [number, string | { readonly Custom: number }];
  return typeof reason === 'string' ? reason : reason.Custom;
}

function change<T extends object>(chain: Chain, account: Address, codec: Codec<T>, fields: (state: T) => Partial<T>) {
  const state = codec.decode(chain.data(account));
  chain.setData(account, new Uint8Array(codec.encode({ ...state, ...fields(state) })));
}

function give(chain: Chain, { account, owner }: Extract<Step, { kind: 'give' }>): void {
  const state = chain.account(account);
  if (state !== undefined) chain.setAccount(account, { ...state, owner });
}

/** Publishes a price (8 decimals unless Pyth says otherwise) at the chain's time; the same again where none is given. */
function publish(
  chain: Chain,
  { feed, price, unsure = false, exponent = -8 }: Extract<Step, { kind: 'publish' }>,
): void {
  const now = chain.unixTimestamp;
  if (isPyth(feed)) {
    change<PriceUpdateV2>(chain, feedAddress(feed), CODECS.pyth, ({ priceMessage }) => {
      const published = price ?? priceMessage.price;
      const conf = unsure ? published / 10n + 1n : published / 1_000n;
      const emaPrice = (published * 3n + priceMessage.emaPrice) / 4n;
      return { priceMessage: { ...priceMessage, price: published, conf, emaPrice, exponent, publishTime: now } };
    });
    return;
  }
  change<PullFeed>(chain, feedAddress(feed), CODECS.switchboard, ({ result }) => {
    const value = price === undefined ? result.value : price * 10n ** 10n;
    return { result: { ...result, value, range: unsure ? value / 10n + 1n : value / 500n, slot: now * 2n } };
  });
}

type Sent = Extract<Step, { kind: UserStep['kind'] | 'refresh' | 'init' | 'refreshObligation' }>;

function instructionOf(chain: Chain, step: Sent): Instruction {
  switch (step.kind) {
    case 'refresh': {
      const { pyth: pythOracle, switchboard: switchboardOracle } = ORACLES[step.reserve];
      const { reserve } = poolOf(step.reserve);
      const hasExtra = step.reserve === 'alt' && step.withoutExtra !== true;
      const extra: AccountMeta[] = hasExtra ? [{ address: EXTRA_ORACLE, role: AccountRole.READONLY }] : [];
      return encodeInstruction(
        refreshSolendReserve,
        SOLEND_PROGRAM,
        { reserve, pythOracle, switchboardOracle },
        {},
        extra,
      );
    }
    case 'init':
      return encodeInstruction(
        initSolendObligation,
        SOLEND_PROGRAM,
        {
          obligation: obligationOf(step.user),
          lendingMarket: MARKET,
          obligationOwner: walletOf(step.user),
          rent: RENT_SYSVAR,
          tokenProgram: TOKEN_PROGRAM,
        },
        {},
      );
    case 'refreshObligation': {
      const { deposits, borrows } = obligationState(chain, step.user);
      const reserves = [...deposits, ...borrows];
      const obligation = obligationOf(step.user);
      return encodeInstruction(refreshSolendObligation, SOLEND_PROGRAM, { obligation }, {}, reserves);
    }
    default:
      return userInstruction(chain, step);
  }
}

function userInstruction(chain: Chain, { kind, user, reserve: name, amount }: UserStep): Instruction {
  const pool = poolOf(name);
  const { tokens, receipts } = holdingsOf(user, name);
  const wallet = walletOf(user);
  const shared = {
    lendingMarket: MARKET,
    lendingMarketAuthority: AUTHORITY,
    reserve: pool.reserve,
    reserveLiquiditySupply: pool.liquiditySupply,
    reserveCollateralMint: pool.collateralMint,
    userTransferAuthority: wallet,
    obligation: obligationOf(user),
    obligationOwner: wallet,
    tokenProgram: TOKEN_PROGRAM,
  };
  const { pyth: pythOracle, switchboard: switchboardOracle } = ORACLES[name];
  switch (kind) {
    case 'deposit': {
      const accounts = { ...shared, sourceLiquidity: tokens, destinationCollateral: receipts };
      return encodeInstruction(depositSolendLiquidity, SOLEND_PROGRAM, accounts, { liquidityAmount: amount });
    }
    case 'redeem': {
      const accounts = { ...shared, sourceCollateral: receipts, destinationLiquidity: tokens };
      return encodeInstruction(redeemSolendCollateral, SOLEND_PROGRAM, accounts, { collateralAmount: amount });
    }
    case 'supply': {
      const route = { sourceLiquidity: tokens, userCollateral: receipts, destinationCollateral: pool.collateralSupply };
      const accounts = { ...shared, ...route, pythOracle, switchboardOracle };
      return encodeInstruction(depositSolendLiquidityAndCollateral, SOLEND_PROGRAM, accounts, {
        liquidityAmount: amount,
      });
    }
    case 'withdraw': {
      const route = { reserveCollateral: pool.collateralSupply, userCollateral: receipts, userLiquidity: tokens };
      const { deposits } = obligationState(chain, user);
      const args = { collateralAmount: amount };
      return encodeInstruction(
        withdrawSolendCollateralAndRedeem,
        SOLEND_PROGRAM,
        { ...shared, ...route },
        args,
        deposits,
      );
    }
    case 'borrow': {
      const route = {
        sourceLiquidity: pool.liquiditySupply,
        destinationLiquidity: tokens,
        feeReceiver: pool.feeReceiver,
      };
      const accounts = { ...shared, ...route, borrowReserve: pool.reserve };
      const { deposits } = obligationState(chain, user);
      return encodeInstruction(borrowSolendLiquidity, SOLEND_PROGRAM, accounts, { liquidityAmount: amount }, deposits);
    }
    case 'repay': {
      const route = { sourceLiquidity: tokens, destinationLiquidity: pool.liquiditySupply, repayReserve: pool.reserve };
      return encodeInstruction(
        repaySolendLiquidity,
        SOLEND_PROGRAM,
        { ...shared, ...route },
        { liquidityAmount: amount },
      );
    }
  }
}

/** The reserves of an obligation, as its refresh and its owner name them. */
function obligationState(chain: Chain, user: User): Record<'deposits' | 'borrows', readonly AccountMeta[]> {
  const { deposits, borrows } = CODECS.obligation.decode(chain.data(obligationOf(user)));
  const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
  return {
    deposits: deposits.map(({ depositReserve }) => writable(depositReserve)),
    borrows: borrows.map(({ borrowReserve }) => writable(borrowReserve)),
  };
}

function bend(instruction: Instruction, { swap, unsigned, tail, bytes }: Step): Instruction {
  const named = instruction.accounts ?? [];
  const swapped = named.map((meta, position) => (swap?.[0] === position ? { ...meta, address: swap[1] } : meta));
  const signed = swapped.map((meta, position) => (position === unsigned ? withoutSignature(meta) : meta));
  const added = tail === undefined || tail === 'drop' ? [] : tail;
  const kept = tail === 'drop' ? signed.slice(0, -1) : signed;
  return {
    ...instruction,
    accounts: [...kept, ...added.map((address) => ({ address, role: AccountRole.WRITABLE }))] as AccountMeta[],
    data: instruction.data?.slice(0, bytes) ?? new Uint8Array(),
  };
}

/** It may still be written: what is written to a read-only account, the model's engine finds before a call and the runtime after it. */
function withoutSignature(meta: AccountMeta): AccountMeta {
  return { ...meta, role: isWritableRole(meta.role) ? AccountRole.WRITABLE : AccountRole.READONLY };
}

/** Everything that can be refreshed, in the order that works. */
export function refreshAll(...users: readonly User[]): readonly Step[] {
  return [
    ...RESERVES.map((reserve): Step => ({ kind: 'refresh', reserve })),
    ...users.map((user): Step => ({ kind: 'refreshObligation', user })),
  ];
}
