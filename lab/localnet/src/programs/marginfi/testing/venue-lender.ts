import {
  COMPUTE_BUDGET_PROGRAM,
  type InstructionLayout,
  klendObligationLayout,
  solendObligationLayout,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { ExecutionResult } from '#engine/engine.ts';
import * as act from '#market/lending-instructions.ts';
import { VENUE_BANKS } from '#market/venue-banks.ts';
import { type LiveVenue, venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import { amountOf } from '../../token/token-state.ts';
import { expectDone } from './expect-outcome.ts';
import { MarketChain, type Party } from './market-chain.ts';

/** More than a call through JupLend into its liquidity layer takes. */
const UNITS = 1_400_000;
const SET_UNIT_LIMIT = 2;

/** Somebody with an account, 10,000 USDC and nothing in it yet, who lends in a venue's USDC bank of P0's. */
export class VenueLender {
  readonly chain: MarketChain;
  readonly party: Party;
  readonly venue: LiveVenue;

  private constructor(chain: MarketChain, party: Party, venue: LiveVenue) {
    this.chain = chain;
    this.party = party;
    this.venue = venue;
  }

  static async open(venue: LiveVenue): Promise<VenueLender> {
    const chain = await MarketChain.open();
    const party = await chain.addParty({ USDC: 10_000_000_000n, SOL: 1_000_000_000n });
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    return new VenueLender(chain, party, venue);
  }

  fork(): VenueLender {
    return new VenueLender(this.chain.fork(), this.party, this.venue);
  }

  get bank(): P0Bank {
    const row = VENUE_BANKS.find(
      ({ address, token }) => token === 'USDC' && this.chain.bankAt(address).venue === this.venue,
    );
    if (row === undefined) throw new TypeError(`No USDC bank on ${this.venue}`);
    return this.chain.bankAt(row.address);
  }

  /** Refreshes and the deposit itself, which is the last. */
  deposit(amount: bigint): readonly Instruction[] {
    return venueInstructionsOf(this.bank).deposit(this.party, this.bank, amount, (address) => this.chain.data(address));
  }

  withdraw(amount: act.Amount, owner: act.Owner = this.party): readonly Instruction[] {
    const change = amount === 'all' ? { without: [this.bank.address] } : {};
    const health = this.chain.healthAccounts(this.party.account, change);
    const read = (address: Address) => this.chain.data(address);
    return venueInstructionsOf(this.bank).withdraw(owner, this.bank, amount, health, read);
  }

  send(instructions: readonly Instruction[], wallet: Address = this.party.wallet): ExecutionResult {
    return this.chain.send(wallet, unitLimit(), ...instructions);
  }

  /** Receipts the bank holds at the venue. */
  position(): bigint {
    const holding = this.chain.data(this.integrationAccount(1));
    switch (this.venue) {
      case 'kamino':
        return klendObligationLayout.decode(holding).deposits[0]?.depositedAmount ?? 0n;
      case 'solend':
        return solendObligationLayout.decode(holding).deposits[0]?.depositedAmount ?? 0n;
      case 'juplend':
        return amountOf(holding);
    }
  }

  integrationAccount(index: 0 | 1 | 2): Address {
    const account = this.bank.integrationAccounts[index];
    if (account === undefined) throw new TypeError(`The bank has no integration account ${index}`);
    return account;
  }

  /** The account's own receipts in the bank, whole ones. */
  receipts(): bigint {
    const { balances } = this.chain.marginfiAccount(this.party.account).lendingAccount;
    return (
      (balances.find(({ active, bankPk }) => active !== 0 && bankPk === this.bank.address)?.assetShares ?? 0n) >> 48n
    );
  }

  tokens(): Promise<bigint> {
    return this.chain.tokens(this.party.wallet, 'USDC');
  }

  setU64(address: Address, offset: number, value: bigint): void {
    this.chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));
  }
}

/** The same instructions with another account in one place of the last. */
export function withAccount(
  instructions: readonly Instruction[],
  layout: Pick<InstructionLayout, 'accounts'>,
  name: string,
  address: Address,
): readonly Instruction[] {
  const at = layout.accounts.findIndex((slot) => slot.name === name);
  const last = instructions.at(-1);
  if (at === -1 || last === undefined) throw new TypeError(`No account ${name}`);
  const accounts = (last.accounts ?? []).map((meta, index) => (index === at ? { address, role: meta.role } : meta));
  return [...instructions.slice(0, -1), { ...last, accounts }];
}

export function unitLimit(): Instruction {
  const data = new Uint8Array(5);
  data[0] = SET_UNIT_LIMIT;
  new DataView(data.buffer).setUint32(1, UNITS, true);
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
