import {
  circuitBreakerClearedEvent,
  liquidationTagEvent,
  MARGINFI_PROGRAM,
  marginfiAccountTransferToNewAccountEvent,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_KEY, depositCall, headerOf, WALLET } from '../testing/made-lending.ts';
import { type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import { accountsInLogs } from './accounts-in-logs.ts';

const OTHER = madeAddress(0x77);
const [first, second] = [madeAddress(0x21), madeAddress(0x22)];
const read = (...calls: MadeCall[]) => accountsInLogs(madeTrace(calls).logs ?? [], MARGINFI_PROGRAM);
const deposit = (account = ACCOUNT_KEY) => depositCall({ amount: 1n, account });
const by = (programId: typeof OTHER, inner: MadeCall[] = [], events: Uint8Array[] = []): MadeCall => ({
  programId,
  accounts: [],
  data: new Uint8Array(),
  inner,
  told: events,
});

describe('accountsInLogs', () => {
  it('names every account once, in and out of calls', () => {
    expect(read(deposit(first), by(OTHER, [deposit(second), deposit(first)]))).toEqual({
      accounts: [first, second],
      isTruncated: false,
      isFailed: false,
      hasGroupChange: false,
    });
  });

  it('says when something happened to a bank, whatever accounts are named', () => {
    const event = told(circuitBreakerClearedEvent, { priorTier: 1, reason: 1, currentTimestamp: 5n });
    expect(read(deposit(first), by(MARGINFI_PROGRAM, [], [event]))).toMatchObject({
      accounts: [first],
      hasGroupChange: true,
    });
    expect(read(by(OTHER, [], [event])).hasGroupChange).toBe(false);
  });

  it('names both accounts of a transfer', () => {
    const fields = { oldAccount: first, oldAccountAuthority: WALLET, newAccountAuthority: WALLET };
    const event = told(marginfiAccountTransferToNewAccountEvent, { header: headerOf({ account: second }), ...fields });
    expect(read(by(MARGINFI_PROGRAM, [], [event])).accounts).toEqual([first, second]);
  });

  it('names an account that is tagged for liquidation', () => {
    const event = told(liquidationTagEvent, { account: first, taggedAt: 5n });
    expect(read(by(MARGINFI_PROGRAM, [], [event])).accounts).toEqual([first]);
  });

  it('does not listen to other programs', () => {
    expect(read(by(OTHER, [], [...(deposit().told ?? [])])).accounts).toEqual([]);
  });

  it('says when accounts may be missing', () => {
    const logs = [...(madeTrace([deposit(first)]).logs ?? []), 'Log truncated'];
    expect(accountsInLogs(logs, MARGINFI_PROGRAM)).toMatchObject({ accounts: [first], isTruncated: true });
    expect(read(by(MARGINFI_PROGRAM, [], [new Uint8Array(9)])).isTruncated).toBe(true);
  });

  it('says when the transaction failed', () => {
    const logs = [
      `Program ${MARGINFI_PROGRAM} invoke [1]`,
      `Program ${MARGINFI_PROGRAM} failed: custom program error: 0x1`,
    ];
    expect(accountsInLogs(logs, MARGINFI_PROGRAM).isFailed).toBe(true);
  });
});
