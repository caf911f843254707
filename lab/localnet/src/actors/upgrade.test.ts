import {
  bankLayout,
  encodeInstruction,
  feeStateLayout,
  lendingPoolAccrueBankInterest,
  lendingPoolResizeBankAccount,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { hasBytesAt } from '#engine/bytes.ts';
import { DEMO_BANKS } from '#market/demo-market.ts';
import * as act from '#market/lending-instructions.ts';
import { type OpenedLocalnet, openLocalnet } from '../open-localnet.ts';
import { createActor } from './actor.ts';
import { LAMPORTS } from './payday.ts';
import { sendTransaction } from './send-transaction.ts';

const actor = createActor('tester');
let localnet: OpenedLocalnet;
afterEach(() => localnet.stop());

async function open(programVersion: '0.1.10' | '0.1.11' | '0.1.12') {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, programVersion });
  const wallet = { lamports: LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  localnet.ledger.writeAccounts([[actor.wallet, wallet]]);
  localnet.ledger.advanceSlot();
}

function send(...instructions: readonly Instruction[]) {
  const outcome = sendTransaction(localnet.ledger, actor, instructions);
  return outcome.kind === 'executed' ? outcome.result.error : outcome;
}

const lengths = (discriminator: Uint8Array) =>
  new Set(
    [...localnet.ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed')].flatMap(([, { data }]) =>
      hasBytesAt(data, 0, discriminator) ? [data.length] : [],
    ),
  );
const account = { wallet: actor.wallet, account: actor.account };
const failedWith = (reason: unknown) => ({ InstructionError: [0, reason] });
const resize = (bank: Address) =>
  encodeInstruction(
    lendingPoolResizeBankAccount,
    MARGINFI_PROGRAM,
    { bank, payer: actor.wallet, systemProgram: SYSTEM_PROGRAM },
    {},
  );

describe('a chain of a version', () => {
  it.each([
    ['0.1.10', 1_864],
    ['0.1.11', 1_864],
    ['0.1.12', 3_912],
  ] as const)('%s has accounts of its lengths, and its own instructions', async (version, bank) => {
    await open(version);
    expect(lengths(bankLayout.discriminator)).toEqual(new Set([bank]));
    expect(lengths(marginfiGroupLayout.discriminator)).toEqual(new Set([9_256]));
    expect(lengths(feeStateLayout.discriminator)).toEqual(new Set([520]));
    expect(send(act.openAccount(account))).toBeNull();
    const [first] = DEMO_BANKS;
    // 101: no such instruction; 6513: it is long enough.
    expect(send(resize(first?.address as Address))).toEqual(failedWith({ Custom: bank === 1_864 ? 101 : 6_513 }));
  });
});

describe('an upgrade', () => {
  it('runs from the next slot on, and loads an account once it is lengthened', async () => {
    await open('0.1.11');
    expect(send(act.openAccount(account))).toBeNull();
    const upgraded = localnet.upgrade('0.1.12', 10);
    expect(send(act.pulseHealth(actor.account, []))).toEqual(failedWith('UnsupportedProgramId'));
    localnet.ledger.advanceSlot();
    const bank = DEMO_BANKS.at(-1)?.address as Address;
    const accrue = act.p0Instruction(lendingPoolAccrueBankInterest, { group: MARGINFI_MAIN_GROUP, bank }, {});
    expect(lengths(bankLayout.discriminator)).toEqual(new Set([1_864, 3_912]));
    expect(send(accrue)).toEqual(failedWith('ProgramFailedToComplete'));
    // The group is as long as it was.
    expect(send(act.pulseHealth(actor.account, []))).toBeNull();
    for (let slot = 0; slot < 5; slot += 1) localnet.ledger.advanceSlot();
    await upgraded;
    expect(lengths(bankLayout.discriminator)).toEqual(new Set([3_912]));
    expect(send(accrue)).toBeNull();
    expect(send(resize(bank))).toEqual(failedWith({ Custom: 6_513 }));
  });

  it('keeps every byte that there was, and adds zeros', async () => {
    await open('0.1.10');
    const bank = DEMO_BANKS[0]?.address as Address;
    const before = localnet.ledger.account(bank);
    const upgraded = localnet.upgrade('0.1.12', 100);
    for (let slot = 0; slot < 2; slot += 1) localnet.ledger.advanceSlot();
    await upgraded;
    const after = localnet.ledger.account(bank);
    expect(after?.data.slice(0, 1_864)).toEqual(before?.data);
    expect(after?.data.slice(1_864)).toEqual(new Uint8Array(2_048));
    expect(after?.lamports).toBe(localnet.ledger.minimumBalance(3_912));
  });

  it('to a version that is not modelled runs at once, as the newest that is', async () => {
    await open('0.1.12');
    await Promise.all([localnet.upgrade('0.1.13'), Promise.resolve(localnet.ledger.advanceSlot())]);
    expect(send(act.openAccount(account))).toBeNull();
  });
});
