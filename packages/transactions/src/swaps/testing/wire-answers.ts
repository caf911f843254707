import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  DFLOW_PROGRAM,
  JUPITER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, getU16Encoder, getU64Encoder } from '@solana/kit';
import { addressOf } from '#compile/testing-instructions.ts';

/**
 * Both aggregators' answers in their wire shapes. Nobody recorded them here: names, types and which of them are missing come from
 * DFlow's OpenAPI document (0.1.0, read July 2026), from Jupiter's pages on `/swap/v2/build`, and from public clients' notes of what
 * production sent them in August and September 2026; numbers and addresses are made up.
 */
export interface Trade {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inBase: bigint;
  readonly outBase: bigint;
  readonly slippageBps: number;
  readonly taker: Address;
  readonly source: Address;
  readonly destination: Address;
  /** Accounts of the pools. */
  readonly poolAccounts: number;
}

export interface WireInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: string;
}

const POOLS = 5_000;
export const TABLE = addressOf(6_000);
export const EVENT_AUTHORITY = addressOf(6_001);

export const minOutOf = ({ outBase, slippageBps }: Trade): bigint => (outBase * BigInt(10_000 - slippageBps)) / 10_000n;

export const wireAccount = (pubkey: string, isWritable = false, isSigner = false) => ({ pubkey, isSigner, isWritable });

/** `GET /swap/v2/build` where SOL is not wrapped. */
export function jupiterBuild(trade: Trade) {
  return {
    inputMint: trade.inMint,
    outputMint: trade.outMint,
    inAmount: `${trade.inBase}`,
    outAmount: `${trade.outBase}`,
    otherAmountThreshold: `${minOutOf(trade)}`,
    swapMode: 'ExactIn',
    slippageBps: trade.slippageBps,
    priceImpactPct: '0.0001245',
    routePlan: [
      {
        percent: 100,
        bps: 10_000,
        usdValue: 150.01,
        swapInfo: {
          ammKey: addressOf(POOLS),
          label: 'Whirlpool',
          inputMint: trade.inMint,
          outputMint: trade.outMint,
          inAmount: `${trade.inBase}`,
          outAmount: `${trade.outBase}`,
        },
      },
    ],
    computeBudgetInstructions: [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: 'A6CGAQAAAAAA' }],
    setupInstructions: [
      creation(trade.taker, trade.source, trade.inMint),
      creation(trade.taker, trade.destination, trade.outMint),
    ] as WireInstruction[],
    swapInstruction: routeV2(trade),
    cleanupInstruction: null as WireInstruction | null,
    otherInstructions: [] as WireInstruction[],
    tipInstruction: null as WireInstruction | null,
    addressesByLookupTableAddress: { [TABLE]: [addressOf(POOLS), addressOf(POOLS + 1)] } as Record<
      string,
      unknown
    > | null,
    blockhashWithMetadata: {
      blockhash: Array.from({ length: 32 }, (_, index) => index),
      lastValidBlockHeight: 431_000_000,
      fetchedAt: { secs_since_epoch: 1_790_000_000, nanos_since_epoch: 12 },
    },
  };
}

/** `GET /swap/v2/quote`: the quote of a build, and of what slot it is. */
export function jupiterQuote(trade: Trade) {
  const { inputMint, outputMint, inAmount, outAmount, otherAmountThreshold, swapMode, ...build } = jupiterBuild(trade);
  const { slippageBps, priceImpactPct, routePlan } = build;
  const quote = { inputMint, inAmount, outputMint, outAmount, otherAmountThreshold, swapMode };
  return { ...quote, slippageBps, platformFee: null, priceImpactPct, routePlan, contextSlot: 1_000, timeTaken: 0.02 };
}

/** `GET /quote`. */
export function dflowQuote(trade: Trade) {
  return {
    inputMint: trade.inMint,
    inAmount: `${trade.inBase}`,
    outputMint: trade.outMint,
    outAmount: `${trade.outBase}`,
    otherAmountThreshold: `${minOutOf(trade)}`,
    minOutAmount: `${minOutOf(trade)}`,
    slippageBps: trade.slippageBps,
    platformFee: null as { amount: string; feeBps: number; mode: string } | null,
    priceImpactPct: '0.0002',
    routePlan: [
      {
        venue: 'Raydium CLMM',
        marketKey: addressOf(POOLS),
        inputMint: trade.inMint,
        outputMint: trade.outMint,
        inAmount: `${trade.inBase}`,
        outAmount: `${trade.outBase}`,
        inputMintDecimals: 9,
        outputMintDecimals: 6,
      },
    ],
    contextSlot: 1_000,
    routingSlot: 999,
    simulatedComputeUnits: 84_000,
    forJitoBundle: false,
    requestId: 'b7a5c3d2',
  };
}

/** `POST /swap-instructions`. */
export function dflowInstructions(trade: Trade) {
  return {
    computeBudgetInstructions: [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: 'AsBcFQA=' }],
    setupInstructions: [creation(trade.taker, trade.destination, trade.outMint)] as WireInstruction[],
    swapInstruction: dflowSwap(trade),
    cleanupInstructions: [] as WireInstruction[],
    otherInstructions: [] as WireInstruction[],
    addressLookupTableAddresses: [TABLE],
    prioritizationFeeLamports: 0,
    computeUnitLimit: 1_400_000,
    prioritizationType: null,
    blockhashWithMetadata: { blockhash: addressOf(7_000), lastValidBlockHeight: 431_000_000 },
  };
}

/** Creates an associated account, whether it is there or not. */
export function creation(
  taker: Address,
  account: Address,
  mint: Address,
  tokenProgram = TOKEN_PROGRAM,
): WireInstruction {
  return {
    programId: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      wireAccount(taker, true, true),
      wireAccount(account, true),
      wireAccount(taker),
      wireAccount(mint),
      wireAccount(SYSTEM_PROGRAM),
      wireAccount(tokenProgram),
    ],
    data: 'AQ==',
  };
}

const ROUTE_V2 = [187, 100, 250, 204, 49, 196, 175, 20];
/** One step through one pool. */
const ROUTE_PLAN = [1, 0, 0, 0, 17, 1, 16, 39, 0, 1];

function routeV2(trade: Trade): WireInstruction {
  const { taker, source, destination, inMint, outMint } = trade;
  const data = [
    ...ROUTE_V2,
    ...getU64Encoder().encode(trade.inBase),
    ...getU64Encoder().encode(trade.outBase),
    ...getU16Encoder().encode(trade.slippageBps),
    ...[0, 0, 0, 0],
    ...ROUTE_PLAN,
  ];
  return {
    programId: JUPITER_PROGRAM,
    accounts: [
      wireAccount(taker, false, true),
      wireAccount(source, true),
      wireAccount(destination, true),
      wireAccount(inMint),
      wireAccount(outMint),
      wireAccount(TOKEN_PROGRAM),
      wireAccount(TOKEN_PROGRAM),
      // Stands for an account that is left out.
      wireAccount(JUPITER_PROGRAM),
      wireAccount(EVENT_AUTHORITY),
      wireAccount(JUPITER_PROGRAM),
      ...pools(trade),
    ],
    data: Buffer.from(data).toString('base64'),
  };
}

const DFLOW_SWAP = [248, 198, 158, 145, 225, 117, 135, 200];

function dflowSwap(trade: Trade): WireInstruction {
  return {
    programId: DFLOW_PROGRAM,
    accounts: [
      wireAccount(TOKEN_PROGRAM),
      wireAccount(ASSOCIATED_TOKEN_PROGRAM),
      wireAccount(SYSTEM_PROGRAM),
      wireAccount(trade.taker, true, true),
      wireAccount(EVENT_AUTHORITY),
      wireAccount(DFLOW_PROGRAM),
      wireAccount(trade.source, true),
      wireAccount(trade.destination, true),
      ...pools(trade),
    ],
    data: Buffer.from([...DFLOW_SWAP, 0, 0, 0, 0]).toString('base64'),
  };
}

function pools({ poolAccounts }: Trade) {
  return Array.from({ length: poolAccounts }, (_, index) => wireAccount(addressOf(POOLS + index), index % 2 === 0));
}
