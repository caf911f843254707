import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { MarketLedger } from '../market-ledger.ts';

/** A chain of accounts and a clock only, which a test sets. */
export class MemoryLedger implements MarketLedger {
  readonly accounts: Map<Address, AccountState>;
  readonly written = new Set<Address>();
  unixTimestamp: bigint;

  constructor(accounts: ReadonlyMap<Address, AccountState>, unixTimestamp: bigint) {
    this.accounts = new Map(accounts);
    this.unixTimestamp = unixTimestamp;
  }

  readonly account = (address: Address): AccountState | undefined => this.accounts.get(address);

  writeAccounts(writes: Iterable<readonly [Address, AccountState]>): void {
    for (const [address, state] of writes) {
      this.accounts.set(address, state);
      this.written.add(address);
    }
  }

  /** As decoders take an account. */
  bytes(address: Address) {
    const state = this.accounts.get(address);
    if (state === undefined) throw new Error(`${address} does not exist`);
    return { address, owner: state.owner, data: state.data };
  }
}
