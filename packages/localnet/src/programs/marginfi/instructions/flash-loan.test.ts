import { MARGINFI_PROGRAM } from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createModelEngine } from '#engine/model-engine.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { addressOf, legacyTransaction, wireOf } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { DEFAULT_PROGRAMS } from '../../default-programs.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const SOL = 1_000_000_000n;
const bank = (name: string) => chain.bank(name);
const list = (change: Parameters<MarketChain['healthAccounts']>[1] = {}) => chain.healthAccounts(party.account, change);
const flags = () => chain.marginfiAccount(party.account).accountFlags;
const send = (...instructions: Instruction[]) => chain.send(party.wallet, ...instructions);

describe('flash loans', () => {
  it('lift the health check until their end, which looks at what is left', () => {
    const before = chain.marginfiAccount(party.account).healthCache;
    const loop = (borrowed: bigint, end: Address[], inner = list()) => [
      act.startFlashLoan(party, 3n),
      act.borrow(party, bank('SOL'), borrowed, inner),
      act.deposit(party, bank('JitoSOL'), 5n * SOL),
      act.endFlashLoan(party, end),
    ];
    const end = [...list({ with: [bank('JitoSOL').address] })];
    expectDone(send(...loop(3n * SOL, end)));
    expect(flags()).toBe(0n);
    const { healthCache } = chain.marginfiAccount(party.account);
    expect(healthCache).not.toEqual(before);
    expect(healthCache).toMatchObject({ assetValue: 0n, liabilityValue: 0n, flags: 2 });
    expect(errorOf(send(...loop(5_000n * SOL, end)))).toBe('RiskEngineInitRejected');
    // From 0.1.10 the breaker is looked for among all balances, though health is not.
    expect(errorOf(send(...loop(3n * SOL, end, [])))).toBe('InvalidBankAccount');
    expect(errorOf(send(...loop(3n * SOL, end, list().slice(0, 2))))).toBe('InvalidBankAccount');
    expect(flags()).toBe(0n);
  });

  it('ask the circuit breakers at their end, of banks that came in after the last borrow too', () => {
    const jito = bank('JitoSOL').address;
    chain.edit(jito, (data) => {
      const fields = new DataView(data.buffer);
      fields.setBigUint64(840, fields.getBigUint64(840, true) | (1n << 11n), true);
      fields.setUint16(824, 500, true);
      fields.setBigUint64(1_800, 1n << 48n, true);
    });
    const loop = [
      act.startFlashLoan(party, 3n),
      act.borrow(party, bank('SOL'), 3n * SOL, list()),
      act.deposit(party, bank('JitoSOL'), 5n * SOL),
      act.endFlashLoan(party, [...list({ with: [jito] })]),
    ];
    expect(errorOf(send(...loop))).toBe('CircuitBreakerPriceJump');
    chain.edit(jito, (data) => new DataView(data.buffer).setBigUint64(1_800, 0n, true));
    expectDone(send(...loop));
  });

  it('want the list of the end to hold every bank that is left, and no other', () => {
    const swap = (end: readonly Address[]) => [
      act.startFlashLoan(party, 2n),
      act.repay(party, bank('SOL'), 'all'),
      act.endFlashLoan(party, end),
    ];
    expect(errorOf(send(...swap([])))).toBe('InvalidBankAccount');
    expect(errorOf(send(...swap(list().slice(0, 2))))).toBe('InvalidBankAccount');
    expectDone(send(...swap(list({ without: [bank('SOL').address] }))));
  });

  it.each<[string, () => readonly Instruction[], unknown]>([
    [
      'ends where it starts',
      () => [act.startFlashLoan(party, 0n), act.endFlashLoan(party, list())],
      'IllegalFlashloan',
    ],
    [
      'ends before it starts',
      () => [act.endFlashLoan(party, list()), act.startFlashLoan(party, 0n)],
      'IllegalFlashloan',
    ],
    [
      'ends at another instruction',
      () => [act.startFlashLoan(party, 1n), act.repay(party, bank('SOL'), 1n)],
      'IllegalFlashloan',
    ],
    [
      'ends beyond the transaction',
      () => [act.startFlashLoan(party, 5n), act.endFlashLoan(party, list())],
      'InvalidArgument',
    ],
    ['ends for another account', () => [act.startFlashLoan(party, 1n), endOf(addressOf(9))], 'IllegalFlashloan'],
    ['ends in another program', () => [act.startFlashLoan(party, 1n), foreignEnd()], 'IllegalFlashloan'],
    ['ends at a short instruction', () => [act.startFlashLoan(party, 1n), shortEnd()], 'ProgramFailedToComplete'],
    [
      'starts twice',
      () => [act.startFlashLoan(party, 2n), act.startFlashLoan(party, 2n), act.endFlashLoan(party, list())],
      'IllegalFlashloan',
    ],
    ['only ends', () => [act.endFlashLoan(party, list())], 'IllegalFlashloan'],
    [
      'is of somebody else',
      () => [act.startFlashLoan({ ...party, wallet: addressOf(8) }, 1n), act.endFlashLoan(party, list())],
      'Unauthorized',
    ],
  ])('refuse one that %s', (_, instructions, error) => {
    expect(errorOf(send(...instructions()))).toBe(error);
  });

  it.each([1n, 16n, 32n, 64n, 128n])('refuse an account with flag %s', (flag) => {
    chain.edit(party.account, (data) => new DataView(data.buffer).setBigUint64(1_800, flag, true));
    expect(errorOf(send(act.startFlashLoan(party, 1n), act.endFlashLoan(party, list())))).toBe('IllegalFlashloan');
  });

  it('refuse a start that names an end before it', () => {
    const again = [act.startFlashLoan(party, 1n), act.endFlashLoan(party, list()), act.startFlashLoan(party, 1n)];
    expect(errorOf(send(...again))).toBe('IllegalFlashloan');
  });

  it('refuse to be started or ended by another program', () => {
    const [start, end] = [act.startFlashLoan(party, 2n), act.endFlashLoan(party, list())];
    const called = sendWithCaller(byCaller(act.startFlashLoan(party, 1n)), end);
    expect(errorOf(called)).toBe('NotAllowedInCPI');
    expect(called.logs.join('\n')).toContain('AnchorError thrown in programs/marginfi/src/ix_utils.rs:147');
    expect(errorOf(sendWithCaller(start, byCaller(end), end))).toBe('NotAllowedInCPI');
  });

  it('leave pulses without a verdict, and no account to close', () => {
    const pulse = act.pulseHealth(party.account, list());
    const result = send(act.startFlashLoan(party, 2n), pulse, act.endFlashLoan(party, list()));
    expectDone(result);
    const { healthCache } = chain.marginfiAccount(party.account);
    expect(healthCache).toMatchObject({ assetValue: 0n, internalLiqErr: 6037, internalBankruptcyErr: 6037 });
    const closing = send(act.startFlashLoan(party, 2n), act.closeAccount(party), act.endFlashLoan(party, list()));
    expect(errorOf(closing)).toBe('IllegalAction');
  });
});

function endOf(account: Address): Instruction {
  return act.endFlashLoan({ ...party, account }, list());
}

function foreignEnd(): Instruction {
  return { ...act.endFlashLoan(party, []), programAddress: SYSTEM_PROGRAM };
}

const CALLER = addressOf(60);

/** The instruction as another program passes it on. */
function byCaller({ accounts = [], data = new Uint8Array() }: Instruction): Instruction {
  return {
    programAddress: CALLER,
    accounts: [{ address: MARGINFI_PROGRAM, role: AccountRole.READONLY }, ...accounts],
    data,
  };
}

function sendWithCaller(...instructions: readonly Instruction[]) {
  const caller = { programId: CALLER, units: 1n, handle: passOn };
  const wire = wireOf(legacyTransaction(party.wallet, instructions));
  const source = { get: (address: Address) => chain.accounts.get(address) };
  const engine = createModelEngine([...DEFAULT_PROGRAMS, caller]);
  return engine.execute(wire, source, chain.context, { verifySignatures: false });
}

function passOn(context: InvokeContext): void {
  const accounts = context.accounts.slice(1);
  context.invoke({
    programId: MARGINFI_PROGRAM,
    accounts: accounts.map(({ address, isSigner, isWritable }) => ({ address, isSigner, isWritable })),
    data: context.data,
  });
}

function shortEnd(): Instruction {
  return { ...act.endFlashLoan(party, []), data: new Uint8Array(7) };
}
