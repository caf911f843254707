import { findBreakerRefusal, type RiskBalance, sideOf } from '@lending/domain';
import {
  encodeInstruction,
  findDerivedAddress,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  MARGINFI_ERRORS,
  marginfiAccountEndExecuteOrder,
  marginfiAccountStartExecuteOrder,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { endFlashLoan, startFlashLoan } from '@lending/transactions';
import type { P0Account, P0Order } from '@lending/venues';
import { AccountRole } from '@solana/kit';
import { errorOf, refreshInstructions } from '#first-contact/pulse.ts';
import type { Seen } from '../scan.ts';
import { healthListOf, partyAt } from './parties.ts';
import { type Answer, accountsFor, type Contact, firstAnswer, open, type Question } from './question.ts';

const GATES: readonly (number | null)[] = [
  MARGINFI_ERRORS.BankCircuitBreakerHalted,
  MARGINFI_ERRORS.CircuitBreakerPriceJump,
];
const NO_SUCH_INSTRUCTION = 101;
const NO_ACCOUNT = 'no account with a debt whose bank is halted or past its first tier';

/** An account that owes, and holds something in a bank whose breaker would stop a borrow. */
function isStopped({ balances, market }: Seen): boolean {
  const owes = balances.some((balance) => sideOf(balance) === 'liability');
  return owes && balances.some((balance) => stops(balance, market.moment.unixTimestamp));
}

function stops(balance: RiskBalance, now: bigint): boolean {
  const refusal = findBreakerRefusal(balance, now);
  return refusal === 'BankCircuitBreakerHalted' || refusal === 'CircuitBreakerPriceJump';
}

export const flashLoanGate: Question = {
  id: 'end_flashloan_gate',
  question: 'Does the end of a flash loan refuse an account with a bank that is halted or past its first tier?',
  strictRule: 'it does: no loop while a bank of the account is halted or past its first tier',
  looksFor: isStopped,
  async ask(contact) {
    const accounts = await accountsFor(contact, 'end_flashloan_gate');
    return firstAnswer(accounts, NO_ACCOUNT, (account) => tryLoan(contact, account));
  },
};

async function tryLoan({ market, simulate }: Contact, account: P0Account): Promise<Answer> {
  const list = healthListOf(market, account);
  const banks = account.balances.flatMap(({ bank }) => market.banks.get(bank) ?? []);
  const [first] = banks;
  if (list === null || first === undefined)
    return open('it holds a balance in a bank that cannot be read', account.address);
  const party = partyAt(market, account, first);
  const refresh = await refreshInstructions(market, banks);
  const outcome = await simulate([...refresh, startFlashLoan(party), endFlashLoan(party, list)]);
  const error = errorOf(outcome);
  const evidence = `simulated flash loan of ${account.address} at slot ${outcome.slot}: ${error?.words ?? 'passed'}`;
  if (error === null) return { answer: 'no: it ends', evidence, relaxes: true, assumptionFallen: null };
  if (error.instruction === refresh.length + 1 && GATES.includes(error.number))
    return { answer: `yes, with ${error.number}`, evidence, relaxes: false, assumptionFallen: null };
  return open(`the loan fails with ${error.words} before that`, evidence);
}

export const orderStartGate: Question = {
  id: 'order_start_gate',
  question:
    'Does the start of an order’s execution refuse an account with a bank that is halted or past its first tier?',
  strictRule: 'it does, at start and end, since 0.1.10',
  looksFor: (seen) => isStopped(seen) && seen.market.orders.some(({ account }) => account === seen.account.address),
  async ask(contact) {
    const accounts = await accountsFor(contact, 'order_start_gate');
    const { orders } = contact.market;
    const pairs = accounts.flatMap((account) =>
      orders.filter((order) => order.account === account.address).map((order) => ({ account, order })),
    );
    return firstAnswer(pairs, 'no standing order of an account whose bank is halted or past its first tier', (pair) =>
      tryOrder(contact, pair),
    );
  },
};

async function tryOrder(
  { market, simulate }: Contact,
  { account, order }: { readonly account: P0Account; readonly order: P0Order },
): Promise<Answer> {
  const { program, version, group, payer, banks } = market;
  const list = healthListOf(market, account);
  if (list === null || payer === null) return open('it holds a balance in a bank that cannot be read', account.address);
  const [executeRecord] = await findDerivedAddress({
    programAddress: program,
    seeds: ['execute_order', getAddressBytes(order.address)],
  });
  const [feeState] = await findDerivedAddress({ programAddress: program, seeds: ['feestate'] });
  const shared = { group: group.address, marginfiAccount: account.address, order: order.address, executeRecord };
  const remaining = list.map((address) => ({ address, role: AccountRole.READONLY }));
  const start = encodeInstruction(
    marginfiAccountStartExecuteOrder,
    program,
    {
      ...{ ...shared, feePayer: payer, executor: payer },
      ...{ instructionSysvar: INSTRUCTIONS_SYSVAR, systemProgram: SYSTEM_PROGRAM },
    },
    {},
    remaining,
    version,
  );
  const ended = { ...shared, executor: payer, feeRecipient: payer, feeState };
  const end = encodeInstruction(marginfiAccountEndExecuteOrder, program, ended, {}, remaining, version);
  const refresh = await refreshInstructions(
    market,
    account.balances.flatMap(({ bank }) => banks.get(bank) ?? []),
  );
  const outcome = await simulate([...refresh, start, end]);
  const error = errorOf(outcome);
  const evidence = `simulated start of ${order.address} at slot ${outcome.slot}: ${error?.words ?? 'passed'}`;
  const isStart = error?.instruction === refresh.length;
  if (isStart && GATES.includes(error.number))
    return { answer: `yes, with ${error.number}`, evidence, relaxes: false, assumptionFallen: null };
  if (isStart && error.number === NO_SUCH_INSTRUCTION) return open('the program has no such instruction', evidence);
  if (isStart || (error !== null && error.instruction < refresh.length))
    return open(`the start fails with ${error.words} before that`, evidence);
  return { answer: 'no: it starts', evidence, relaxes: true, assumptionFallen: null };
}
