// Types of kit alone: LiteSVM brings another copy of its code along, and two take 17 MB more in every thread.
import type { Address, Lamports } from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import type { SimulatedAccount, SimulatedTransaction } from '../simulator.ts';
import { readMachineFailure } from './machine-failure.ts';
import type { PlacedAccount, ProgramCode, WorkerJob, WorkerOutcome } from './worker-messages.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;

/**
 * One LiteSVM that many lists of transactions run on, one after the other. Every account that a list names is overwritten before it
 * runs, so that nothing of the list before is left in it. The code of programs is not: a stranger's list has a machine to itself.
 */
export class Machine {
  readonly #svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  readonly #loaded = new Map<Address, string>();

  run({ accounts, programs, withoutCode, transactions, watch }: WorkerJob): WorkerOutcome {
    const program = withoutCode.find((each) => !this.#has(each));
    if (program !== undefined) return { kind: 'no_code', program };
    this.#load(programs);
    for (const account of accounts) this.#place(account);
    const passed: SimulatedTransaction[] = [];
    for (const [index, transaction] of transactions.entries()) {
      const meta = this.#svm.sendTransaction(transaction);
      if (meta instanceof FailedTransactionMetadata) {
        const failure = readMachineFailure(String(meta));
        return { kind: 'failed', index, transactions: passed, ...failure, logs: meta.meta().logs() };
      }
      passed.push(toSimulated(meta));
    }
    return { kind: 'passed', transactions: passed, after: watch.map((address) => [address, this.#read(address)]) };
  }

  /** The machine brings the System, Token, associated token and memo programs itself. */
  #has(program: Address): boolean {
    const account = this.#svm.getAccount(program);
    return account.exists && account.executable;
  }

  #load(programs: readonly ProgramCode[]): void {
    for (const { address, key, loader, elf } of programs) {
      if (this.#loaded.get(address) === key) continue;
      this.#svm.addProgramWithLoader(address, elf, loader);
      this.#loaded.set(address, key);
    }
  }

  #place({ address, state }: PlacedAccount): void {
    // A chain that is no cluster may list no account for a program that every machine has.
    if (state === null && this.#has(address)) return;
    this.#svm.setAccount({
      address,
      lamports: (state?.lamports ?? 0n) as Lamports,
      data: state?.data ?? new Uint8Array(),
      programAddress: state?.owner ?? SYSTEM_PROGRAM,
      executable: false,
      space: BigInt(state?.data.length ?? 0),
    });
  }

  #read(address: Address): SimulatedAccount | null {
    const account = this.#svm.getAccount(address);
    if (!account.exists) return null;
    const { programAddress, data } = account;
    return { address, owner: programAddress, lamports: BigInt(account.lamports), data: new Uint8Array(data) };
  }
}

function toSimulated(meta: TransactionMetadata): SimulatedTransaction {
  const fee = /, fee: (\d+) }\)$/.exec(String(meta))?.[1];
  return {
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    feeLamports: fee === undefined ? null : BigInt(fee),
    logs: meta.logs(),
  };
}
