import { computeHealth, type Health, type HealthTotals, type RiskBalance } from '@lending/domain';
import { MARGINFI_ERRORS, type MarginfiErrorName, type ProgramVersion } from '@lending/programs';
import { healthAccounts, planRefresh, pulseHealth } from '@lending/transactions';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  loadOracle,
  oracleAccountsOf,
  type P0Account,
  type P0Bank,
  type P0HealthCache,
  toRiskBalances,
  toRiskBank,
  toRiskPrice,
} from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { Market } from './market.ts';
import { type After, afterOf, errorOf, MOMENT_ACCOUNTS, type Simulate } from './simulate.ts';

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
export type HealthFigure = (typeof HEALTH_FIGURES)[number];

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
