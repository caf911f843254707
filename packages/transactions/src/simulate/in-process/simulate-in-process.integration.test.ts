import type { AccountState } from '@lending/localnet';
import { AccountRole, type Address, address, getAddressEncoder, type Instruction } from '@solana/kit';
import { LiteSVM } from 'litesvm';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf, openTestChain, PAYER, SOL, type TestChain, transactionOf, wallet } from '../testing/test-chain.ts';
import { createInProcessSimulator, type InProcessSimulator } from './simulate-in-process.ts';

/** Memo programs that come with LiteSVM. They take different numbers of units, which the logs tell. */
const OLD_MEMO = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const NEW_MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const PROGRAM = addressOf(160);
const PROGRAM_DATA = addressOf(161);
const IMMUTABLE = addressOf(162);
const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
const BPF_LOADER = address('BPFLoader2111111111111111111111111111111111');

const machine = new LiteSVM();
function codeOf(program: Address): Uint8Array {
  const account = machine.getAccount(program);
  if (!account.exists) throw new Error(`LiteSVM has no ${program}`);
  return new Uint8Array(account.data);
}

function programAccount(): AccountState {
  const data = new Uint8Array(36);
  data[0] = 2;
  data.set(getAddressEncoder().encode(PROGRAM_DATA), 4);
  return { lamports: SOL, owner: UPGRADEABLE_LOADER, data, executable: true };
}

function programData(slot: bigint, elf: Uint8Array): AccountState {
  const data = new Uint8Array(45 + elf.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, 3, true);
  view.setBigUint64(4, slot, true);
  data.set(elf, 45);
  return { lamports: SOL, owner: UPGRADEABLE_LOADER, data, executable: false };
}

const say = (programAddress: Address): Instruction => ({ programAddress, data: new TextEncoder().encode('hello') });

describe('createInProcessSimulator', () => {
  let test: TestChain;
  let simulator: InProcessSimulator;
  const open = async (accounts: Readonly<Record<Address, AccountState>>) => {
    test = await openTestChain({ [PAYER]: wallet(SOL), ...accounts });
    simulator = createInProcessSimulator(test.chain, { workers: 1 });
  };
  afterEach(async () => {
    await simulator.close();
    await test.stop();
  });

  const logsOf = async (program: Address) => {
    const outcome = await simulator.simulate([transactionOf([say(program)])], []);
    return outcome.kind === 'passed' ? outcome.transactions[0]?.logs.join('\n') : outcome.reason;
  };

  it('runs the code that the chain has, read once, and again when it was deployed anew', async () => {
    await open({ [PROGRAM]: programAccount(), [PROGRAM_DATA]: programData(5n, codeOf(OLD_MEMO)) });
    const first = await logsOf(PROGRAM);
    expect(first).toContain(`Program ${PROGRAM} success`);
    // Accounts, and then the code.
    expect(test.countOf('getMultipleAccounts')).toBe(2);
    expect(await logsOf(PROGRAM)).toBe(first);
    // Accounts, and whether the code is still the same.
    expect(test.countOf('getMultipleAccounts')).toBe(4);

    test.node.ledger.writeAccount(PROGRAM_DATA, programData(6n, codeOf(NEW_MEMO)));
    for (let slot = 0; slot < 4; slot += 1) test.node.ledger.advanceSlot();
    const second = await logsOf(PROGRAM);
    expect(second).toContain(`Program ${PROGRAM} success`);
    expect(second).not.toBe(first);
    expect(test.countOf('getMultipleAccounts')).toBe(7);
  });

  it('runs code that stands in the program account itself', async () => {
    await open({ [IMMUTABLE]: { lamports: SOL, owner: BPF_LOADER, data: codeOf(NEW_MEMO), executable: true } });
    expect(await logsOf(IMMUTABLE)).toContain(`Program ${IMMUTABLE} success`);
    expect(test.countOf('getMultipleAccounts')).toBe(1);
    await logsOf(IMMUTABLE);
    expect(test.countOf('getMultipleAccounts')).toBe(2);
  });

  it('runs no program whose code is gone', async () => {
    await open({ [PROGRAM]: programAccount() });
    await expect(logsOf(PROGRAM)).rejects.toMatchObject({ code: 'DATA__UNAVAILABLE', context: { program: PROGRAM } });
  });

  it("asks how large accounts and code are that a stranger's transactions name, and refuses what nobody may load", async () => {
    const large = (owner: Address) => ({
      lamports: SOL,
      owner,
      data: new Uint8Array(10 * 1024 * 1024),
      executable: false,
    });
    const many = [201, 202, 203, 204, 205, 206, 207].map(addressOf);
    await open({
      ...Object.fromEntries(many.map((each) => [each, large(BPF_LOADER)])),
      [PROGRAM]: programAccount(),
      [PROGRAM_DATA]: programData(5n, codeOf(OLD_MEMO)),
    });
    const naming = (addresses: readonly Address[]) =>
      transactionOf([
        { ...say(PROGRAM), accounts: addresses.map((each) => ({ address: each, role: AccountRole.READONLY })) },
      ]);
    const refusal = simulator.simulate([naming(many)], [], { isForeign: true });
    await expect(refusal).rejects.toMatchObject({ code: 'ACTION__TRANSACTION_EXCEEDED' });
    expect(test.countOf('getMultipleAccounts')).toBe(1);
    await expect(simulator.simulate([naming([])], [], { isForeign: true })).resolves.toMatchObject({ kind: 'passed' });
    // Sizes, accounts, size of the code, the code.
    expect(test.countOf('getMultipleAccounts')).toBe(5);
  });

  it('tells the slot that its accounts are of, which is not older than asked for', async () => {
    await open({});
    const minContextSlot = test.node.ledger.slot('confirmed');
    const run = (slot: bigint) => simulator.simulate([transactionOf([])], [], { minContextSlot: slot });
    await expect(run(minContextSlot)).resolves.toMatchObject({ kind: 'passed', slot: minContextSlot });
    await expect(run(minContextSlot + 1n)).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
  });
});
