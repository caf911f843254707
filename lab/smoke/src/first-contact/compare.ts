import { auditBank, auditPrice, type Comparison, differs } from '@lending/audit';
import { computeHealth, type HealthTotals } from '@lending/domain';
import { encodeInstruction, lendingPoolPulseBankPriceCache } from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  loadOracle,
  oracleAccountsOf,
  type P0Account,
  type P0Bank,
  type P0Group,
} from '@lending/venues';
import { AccountRole, type Address } from '@solana/kit';
import type { Market } from './market.ts';
import {
  type After,
  afterOf,
  errorOf,
  HEALTH_FIGURES,
  MOMENT_ACCOUNTS,
  type Pulse,
  pulseAccount,
  refreshInstructions,
  type Simulate,
} from './pulse.ts';
import { asThoughOpen } from './questions/paused-collateral.ts';

/** A bank's rates and prices by the program and by ours. */
export interface ComparedBank {
  readonly bank: string;
  readonly venue: string;
  readonly outcome: 'same' | 'differs' | 'not_compared';
  /** How many figures were compared. */
  readonly figures: number;
  readonly differences: readonly {
    readonly field: string;
    readonly ours: string;
    readonly theirs: string;
    readonly by: string;
  }[];
  /** Why its price was not compared, or nothing was. */
  readonly reason: string | null;
}

/**
 * Has the program write a bank's rates and price in a simulation, its venue refreshed before, and compares them with ours from the same
 * bytes. Where it writes none, for a stale feed, the rates that stand in the bank are compared.
 */
export async function compareBank(market: Market, simulate: Simulate, bank: P0Bank): Promise<ComparedBank> {
  const { address, venue, oracleCache } = bank;
  const resultOf = (figures: readonly Comparison[], reason: string | null): ComparedBank => {
    const differences = figures.filter(differs).map(({ field, ours, theirs }) => ({
      ...{ field, ours: String(ours), theirs: String(theirs), by: String(ours - theirs) },
    }));
    const outcome = figures.length === 0 ? 'not_compared' : differences.length === 0 ? 'same' : 'differs';
    return { bank: address, venue, outcome, figures: figures.length, differences, reason };
  };
  try {
    const after = await pulseBank(market, simulate, bank);
    if (!('why' in after)) return resultOf(compareAfter(market, after, address), null);
    if (oracleCache.readAt === 0n) return resultOf([], `its cache was never written, and ${after.why}`);
    return resultOf(auditBank(null, bank, market.group), after.why);
  } catch (error) {
    return resultOf([], (error as Error).message);
  }
}

async function pulseBank(market: Market, simulate: Simulate, bank: P0Bank): Promise<After | { readonly why: string }> {
  const { program, version, group } = market;
  const oracles = oracleAccountsOf(bank, { version });
  const pulse = encodeInstruction(
    lendingPoolPulseBankPriceCache,
    program,
    { group: group.address, bank: bank.address },
    {},
    oracles.map((address) => ({ address, role: AccountRole.READONLY })),
    version,
  );
  const watch = [...new Set([bank.address, group.address, ...oracles, ...MOMENT_ACCOUNTS])];
  const refresh = bank.venue === 'p0' ? [] : await refreshInstructions(market, [bank]);
  const outcome = await simulate([...refresh, pulse], watch);
  return outcome.kind === 'passed' ? afterOf(outcome) : { why: `its pulse fails: ${errorOf(outcome)?.words}` };
}

function compareAfter({ program, version, group }: Market, after: After, address: Address): readonly Comparison[] {
  const bytes = after.get(address);
  if (bytes === null) return [];
  const bank = decodeBank(bytes, program);
  const groupBytes = after.get(group.address);
  const terms: P0Group = groupBytes === null ? group : decodeGroup(groupBytes, program);
  const { moment } = after;
  const loaded = loadOracle(bank, oracleAccountsOf(bank, { version }).map(after.get), moment, { version });
  const now = moment.unixTimestamp;
  return [
    ...auditBank(null, bank, terms),
    ...auditPrice({ before: null, after: bank, loaded, earlier: null, now, unchangedSince: bank.oracleCache.readAt }),
  ];
}

/** An account's health by the program and by ours, from the same bytes. */
export interface ComparedHealth {
  readonly account: string;
  readonly slot: string | null;
  /** `refused`: both find that it cannot be valued. */
  readonly outcome: 'same' | 'refused' | 'differs' | 'not_compared';
  /** Sums that differ; raw I80F48. */
  readonly differences: readonly {
    readonly figure: string;
    readonly ours: string | null;
    readonly theirs: string | null;
    readonly by: string | null;
  }[];
  readonly reason: string | null;
}

/** @param countsPaused whether the program was found to count collateral of Paused banks, which ours does not. */
export async function compareHealth(
  market: Market,
  simulate: Simulate,
  account: P0Account,
  countsPaused: boolean,
): Promise<ComparedHealth> {
  const pulse = await pulseAccount(market, simulate, account).catch(
    (error: Error): Pulse => ({ kind: 'failed', reason: error.message }),
  );
  const { address } = account;
  if (pulse.kind === 'failed')
    return { account: address, slot: null, outcome: 'not_compared', differences: [], reason: pulse.reason };
  const ours = countsPaused ? computeHealth(asThoughOpen(pulse.balances)) : pulse.ours;
  const differences = HEALTH_FIGURES.flatMap((figure) => differencesOf(figure, ours[figure], pulse.theirs[figure]));
  const isValued = HEALTH_FIGURES.some((figure) => pulse.theirs[figure] !== null);
  return {
    account: address,
    slot: String(pulse.slot),
    outcome: differences.length > 0 ? 'differs' : isValued ? 'same' : 'refused',
    differences,
    reason: null,
  };
}

function differencesOf(
  figure: string,
  ours: HealthTotals | null,
  theirs: HealthTotals | null,
): ComparedHealth['differences'] {
  return (['assets', 'liabilities'] as const).flatMap((side) => {
    const [own, other] = [ours?.[side] ?? null, theirs?.[side] ?? null];
    if (own === other) return [];
    const by = own === null || other === null ? null : String(own - other);
    return [{ figure: `${figure} ${side}`, ours: textOf(own), theirs: textOf(other), by }];
  });
}

function textOf(value: bigint | null): string | null {
  return value === null ? null : String(value);
}
