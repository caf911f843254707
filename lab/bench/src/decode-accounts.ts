import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { auditAccount, auditBank } from '@lending/audit';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { decodeBank, decodeMarginfiAccount } from '@lending/venues';
// @boundaries-ignore the official SDKs are installed apart, and only conformance reaches them
import { BorshAccountsCoder, type Idl } from '../../parity/src/sdk/anchor-coder.ts';
import { pulsedAgain, touchedBank } from './measure/audited-states.ts';
import { fixturesFolder } from './measure/config.ts';
import { accountWithBalances } from './measure/made-accounts.ts';
import { type Contender, compare } from './measure/statistics.ts';
import { figure, printResult } from './report/result.ts';

/** Design §6: as many times as fast as Anchor's coder on the same bytes. */
const GOAL = { of: 'ratio', is: 'atLeast', value: 20 } as const;
const AUTHORITY_OFFSET = 40;

const coder = new BorshAccountsCoder(readIdl('marginfi@0.1.8.json'));
const bank = readDump('marginfi/bank-corvus-2026-04.json');
const account = readDump('marginfi-localnet/account-gappy-three.json');

report(
  'decode bank',
  decodeMany(() => bankLayout.decode(bank)),
  decodeMany(() => coder.decode('Bank', bank)),
);
for (const balances of [1, 5, 16]) {
  const sample = accountOf(balances);
  report(
    `decode account, ${balances} ${balances === 1 ? 'balance' : 'balances'}`,
    decodeMany(() => marginfiAccountLayout.decode(sample)),
    decodeMany(() => coder.decode('MarginfiAccount', sample)),
  );
}
const stranger = accountOf(5);
report(
  'decode account, 5 balances, an authority never seen before each time',
  decodeMany((turn) => marginfiAccountLayout.decode(withAuthority(turn))),
  decodeMany((turn) => coder.decode('MarginfiAccount', withAuthority(turn))),
);

// The one above lends nothing.
const lending = readDump('marginfi/bank-usdt-2024-03.json');
const touched = touchedBank(lending);
reportAudit(
  'audit of a bank, one touch',
  decodeMany(() => auditBank(touched.before, touched.after, touched.group)),
  decodeMany(() => decodeBank(touched.account, MARGINFI_PROGRAM)),
);
for (const balances of [1, 5, 16]) {
  const { pulsed, account: update } = pulsedAgain(lending, accountOf(balances));
  reportAudit(
    `audit of an account, ${balances} ${balances === 1 ? 'balance' : 'balances'}, one touch`,
    decodeMany(() => auditAccount(pulsed)),
    decodeMany(() => decodeMarginfiAccount(update, MARGINFI_PROGRAM)),
  );
}

/** What is compared at a touch besides decoding it; without a goal. */
function reportAudit(bench: string, audit: Contender, decoding: Contender): void {
  printResult(bench, [figure({ goal: null, what: bench, unit: 'ns', ...compare(audit, decoding) })]);
}

function report(bench: string, ours: Contender, anchors: Contender): void {
  printResult(bench, [figure({ goal: 'decoding', what: bench, unit: 'ns', bound: GOAL, ...compare(ours, anchors) })]);
}

/** A hundred in a call, with a number that no other has. */
function decodeMany(decode: (turn: number) => unknown): Contender {
  let turn = 0;
  const run = () => {
    for (let count = 0; count < 100; count += 1) {
      decode(turn);
      turn += 1;
    }
  };
  return { run, perRun: 100 };
}

function withAuthority(turn: number): Buffer {
  stranger.writeUInt32LE(turn, AUTHORITY_OFFSET + 4);
  return stranger;
}

function accountOf(balances: number): Buffer {
  return Buffer.from(accountWithBalances(account, balances));
}

function readIdl(file: string): Idl {
  return JSON.parse(readFileSync(resolve(fixturesFolder(), 'idl', file), 'utf8')) as Idl;
}

function readDump(file: string): Buffer {
  const { data } = JSON.parse(readFileSync(resolve(fixturesFolder(), 'accounts', file), 'utf8'));
  return Buffer.from(data[0], 'base64');
}
