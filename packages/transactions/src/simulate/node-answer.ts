import type { Address } from '@solana/kit';
import type { SimulatedAccount, SimulatedTransaction } from './simulator.ts';

/** An account of a simulation as nodes write it. Numbers are bigint or not, whichever method it came by. */
export interface AnsweredAccount {
  readonly data: readonly [string, string];
  readonly lamports: bigint | number;
  readonly owner: string;
}

/** What nodes tell of one simulated transaction. Older ones leave some of it out. */
export interface AnsweredTransaction {
  readonly err?: unknown;
  readonly logs?: readonly string[] | null;
  readonly unitsConsumed?: bigint | number | null;
  readonly fee?: bigint | number | null;
}

export function toSimulatedAccount(address: Address, account: AnsweredAccount): SimulatedAccount {
  return {
    address,
    owner: account.owner as Address,
    lamports: BigInt(account.lamports),
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
  };
}

/** The watched accounts by address; a node lists null for what does not exist. */
export function toAccountsAfter(
  addresses: readonly Address[],
  accounts: readonly (AnsweredAccount | null)[] | null | undefined,
): ReadonlyMap<Address, SimulatedAccount | null> {
  return new Map(
    addresses.map((address, index) => {
      const account = accounts?.[index] ?? null;
      const exists = account !== null && BigInt(account.lamports) > 0n;
      return [address, exists ? toSimulatedAccount(address, account) : null];
    }),
  );
}

export function toSimulatedTransaction({ unitsConsumed, fee, logs }: AnsweredTransaction): SimulatedTransaction {
  return {
    unitsConsumed: Number(unitsConsumed ?? 0),
    feeLamports: fee === null || fee === undefined ? null : BigInt(fee),
    logs: logs ?? [],
  };
}

export function toBase64(wire: Uint8Array): string {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength).toString('base64');
}
