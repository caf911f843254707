import { readFileSync } from 'node:fs';
import { parseI80F48, rateFromU32, utilizationFromU32 } from '@lending/domain';
import { createLiteSvmEngine, DEMO_TOKENS, editAccount, type Ledger } from '@lending/localnet';
import {
  type Bank,
  bankLayout,
  MARGINFI_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { createSwitchboardCranker, type Simulator } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { listBanks, listFeeds } from '../builders/ledger-tables.ts';
import { isOwnPool } from '../builders/scene.ts';
import { type BuildersWorld, openBuildersWorld } from '../builders/world.ts';
import { bridgeOldProgram, bridgeTransaction } from './old-program.ts';
import { createPoolSwaps } from './pool-swaps.ts';

/** Of the public 0.1.1, the newest program that there is to have. */
const { MARGINFI_ELF: PATH = '' } = process.env;
export const isElfMissing = PATH === '';

/** A price of Switchboard may be as unsure as the old program lets it be. */
const WIDEST_INTERVAL = 4_294_967_295;
/** Where code begins in an account of the upgradeable loader. */
const CODE_OFFSET = 45;
const NO_BUNDLES = { kind: 'error', code: -32_601, message: 'Method not found', methods: ['simulateBundle'] } as const;
/** One bank takes a fee of its loans. */
const [FEE_TOKEN, ORIGINATION_FEE] = [DEMO_TOKENS.USDS.mint, parseI80F48('0.0013')];

/** The builders' world on the lending program itself, with the banks that this knows: P0's own of plain tokens. */
export interface RealMarket extends BuildersWorld {
  /** Base units that swaps give less than they promised. */
  short: bigint;
  /** True: the node simulates no bundles, so lists of transactions are simulated in this process. */
  simulatesHere: boolean;
}

export async function openRealMarket(): Promise<RealMarket> {
  const elf = new Uint8Array(readFileSync(PATH));
  const program = await createLiteSvmEngine({ programs: [{ programId: MARGINFI_PROGRAM, path: PATH, elf }] });
  const world = await openBuildersWorld({
    engine: bridgeOldProgram(program),
    // The last whose banks are as long as the old program's.
    programVersion: '0.1.11',
    prepare: (ledger) => {
      deploy(ledger, elf);
      prepare(ledger);
    },
  });
  const { ledger } = world;
  const banks = world.banks.filter((bank) => isKnown(ledger, bank));
  const swaps = createPoolSwaps({ ...world, banks }, () => market.short);
  const simulator: Simulator = {
    simulate(transactions, ...rest) {
      const isHere = market.simulatesHere && transactions.length > 1;
      world.localnet.setFault(isHere ? NO_BUNDLES : null);
      const bridge = (wire: Uint8Array) => (isHere ? bridgeTransaction(wire, accounts) : wire);
      const taken = transactions.map((each) => ({ ...each, wire: bridge(each.wire) }));
      return world.deps.simulator.simulate(taken, ...rest);
    },
  };
  const accounts = { get: (address: Address) => ledger.account(address, 'confirmed') };
  // No program takes a crank here, so no oracle is found.
  const cranker = createSwitchboardCranker({ crossbarUrl: 'http://127.0.0.1:9', gatewayHosts: [] });
  const deps = { ...world.deps, lookupTables: [], simulator, cranker, swaps, swapPrograms: [TOKEN_PROGRAM] };
  const market: RealMarket = { ...world, banks, deps, short: 0n, simulatesHere: false };
  return market;
}

/** Puts the code where a node has it, for whatever runs it beside the node. */
function deploy(ledger: Ledger, elf: Uint8Array): void {
  const pointer = ledger.account(MARGINFI_PROGRAM)?.data.slice(4, 36) ?? new Uint8Array();
  const address = getAddressDecoder().decode(pointer);
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError('The chain has the lending program deployed');
  const data = Uint8Array.from([...state.data.slice(0, CODE_OFFSET), ...elf]);
  ledger.writeAccount(address, { ...state, data, lamports: ledger.minimumBalance(data.length) });
}

function isKnown(ledger: Ledger, bank: P0Bank): boolean {
  return isOwnPool(bank) && ledger.account(bank.mint)?.owner === TOKEN_PROGRAM;
}

/** Writes what the old program reads in other places, and takes away what it does not know. */
function prepare(ledger: Ledger): void {
  for (const feed of listFeeds(ledger))
    if (ledger.account(feed)?.owner === PYTH_RECEIVER_PROGRAM) nameFeed(ledger, feed);
  for (const bank of listBanks(ledger))
    if (isKnown(ledger, bank)) editAccount(ledger, bankLayout, bank.address, asOldBank);
}

/** A bank's oracle key is a Pyth feed id there and the address of a feed account today: here a feed's id is its address. */
function nameFeed(ledger: Ledger, feed: Address): void {
  editAccount(ledger, priceUpdateV2Layout, feed, (update) => ({
    ...update,
    priceMessage: { ...update.priceMessage, feedId: getAddressEncoder().encode(feed) },
  }));
}

/** Three corners of a curve, which today's program reads as points, and no e-mode. */
function asOldBank(bank: Bank): Bank {
  const { interestRateConfig: rates } = bank.config;
  const [corner, ...rest] = rates.points;
  if (corner === undefined) throw new TypeError('A curve has a corner');
  const entries = bank.emode.emodeConfig.entries.map((entry) => ({
    ...entry,
    collateralBankEmodeTag: 0,
    assetWeightInit: 0n,
    assetWeightMaint: 0n,
  }));
  const interestRateConfig = {
    ...rates,
    zeroUtilRate: 0,
    points: [corner, ...rest.map(() => ({ util: 0, rate: 0 }))],
    optimalUtilizationRate: utilizationFromU32(corner.util),
    plateauInterestRate: rateFromU32(corner.rate),
    maxInterestRate: rateFromU32(rates.hundredUtilRate),
    protocolOriginationFee: bank.mint === FEE_TOKEN ? ORIGINATION_FEE : rates.protocolOriginationFee,
  };
  return {
    ...bank,
    emode: { ...bank.emode, emodeTag: 0, flags: 0n, emodeConfig: { entries } },
    config: { ...bank.config, oracleMaxConfidence: WIDEST_INTERVAL, interestRateConfig },
  };
}
