import type { Chain } from '@lending/chain';
import { explainProgramError } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { simulateBundle } from './simulate-bundle.ts';
import { addressOf, transactionOf } from './testing/test-chain.ts';
import { readTransactionFailure } from './transaction-failure.ts';

const TRANSACTIONS = [1, 2, 3].map((number) => transactionOf([{ programAddress: addressOf(number) }]));
const PASSED = { err: null, logs: ['fine'], unitsConsumed: 450 };
const SIGNATURE = '1'.repeat(64);

/** A node that gives one answer, whatever it is asked. */
function answering(value: { readonly summary: unknown; readonly transactionResults: readonly object[] }) {
  const asked: unknown[][] = [];
  const simulate = (...params: unknown[]) => {
    asked.push(params);
    return { send: async () => ({ context: { slot: 7 }, value }) };
  };
  return { asked, chain: { rpc: { simulateBundle: simulate } } as unknown as Pick<Chain, 'rpc'> };
}

describe('simulateBundle', () => {
  it('asks with lists as long as the bundle, each watched account where it stands last', async () => {
    const { asked, chain } = answering({ summary: 'succeeded', transactionResults: [PASSED, PASSED, PASSED] });
    const shared = TRANSACTIONS[0]?.accounts[0] ?? addressOf(0);
    await simulateBundle(chain, TRANSACTIONS, [addressOf(1), shared, addressOf(2), addressOf(99), addressOf(1)]);
    expect(asked[0]?.[1]).toMatchObject({
      transactionEncoding: 'base64',
      skipSigVerify: true,
      replaceRecentBlockhash: true,
      preExecutionAccountsConfigs: [{ addresses: [] }, { addresses: [] }, { addresses: [] }],
      postExecutionAccountsConfigs: [
        { addresses: [addressOf(1)], encoding: 'base64' },
        { addresses: [addressOf(2)], encoding: 'base64' },
        { addresses: [shared], encoding: 'base64' },
      ],
    });
  });

  it('takes fees and logs that a node leaves out for unknown', async () => {
    const bare = { err: null, unitsConsumed: 450n };
    const { chain } = answering({ summary: 'succeeded', transactionResults: [bare, bare, bare] });
    await expect(simulateBundle(chain, TRANSACTIONS, [])).resolves.toMatchObject({
      kind: 'passed',
      slot: 7n,
      transactions: Array(3).fill({ unitsConsumed: 450, feeLamports: null, logs: [] }),
    });
  });

  it.each([
    [
      'Error processing Instruction 2: custom program error: 0x1779',
      [2, { Custom: 6009 }],
      'custom program error: 0x1779',
    ],
    [
      'This account may not be used to pay transaction fees',
      null,
      'This account may not be used to pay transaction fees',
    ],
  ])('reads from the summary what no result tells: %s', async (text, error, reason) => {
    const summary = { failed: { error: { TransactionFailure: [SIGNATURE, text] }, txSignature: SIGNATURE } };
    const { chain } = answering({ summary, transactionResults: [PASSED] });
    await expect(simulateBundle(chain, TRANSACTIONS, [])).resolves.toMatchObject({
      kind: 'failed',
      index: 1,
      error,
      reason,
      transactions: [{ unitsConsumed: 450 }],
      logs: [],
    });
  });

  it.each(['BundleExecutionTimeout', { failed: { error: 'ExceedsCostModel', txSignature: null } }])(
    'says nothing where the node could not: %o',
    async (summary) => {
      const { chain } = answering({ summary, transactionResults: [] });
      await expect(simulateBundle(chain, TRANSACTIONS, [])).resolves.toBeNull();
    },
  );

  it('says nothing where the node is behind', async () => {
    const { chain } = answering({ summary: 'succeeded', transactionResults: [PASSED, PASSED, PASSED] });
    await expect(simulateBundle(chain, TRANSACTIONS, [], { minContextSlot: 8n })).resolves.toBeNull();
    await expect(simulateBundle(chain, TRANSACTIONS, [], { minContextSlot: 7n })).resolves.toMatchObject({ slot: 7n });
  });
});

describe('readTransactionFailure', () => {
  it.each([
    ['AccountNotFound', { error: null, reason: 'AccountNotFound' }],
    [{ InsufficientFundsForRent: { account_index: 1n } }, { error: null, reason: 'InsufficientFundsForRent' }],
    [
      { InstructionError: [2n, { Custom: 6009n }] },
      { error: [2, { Custom: 6009 }], reason: 'custom program error: 0x1779' },
    ],
    [{ InstructionError: [0, { Custom: 1 }] }, { error: [0, { Custom: 1 }], reason: 'custom program error: 0x1' }],
    [{ InstructionError: [1, 'InvalidArgument'] }, { error: [1, 'InvalidArgument'], reason: 'InvalidArgument' }],
    [{ InstructionError: [1, { BorshIoError: 'Unknown' }] }, { error: [1, 'BorshIoError'], reason: 'BorshIoError' }],
  ])('reads %o', (error, failure) => {
    expect(readTransactionFailure(error)).toEqual(failure);
  });

  it('gives what explains itself without logs', () => {
    const { error } = readTransactionFailure({ InstructionError: [0n, { Custom: 6009n }] });
    const explained = explainProgramError({
      logs: [],
      error,
      instructionPrograms: ['MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'],
    });
    expect(explained).toMatchObject({ code: 'ACTION__COLLATERAL_EXCEEDED', cause: { number: 6009 } });
  });
});
