import type { AccountUpdate, Chain, SignatureReadOptions, TransactionRecord } from '@lending/chain';
import { computeHealth, NONE_RELAXED } from '@lending/domain';
import { MARGINFI_MAIN_GROUP, marginfiAccountLayout, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { Logger } from '@lending/runtime';
import type { PlanRow, PlanWrite } from '@lending/store';
import { type CompiledTransaction, createBankCache, type Simulator } from '@lending/transactions';
import { type Address, address } from '@solana/kit';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { BuilderDeps } from '#tools/builder-deps.ts';
import type { Build, BuildPosition, BuildSwap, JudgedHealth } from '../builds/build.ts';
import { createBuildPlaces, type PlaceLimits } from '../builds/build-places.ts';
import {
  type ActionRequest,
  type BuildRequest,
  isLeverageRequest,
  type LeverageRequest,
} from '../builds/build-request.ts';
import { type BuildAction, createBuildEnvelope } from '../builds/build-service.ts';
import { createBuildTables } from '../builds/build-tables.ts';
import type { PlanStore } from '../builds/plan-store.ts';
import { ACCOUNT, SOL_MINT, WALLET } from './account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK, USDC_MINT } from './bank-row.ts';

export const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const SYSTEM = address('11111111111111111111111111111111');

export const NO_DEBT: JudgedHealth = {
  health: computeHealth([]),
  factor: { numerator: 1n, denominator: 1n },
  staleBanks: [],
};

export function compiled(changes: Partial<CompiledTransaction> = {}): CompiledTransaction {
  const authority = address(ACCOUNT);
  return {
    type: 'DEPOSIT',
    label: 'Deposit 1.5 SOL',
    version: 0,
    wire: Uint8Array.from({ length: 300 }, (_, index) => index % 251),
    accounts: [authority, PROGRAM],
    writableCount: 1,
    signers: [authority],
    programs: [PROGRAM, SYSTEM],
    computeUnitLimit: 90_000,
    signatureFeeLamports: 5_000n,
    priorityFeeLamports: 10n,
    ...changes,
  };
}

/** 400 USDC for some 2.6 SOL. */
export const SWAP: BuildSwap = {
  quote: {
    aggregator: 'jupiter',
    inBase: 400_000_000n,
    outBase: 2_660_000_001n,
    minOutBase: 2_646_700_000n,
    slippageBps: 50,
    priceImpactE18: 1_200_000_000_000_000n,
    fee: { mint: address(SOL_MINT), base: 2_660_000n },
    contextSlot: 400_001_099n,
    labels: ['Pool'],
    requestId: 'request-1',
  },
  inMint: address(USDC_MINT),
  inDecimals: 6,
  outMint: address(SOL_MINT),
  outDecimals: 9,
  deviationE18: -2_500_000_000_000_000n,
  feeUsd: '0.4',
  tried: [
    { aggregator: 'jupiter', outcome: 'chosen', reason: null, inBase: 400_000_000n, outBase: 2_660_000_001n },
    { aggregator: 'dflow', outcome: 'refused', reason: 'price_impact', inBase: null, outBase: null },
  ],
};

export const POSITION: BuildPosition = {
  depositBank: address(SOL_BANK),
  depositDecimals: 9,
  depositDeltaBase: 5_000_000_000n,
  borrowBank: address(USDC_BANK),
  earlierBorrowBanks: [],
  borrowDecimals: 6,
  borrowDeltaBase: 400_000_000n,
  leverage: { numerator: 213n, denominator: 100n },
  maxLeverageHundredths: 456n,
  liquidationPriceUsd: '96.4',
  priceChangeToLiquidation: { numerator: -359n, denominator: 1_000n },
  borrowRatesAfter: { bank: address(USDC_BANK), depositApyPct: 4.1, borrowApyPct: 6.2 },
};

export const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };
const ASKED = {
  authority: address(WALLET),
  account: null,
  policy: NO_POLICY,
  priorityFee: 'low',
  version: 0,
  accountIndex: null,
} as const;

/** A deposit of 1.5 SOL. */
export function actionRequest(changes: Partial<ActionRequest> = {}): ActionRequest {
  return { ...ASKED, kind: 'deposit', bank: address(SOL_BANK), amount: '1.5', ...changes };
}

/** A loop of 1.5 SOL at two on dollars, in a new account. */
export function leverageRequest(changes: Partial<LeverageRequest> = {}): LeverageRequest {
  const pair = { depositBank: address(SOL_BANK), borrowBank: address(USDC_BANK), amount: '1.5', leverage: '2' };
  const loop = { ...ASKED, ...pair, kind: 'loop', createsAccount: true, surplus: 'wallet', pinnedSwaps: [] } as const;
  return { ...loop, ...changes };
}

/** What building a request gives; a test names what matters to it. */
export function buildOf(request: BuildRequest, changes: Partial<Build> = {}): Build {
  const isLeverage = isLeverageRequest(request);
  const bank = isLeverage ? request.depositBank : request.bank;
  return {
    request,
    account: request.account ?? address(ACCOUNT),
    newAccountIndex: request.account === null ? (request.accountIndex ?? 0) : null,
    transactions: [compiled({ signers: [request.authority] })],
    unitsConsumed: [81_234],
    actionIndex: 0,
    submit: 'sequential',
    blockhash: { value: String(SYSTEM), lastValidBlockHeight: 1_150n },
    expiresInSeconds: 58,
    preHealth: NO_DEBT,
    postHealth: NO_DEBT,
    tokenChanges: [
      {
        mint: address(SOL_MINT),
        symbol: 'SOL',
        decimals: 9,
        isNativeSol: true,
        deltaBase: -1_500_005_000n,
        priceUsd: '150.5',
      },
    ],
    swap: isLeverage ? SWAP : null,
    earlierSwaps: [],
    position: isLeverage ? POSITION : null,
    ratesAfter: bank === null ? null : { bank, depositApyPct: 5.1, borrowApyPct: null },
    premiums: [],
    fees: { network: 5_000n, priority: 10n, tip: 0n, rent: 17_000_000n },
    warnings: [],
    summary: 'Deposits 1.5 SOL.',
    slot: 400_001_100n,
    unixTimestamp: BigInt(CHAIN_TIME_MS / 1000),
    simulatedBy: 'node',
    waves: 2,
    ...changes,
  };
}

/** Plans in memory, with the meaning that the tables' statements have. */
export function createFakePlans(): PlanStore & { readonly rows: Map<string, PlanRow> } {
  const rows = new Map<string, PlanRow>();
  const keys = new Map<string, { arguments: string; plan: string | null; claim: string | null }>();
  const nameOf = (key: { readonly authority: string; readonly key: string }) => `${key.authority} ${key.key}`;
  const insert = (plan: PlanWrite) => {
    rows.set(plan.id, {
      id: plan.id,
      authority: plan.authority,
      account: plan.account,
      new_account_index: plan.newAccountIndex,
      // As it comes back out of a column of JSON.
      envelope: JSON.parse(JSON.stringify(plan.envelope)),
      last_valid_block_height: plan.lastValidBlockHeight,
      unix_timestamp: plan.unixTimestamp,
    });
  };
  return {
    rows,
    insertPlan: async (plan) => insert(plan),
    readPlan: async (id) => rows.get(id) ?? null,
    claimKey: async (request) => {
      const known = keys.get(nameOf(request));
      if (known === undefined) {
        keys.set(nameOf(request), { arguments: request.arguments, plan: null, claim: request.claim });
        return { kind: 'claimed' };
      }
      if (known.arguments !== request.arguments) return { kind: 'conflict' };
      return known.plan === null ? { kind: 'busy' } : { kind: 'built', plan: known.plan };
    },
    reclaimKey: async (request) => {
      const known = keys.get(nameOf(request));
      if (known === undefined || known.claim !== null || known.plan !== request.plan) return false;
      known.claim = request.claim;
      return true;
    },
    settleKey: async (claim, plan) => {
      const known = keys.get(nameOf(claim));
      if (known?.claim !== claim.claim) return false;
      Object.assign(known, { plan: plan.id, claim: null });
      insert(plan);
      return true;
    },
    releaseKey: async (claim) => {
      const known = keys.get(nameOf(claim));
      if (known?.claim !== claim.claim) return;
      if (known.plan === null) keys.delete(nameOf(claim));
      else known.claim = null;
    },
  };
}

/** A lending account's bytes, written at that time. */
export function lendingAccount({
  lastUpdate,
}: {
  readonly lastUpdate: bigint;
}): Omit<AccountUpdate, 'address' | 'slot'> {
  const zeros = new Uint8Array(marginfiAccountLayout.fixedSize);
  zeros.set(marginfiAccountLayout.discriminator);
  const empty = marginfiAccountLayout.decode(zeros);
  const data = Uint8Array.from(marginfiAccountLayout.encode({ ...empty, lastUpdate }));
  return { owner: PROGRAM, lamports: 1n, data };
}

/** The part of a chain that what surrounds a build asks; anything else throws. */
export interface FakeBuildChain {
  readonly chain: Chain;
  blockHeight: bigint;
  isBlockhashValid: boolean;
  /** Landed transactions by signature. */
  readonly landed: Map<string, LandedTransaction>;
  /** The first block that the node still has. */
  firstBlock: bigint;
  readonly accounts: Map<string, Omit<AccountUpdate, 'address' | 'slot'>>;
}

/** What a node knows of a transaction. */
export interface LandedTransaction {
  readonly record: TransactionRecord | null;
  readonly base64: string;
  readonly error: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}

export function createFakeBuildChain(): FakeBuildChain {
  const fake: FakeBuildChain = {
    blockHeight: 1_000n,
    isBlockhashValid: true,
    landed: new Map(),
    firstBlock: 0n,
    accounts: new Map(),
    chain: {
      source: 'chain',
      ofOneNode: () => fake.chain,
      rpc: {
        getBlockHeight: () => ({ send: async () => fake.blockHeight }),
        getEpochInfo: () => ({ send: async () => ({ absoluteSlot: 400_001_190n, blockHeight: fake.blockHeight }) }),
        getFirstAvailableBlock: () => ({ send: async () => fake.firstBlock }),
        getBlock: () => ({ send: async () => ({ blockHeight: 900n }) }),
        isBlockhashValid: () => ({ send: async () => ({ value: fake.isBlockhashValid }) }),
        getSignatureStatuses: ([signature]: readonly string[]) => ({
          send: async () => {
            const found = fake.landed.get(signature ?? '');
            const { confirmationStatus, error: err = null } = found ?? {};
            return { value: [found === undefined ? null : { slot: 400_001_150n, confirmationStatus, err }] };
          },
        }),
        getTransaction: (signature: string) => ({
          send: async () => {
            const found = fake.landed.get(signature);
            return found?.record ? { transaction: [found.base64, 'base64'] } : null;
          },
        }),
      },
      fetchSignatures: async (_account: Address, { untilSlot = 0n, limit = 1_000 }: SignatureReadOptions) => {
        const listed = [...fake.landed].flatMap(([signature, { record }]) =>
          record ? [{ ...record, signature }] : [],
        );
        const signatures = listed.filter(({ slot }) => slot > untilSlot).slice(0, limit);
        const next = signatures.length < limit ? null : signatures.at(-1)?.signature;
        return { kind: 'page', signatures, next };
      },
      fetchTransaction: async (signature: string) => fake.landed.get(signature)?.record ?? null,
      fetchAccountGroups: async () => [
        { slot: 400_001_190n, unixTimestamp: BigInt(CHAIN_TIME_MS / 1000), accounts: [] },
      ],
      fetchAccounts: async (addresses: readonly Address[]) => [
        {
          slot: 1n,
          addresses,
          accounts: addresses.map((each) => {
            const content = fake.accounts.get(each);
            return content === undefined ? null : { address: each, slot: 1n, ...content };
          }),
        },
      ],
    } as unknown as Chain,
  };
  return fake;
}

/** Everything passes. */
const PASSING: Simulator = {
  simulate: async (transactions) => ({
    kind: 'passed',
    by: 'node',
    slot: 400_001_200n,
    transactions: transactions.map(() => ({ unitsConsumed: 1_000, feeLamports: null, logs: [] })),
    after: new Map(),
  }),
};

export interface FakeBuilders {
  readonly buildAction?: BuildAction;
  readonly plans?: PlanStore;
  readonly chain?: FakeBuildChain;
  readonly simulator?: Simulator;
  readonly places?: PlaceLimits;
  readonly deploySlot?: () => Promise<bigint | null>;
}

/** The builders' own machinery around a build of the test's. */
export function createFakeBuilders(
  reads: ReadDeps,
  logger: Logger,
  {
    buildAction = async (request) => buildOf(request),
    plans,
    chain,
    simulator = PASSING,
    places = { most: 100, mostPerClient: 100 },
    deploySlot = async () => null,
  }: FakeBuilders = {},
): BuilderDeps {
  const tables = createBuildTables(reads);
  const around = {
    chain: (chain ?? createFakeBuildChain()).chain,
    program: PROGRAM,
    programWatch: {
      version: async () => NEWEST_VERSION as ProgramVersion,
      confirm: async () => undefined,
      deploySlot,
    },
    relaxed: () => NONE_RELAXED,
    swapPrograms: [],
    group: MARGINFI_MAIN_GROUP,
    banks: createBankCache(),
    now: reads.now,
    plans: plans ?? createFakePlans(),
    places: createBuildPlaces(places),
    slotTime: async () => 400_000n,
    staleAfterMs: 30_000,
  };
  return {
    tables,
    source: 'chain',
    verifiedOnChain: reads.verifiedOnChain,
    buildEnvelope: createBuildEnvelope({ ...around, logger, buildAction }),
    landing: { ...around, tables, simulator },
  };
}
