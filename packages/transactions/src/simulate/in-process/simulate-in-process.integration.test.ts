import type { AccountState } from '@lending/localnet';
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit';
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

function programAccount(code = PROGRAM_DATA): AccountState {
  const data = new Uint8Array(36);
  data[0] = 2;
  data.set(getAddressEncoder().encode(code), 4);
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

/** With an authority, and room for any of the codes. */
function ownedProgramData(authority: Address, elf: Uint8Array): AccountState {
  const { data, ...account } = programData(0n, elf);
  const roomy = new Uint8Array(data.length + 200_000);
  roomy.set(data);
  roomy[12] = 1;
  roomy.set(getAddressEncoder().encode(authority), 13);
  return { ...account, data: roomy };
}

/** Anyone may write one on the chain and hand it to any authority. */
function bufferOf(authority: Address, elf: Uint8Array): AccountState {
  const data = new Uint8Array(37 + elf.length);
  data.set([1, 0, 0, 0, 1]);
  data.set(getAddressEncoder().encode(authority), 5);
  data.set(elf, 37);
  return { lamports: SOL, owner: UPGRADEABLE_LOADER, data, executable: false };
}

/** `Upgrade`, which nobody's signature is looked for when it is simulated. */
function upgradeOf(code: Address, buffer: Address, authority: Address): Instruction {
  const writable = (each: Address) => ({ address: each, role: AccountRole.WRITABLE });
  const readonly = (each: string) => ({ address: address(each), role: AccountRole.READONLY });
  return {
    programAddress: UPGRADEABLE_LOADER,
    accounts: [
      ...[code, PROGRAM, buffer, PAYER].map(writable),
      readonly('SysvarRent111111111111111111111111111111111'),
      readonly('SysvarC1ock11111111111111111111111111111111'),
      { address: authority, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.from([3, 0, 0, 0]),
  };
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

  it('runs the code that the chain has, read once, and again when it was deployed again', async () => {
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

  it("leaves nothing of a stranger's transactions to whoever comes next", async () => {
    const authority = addressOf(170);
    const buffer = addressOf(171);
    const seeds = [getAddressEncoder().encode(PROGRAM)];
    const [code] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds });
    await open({
      [authority]: wallet(SOL),
      [PROGRAM]: programAccount(code),
      [code]: ownedProgramData(authority, codeOf(OLD_MEMO)),
      [buffer]: bufferOf(authority, codeOf(NEW_MEMO)),
    });
    const honest = await logsOf(PROGRAM);
    const upgrade = transactionOf([upgradeOf(code, buffer, authority)]);
    expect(await simulator.simulate([upgrade], [], { isForeign: true })).toMatchObject({ kind: 'passed' });
    expect(await logsOf(PROGRAM)).toBe(honest);
  });

  it('tells the slot that its accounts are of, which is not older than asked for', async () => {
    await open({});
    const minContextSlot = test.node.ledger.slot('confirmed');
    const run = (slot: bigint) => simulator.simulate([transactionOf([])], [], { minContextSlot: slot });
    await expect(run(minContextSlot)).resolves.toMatchObject({ kind: 'passed', slot: minContextSlot });
    await expect(run(minContextSlot + 1n)).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
  });
});
