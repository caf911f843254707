import {
  DRIFT_PROGRAM,
  DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR,
  isInstructionOf,
  JUPLEND_LENDING_PROGRAM,
  juplendDeposit,
  juplendEarnUpdateRate,
  juplendWithdraw,
  KLEND_PROGRAM,
  klendRefreshReservesBatch,
  lendingAccountBorrow,
  lendingAccountCloseBalance,
  lendingAccountDeposit,
  lendingAccountRepay,
  lendingAccountWithdraw,
  refreshSolendReserve,
  SOLEND_PROGRAM,
} from '@lending/programs';
import { decodeEvents } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';

/** Units that instructions take on top of what a simulation took, once interest has accrued since. */
export interface AccrualsAhead {
  /** Of each instruction, as if it stood alone. */
  readonly byInstruction: readonly number[];
  /** Of all of them in one transaction, where a bank accrues once. */
  readonly total: number;
}

/**
 * What one bank's accrual may take. The public 0.1.1 takes 16,100 without fees of the bank's own and 22,650 with all of them, and the curve
 * of today's program divides up to twelve times more.
 */
const BANK_UNITS = 40_000;
const NO_DATA = new Uint8Array();
/** Pairs of reserve and market. */
const ACCOUNTS_PER_RESERVE = 2;

const LENT = [
  lendingAccountBorrow,
  lendingAccountCloseBalance,
  lendingAccountDeposit,
  lendingAccountRepay,
  lendingAccountWithdraw,
].map((layout) => ({ layout, bankAt: layout.accounts.findIndex(({ name }) => name === 'bank') }));

/**
 * What venues take for it, measured with their public programs and rounded up: 10,100 a reserve at Kamino, 16,900 at Save, 5,000 at JupLend
 * for a rate and 14,000 for what the lending program has it do. Drift's is an estimate. They log nothing of it, so it may come on top of any
 * simulation.
 */
const VENUES = [
  { program: KLEND_PROGRAM, layout: klendRefreshReservesBatch, units: 12_000, accounts: ACCOUNTS_PER_RESERVE },
  { program: SOLEND_PROGRAM, layout: refreshSolendReserve, units: 20_000 },
  { program: JUPLEND_LENDING_PROGRAM, layout: juplendEarnUpdateRate, units: 6_000 },
  { program: DRIFT_PROGRAM, layout: { discriminator: DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR }, units: 12_000 },
  { program: null, layout: juplendDeposit, units: 16_000 },
  { program: null, layout: juplendWithdraw, units: 16_000 },
];

/**
 * What a simulation did not show: a bank that was touched in the same second accrues nothing, and one without debts next to nothing, until
 * a second passes or a first debt is taken.
 * @param logs of the simulation; what was cut off counts as not shown.
 */
export function accrualsAhead(instructions: readonly Instruction[], logs: readonly string[]): AccrualsAhead {
  const accrued = new Set(banksThatAccrued(instructions, logs));
  const counted = new Set(accrued);
  let total = 0;
  const byInstruction = instructions.map((instruction) => {
    const atVenue = venueUnits(instruction);
    const bank = bankOf(instruction);
    total += atVenue + (bank === null || counted.has(bank) ? 0 : BANK_UNITS);
    if (bank !== null) counted.add(bank);
    return atVenue + (bank === null || accrued.has(bank) ? 0 : BANK_UNITS);
  });
  return { byInstruction, total };
}

/** The bank whose interest an instruction of the lending program brings up to date; null where it does so for none. */
function bankOf({ data = NO_DATA, accounts = [] }: Instruction): Address | null {
  const found = LENT.find(({ layout }) => isInstructionOf(layout, data));
  return found === undefined ? null : (accounts[found.bankAt]?.address ?? null);
}

function venueUnits({ programAddress, data = NO_DATA, accounts = [] }: Instruction): number {
  const found = VENUES.find(
    ({ program, layout }) => (program === null || program === programAddress) && isInstructionOf(layout, data),
  );
  if (found === undefined) return 0;
  return found.accounts === undefined ? found.units : found.units * (accounts.length / found.accounts);
}

/** Banks of whose interest some went to fees: the whole of an accrual was run. */
function banksThatAccrued(instructions: readonly Instruction[], logs: readonly string[]): readonly Address[] {
  const program = instructions.find((each) => bankOf(each) !== null)?.programAddress;
  if (program === undefined) return [];
  return decodeEvents(logs, program).events.flatMap((event) => {
    if (event.kind !== 'interestAccrued') return [];
    const { bank, feesCollected, insuranceCollected } = event.fields;
    return feesCollected > 0 || insuranceCollected > 0 ? [bank] : [];
  });
}
