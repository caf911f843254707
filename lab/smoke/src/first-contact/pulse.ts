import { computeHealth, type Health, type HealthTotals, type RiskBalance } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import {
  CLOCK_SYSVAR,
  clockLayout,
  MARGINFI_ERRORS,
  type MarginfiErrorName,
  type ProgramVersion,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import {
  type CompiledTransaction,
  compileTransaction,
  createAccountSet,
  healthAccounts,
  MAX_COMPUTE_UNITS,
  momentOf,
  NO_BLOCKHASH,
  planRefresh,
  pulseHealth,
  type SimulatedAccount,
  type SimulationOutcome,
  simulateOnNode,
} from '@lending/transactions';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  loadOracle,
  type Moment,
  oracleAccountsOf,
  type P0Account,
  type P0Bank,
  type P0HealthCache,
  toRiskBalances,
  toRiskBank,
  toRiskPrice,
} from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import type { AskedChain } from '#node/node.ts';
import type { Market } from './market.ts';

/** How the program itself judges an account in a simulated pulse, and the bytes that it judged by. */
export type Pulse =
  | {
      readonly kind: 'pulsed';
      readonly slot: bigint;
      readonly account: P0Account;
      /** Null where the program refuses to value the account at that requirement. */
      readonly theirs: Readonly<Record<HealthFigure, HealthTotals | null>>;
      /** Ours, from the same bytes. */
      readonly ours: Pick<Health, HealthFigure>;
      readonly balances: readonly RiskBalance[];
      readonly banks: readonly P0Bank[];
    }
  | { readonly kind: 'failed'; readonly reason: string };

export const HEALTH_FIGURES = ['initial', 'maintenance', 'equity'] as const;
type HealthFigure = (typeof HEALTH_FIGURES)[number];

/** What the program says of an account that it could value, besides nothing. */
const VALUED = {
  initial: ['RiskEngineInitRejected', 'IsolatedAccountIllegalState'],
  maintenance: ['HealthyAccount'],
  equity: ['AccountNotBankrupt'],
} as const satisfies Record<HealthFigure, readonly MarginfiErrorName[]>;

/**
 * Pulses an account in a simulation, its venues refreshed before.
 * @throws what the node throws.
 */
export async function pulseAccount(market: Market, simulate: Simulate, account: P0Account): Promise<Pulse> {
  const banks = banksOf(market, account);
  if (banks === null) return { kind: 'failed', reason: 'it holds a balance in a bank that cannot be read' };
  const instructions = await pulseInstructions(market, account, banks);
  const watch = [
    ...new Set<Address>([
      account.address,
      market.group.address,
      ...MOMENT_ACCOUNTS,
      ...healthList(banks, market.version),
    ]),
  ];
  const outcome = await simulate(instructions, watch);
  if (outcome.kind === 'failed') return { kind: 'failed', reason: `the pulse fails: ${errorOf(outcome)?.words}` };
  return judge(market, afterOf(outcome), account.address);
}

/** Null where one of them cannot be read. */
export function banksOf(
  { banks }: Pick<Market, 'banks'>,
  { balances }: Pick<P0Account, 'balances'>,
): readonly P0Bank[] | null {
  const held = balances.map(({ bank }) => banks.get(bank));
  return held.every((bank) => bank !== undefined) ? held : null;
}

/** What brings to this slot the venues behind the banks of an account. */
export async function refreshInstructions({ read }: Market, banks: readonly P0Bank[]): Promise<readonly Instruction[]> {
  const [first] = banks;
  return first === undefined ? [] : planRefresh('borrow', first, banks, read);
}

async function pulseInstructions(
  market: Market,
  { address }: P0Account,
  banks: readonly P0Bank[],
): Promise<readonly Instruction[]> {
  const { program, version, group } = market;
  const [first] = banks;
  const party = { program, version, account: address, bank: { ...first, group: group.address } };
  const pulse = pulseHealth(party as Parameters<typeof pulseHealth>[0], healthAccounts(banks));
  return [...(await refreshInstructions(market, banks)), pulse];
}

function healthList(banks: readonly P0Bank[], version: ProgramVersion): readonly Address[] {
  return banks.flatMap((bank) => [bank.address, ...oracleAccountsOf(bank, { version })]);
}

function judge({ program, version }: Market, after: After, address: Address): Pulse {
  const bytes = after.get(address);
  if (bytes === null) return { kind: 'failed', reason: 'the simulation does not return the account' };
  const account = decodeMarginfiAccount(bytes, program);
  const groupBytes = after.get(account.group);
  if (groupBytes === null) return { kind: 'failed', reason: 'the simulation does not return the group' };
  const group = decodeGroup(groupBytes, program);
  const banks = account.balances.flatMap(({ bank }) => {
    const found = after.get(bank);
    return found === null ? [] : [decodeBank(found, program)];
  });
  const priced = new Map(
    banks.map((bank) => {
      const accounts = oracleAccountsOf(bank, { version }).map(after.get);
      const price = toRiskPrice(bank, loadOracle(bank, accounts, after.moment, { version }));
      return [bank.address, { bank: toRiskBank(bank, group, null), price }];
    }),
  );
  const balances = toRiskBalances(account, priced, after.moment.unixTimestamp);
  const { initial, maintenance, equity } = computeHealth(balances);
  return {
    kind: 'pulsed',
    slot: after.moment.slot,
    account,
    theirs: totalsOf(account.healthCache),
    ours: { initial, maintenance, equity },
    balances,
    banks,
  };
}

function totalsOf(cache: P0HealthCache): Readonly<Record<HealthFigure, HealthTotals | null>> {
  const errors = { initial: cache.error, maintenance: cache.liquidationError, equity: cache.bankruptcyError };
  const of = (figure: HealthFigure) => {
    const valued = [0, ...VALUED[figure].map((name) => MARGINFI_ERRORS[name])];
    return valued.includes(errors[figure]) ? cache[figure] : null;
  };
  return { initial: of('initial'), maintenance: of('maintenance'), equity: of('equity') };
}

/** Runs instructions on the chain as it is, in whatever name: no signature is looked at, nothing is kept. */
export type Simulate = (instructions: readonly Instruction[], watch?: readonly Address[]) => Promise<SimulationOutcome>;

/** Of the system program, as u32 before the lamports as u64. */
const TRANSFER = 2;

/** Version 0 begins with the limit on compute units; an instruction that fails is counted from those that were asked for. */
const BUDGET_INSTRUCTIONS = 1;

/**
 * Simulates with the group's lookup tables, and what does not fit all the same as a transaction of version 1.
 * @throws Error where the node does not answer, or no wallet can pay.
 */
export function createSimulate(chain: AskedChain, { payer, lookupTables }: Market): Simulate {
  return async (instructions, watch = []) => {
    if (payer === null) throw new Error('No wallet of the group can pay for a simulation');
    const compile = (version: 0 | 1): CompiledTransaction =>
      compileTransaction(
        { type: 'SETUP', label: 'first contact', instructions: [...instructions, ...namingMoment(payer, watch)] },
        {
          ...{ payer, version, microLamportsPerUnit: 0n, lookupTables },
          ...{ computeUnitLimit: MAX_COMPUTE_UNITS, blockhash: NO_BLOCKHASH },
        },
      );
    const transaction = compileSmall(compile) ?? compile(1);
    const outcome = await simulateOnNode(chain, transaction, watch);
    if (outcome.kind === 'passed' || outcome.error === null || transaction.version === 1) return outcome;
    const [at, failure] = outcome.error;
    return { ...outcome, error: [Number(at) - BUDGET_INSTRUCTIONS, failure] };
  };
}

function compileSmall(compile: (version: 0) => CompiledTransaction): CompiledTransaction | null {
  try {
    return compile(0);
  } catch (error) {
    if (isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return null;
    throw error;
  }
}

/**
 * Names the clock and the rent in a transaction that is to return them: last, so that nothing else is counted otherwise, and in a transfer
 * of nothing, whose program leaves further accounts alone where the lending program may not.
 */
function namingMoment(payer: Address, watch: readonly Address[]): readonly Instruction[] {
  const moment = MOMENT_ACCOUNTS.filter((address) => watch.includes(address));
  if (moment.length === 0) return [];
  const accounts = [
    { address: payer, role: AccountRole.WRITABLE_SIGNER },
    { address: payer, role: AccountRole.WRITABLE },
    ...moment.map((address) => ({ address, role: AccountRole.READONLY })),
  ];
  return [{ programAddress: SYSTEM_PROGRAM, accounts, data: Uint8Array.of(TRANSFER, ...new Uint8Array(11)) }];
}

/** Bytes as a simulation left them, all of one slot. */
export interface After {
  readonly moment: Moment;
  get(address: Address): SimulatedAccount | null;
}

/** What a moment is read from; to be named among the accounts of the simulation. */
export const MOMENT_ACCOUNTS: readonly Address[] = [CLOCK_SYSVAR, RENT_SYSVAR];

export function afterOf({ after }: Extract<SimulationOutcome, { kind: 'passed' }>): After {
  const set = createAccountSet();
  const clock = after.get(CLOCK_SYSVAR);
  if (!clock) throw new Error('the node does not return the clock of a simulation');
  // The slot of the answer is that of the node; the clock's is the one that the program saw.
  const { slot } = clockLayout.decode(clock.data);
  const addresses = [...after.keys()];
  const accounts = addresses.map((address) => {
    const account = after.get(address);
    return account ? { ...account, slot } : null;
  });
  set.add([{ slot, addresses, accounts }]);
  return { moment: momentOf(set.toLiveAccounts()), get: (address) => after.get(address) ?? null };
}

/** The program's number of what failed, and at which instruction; null where it was no instruction, or no number. */
export function errorOf(
  outcome: SimulationOutcome,
): { readonly instruction: number; readonly number: number | null; readonly words: string } | null {
  if (outcome.kind === 'passed') return null;
  const [instruction, failure] = outcome.error ?? [-1, null];
  const number = failure !== null && typeof failure === 'object' ? Number(failure.Custom) : null;
  return { instruction: Number(instruction), number, words: number === null ? outcome.reason : `error ${number}` };
}
