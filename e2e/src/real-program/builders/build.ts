import { NONE_RELAXED } from '@lending/domain';
import { MARGINFI_PROGRAM, NEWEST_VERSION } from '@lending/programs';
import {
  type ActionPlan,
  type ActionState,
  askFor,
  type CompiledTransaction,
  compileTransaction,
  type LendingAction,
  type LeverageState,
  MAX_COMPUTE_UNITS,
  packPlan,
  planAction,
  planCreateAccount,
  planLeverage,
  type ReadQuestion,
  readActionState,
  readLeverageState,
  type SimulationOutcome,
  type Simulator,
  type SimulatorKind,
  type SizedLeverage,
  type TransactionVersion,
} from '@lending/transactions';
import { GROUP } from '../addresses.ts';
import { orderHealthAccounts } from '../bridges/health-account-order.ts';
import { shortenList } from '../bridges/shorter-lists.ts';
import { withSortedBalances } from '../bridges/sorted-balances.ts';
import { makeVaultAuthorityWritable } from '../bridges/writable-vault-authority.ts';
import type { BuilderName, BuilderWorld } from './builder-world.ts';

/** What an action became before anybody signed. */
export interface Built {
  readonly plan: ActionPlan;
  readonly transactions: readonly CompiledTransaction[];
}

export interface BuildTerms {
  /** Default 0. */
  readonly version?: TransactionVersion;
  /** Each instruction of the setup in a transaction of its own, as if together they did not fit. */
  readonly isSplit?: boolean;
  /** The action as the old program takes it, for where no bridge stands between. */
  readonly isOld?: boolean;
}

const MICRO_LAMPORTS_PER_UNIT = 1_000n;
const NO_BLOCKHASH = { value: '1'.repeat(32), lastValidBlockHeight: 0n };

/** Reads, plans and compiles as the service does. @param action null opens an account and does nothing else. */
export async function build(
  world: BuilderWorld,
  name: BuilderName,
  action: LendingAction | null,
  terms: BuildTerms = {},
): Promise<Built & { readonly state: ActionState }> {
  const state = await readState(world, name, action);
  const plan =
    action === null ? planCreateAccount(state) : await planAction(state, action, { symbol: 'TOKEN', venue: 'P0' });
  return { state, ...compilePlan(world, name, plan, state, terms) };
}

/** The same for a loop or a close, its loan or sale and its swap settled. @param opens an account of its own. */
export async function buildLeverage(
  world: BuilderWorld,
  name: BuilderName,
  sized: SizedLeverage,
  { opens = false, ...terms }: BuildTerms & { readonly opens?: boolean } = {},
): Promise<Built & { readonly state: LeverageState }> {
  const state = await readLeverageState(world.chain, world.cache, {
    ...questionOf(world, name),
    banks: [sized.depositBank, sized.borrowBank],
    opens: opens ? 'always' : 'never',
  });
  const words = { symbol: 'TOKEN', venue: 'P0' };
  const plan = await planLeverage(state, sized, { deposit: words, borrow: words });
  return { state, ...compilePlan(world, name, plan, state, terms) };
}

function compilePlan(
  world: BuilderWorld,
  name: BuilderName,
  made: ActionPlan,
  { lookupTables }: Pick<ActionState, 'lookupTables'>,
  { version = 0, isSplit = false, isOld = false }: BuildTerms,
): Built {
  const plan = isOld
    ? { ...made, action: orderHealthAccounts(world, made.action.map(makeVaultAuthorityWritable)).map(shortenList) }
    : made;
  const message = {
    payer: world.signerOf(name).address,
    version,
    microLamportsPerUnit: MICRO_LAMPORTS_PER_UNIT,
    lookupTables,
  };
  const { drafts } = packPlan(isSplit ? { ...plan, setup: [] } : plan, [], { ...message, tipLamports: 0n });
  const first = isSplit
    ? plan.setup.map((instruction) => ({ type: 'SETUP' as const, label: 'Prepare', instructions: [instruction] }))
    : [];
  const transactions = [...first, ...drafts].map((draft) =>
    compileTransaction(draft, { ...message, computeUnitLimit: MAX_COMPUTE_UNITS, blockhash: NO_BLOCKHASH }),
  );
  return { plan, transactions };
}

export function readState(world: BuilderWorld, name: BuilderName, action: LendingAction | null): Promise<ActionState> {
  return readActionState(world.chain, world.cache, { ...questionOf(world, name), ...askFor(action) });
}

/** The account as it stands, and the banks it holds. */
export function readHoldings(world: BuilderWorld, name: BuilderName): Promise<ActionState> {
  return readActionState(world.chain, world.cache, { ...questionOf(world, name), banks: [], opens: 'never' });
}

function questionOf(world: BuilderWorld, name: BuilderName): Omit<ReadQuestion, 'banks' | 'opens'> {
  return {
    program: MARGINFI_PROGRAM,
    group: GROUP,
    authority: world.signerOf(name).address,
    account: null,
    version: NEWEST_VERSION,
    relaxed: NONE_RELAXED,
    knownAccounts: [],
    heldBanks: [],
    lookupTables: [],
    accountIndex: null,
  };
}

export type Simulated = SimulationOutcome & { readonly by: SimulatorKind };

/** Simulates the list, and lands it where it passed. @returns the accounts that did not end as simulated, one line each. */
export async function simulateAndLand(
  world: BuilderWorld,
  name: BuilderName,
  { plan, transactions }: Built,
  simulator: Simulator,
): Promise<{ readonly outcome: Simulated; readonly differences: readonly string[] }> {
  const outcome = await simulator.simulate(transactions, plan.watch);
  if (outcome.kind === 'failed') return { outcome, differences: [] };
  for (const transaction of transactions) await world.send(name, transaction);
  const differences = [...outcome.after].flatMap(([address, simulated]) => {
    const landed = world.account(address);
    if (simulated === null || landed === undefined) {
      return simulated === null && landed === undefined ? [] : [`${address} exists on one side only`];
    }
    const isSame =
      simulated.lamports === landed.lamports &&
      simulated.owner === landed.owner &&
      Buffer.compare(withSortedBalances({ ...simulated, executable: false }).data, landed.data) === 0;
    return isSame ? [] : [`${address} ended otherwise`];
  });
  const untold = plan.watch.filter((address) => !outcome.after.has(address));
  return { outcome, differences: [...differences, ...untold.map((address) => `${address} was not told of`)] };
}
