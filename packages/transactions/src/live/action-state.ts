import type { RelaxedRules, TransferFee } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import type { LoadedOracle, P0Account, P0Bank, P0Group, ReserveKeys } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { LiveAccounts } from './live-accounts.ts';

/** A mint as transfers of it see it. */
export interface LiveMint {
  readonly address: Address;
  readonly decimals: number;
  /** Address of the token program that owns the mint. */
  readonly tokenProgram: Address;
  /** In force in the epoch that was read; null without. */
  readonly transferFee: TransferFee | null;
}

/** A bank that an action touches, or that the account holds a balance in, with what was read beside it. */
export interface LiveBank {
  readonly bank: P0Bank;
  readonly mint: LiveMint;
  /** What its oracle accounts say now, before anything is refreshed or cranked. */
  readonly oracle: LoadedOracle;
  /** What the liquidity vault holds, base units; null on banks of other venues. */
  readonly vaultBase: bigint | null;
  /** What the venue's adapter reads the bank's reserve from; null on P0's own banks. */
  readonly reserve: ReserveKeys | null;
}

/** The lending account of a build. `state` is null while it does not exist: then it is created at `address`, derived by `index`. */
export interface ChosenAccount {
  readonly address: Address;
  readonly state: P0Account | null;
  /** What the address is derived from, third-party id 0; null for an account that exists. */
  readonly newIndex: number | null;
}

/** The wallet's associated account of the action's mint. */
export interface WalletTokens {
  readonly address: Address;
  /** Base units; null where the account does not exist. */
  readonly amountBase: bigint | null;
  readonly isFrozen: boolean;
}

/** A lookup table's addresses by the table's own. */
export type LookupTables = Readonly<Record<Address, readonly Address[]>>;

/** Everything that one build of an action read. Bytes are of the chain and decide; the tables only said what to read. */
export interface ActionState {
  readonly accounts: LiveAccounts;
  /** Waves of parallel requests that it took. */
  readonly waves: number;
  readonly program: Address;
  /** Of the program that runs: it says which accounts an instruction names. */
  readonly version: ProgramVersion;
  /** In what that program was seen to be less strict than is assumed; the banks are as they count with it. */
  readonly relaxed: RelaxedRules;
  readonly group: P0Group;
  readonly authority: Address;
  /** What the wallet itself holds. */
  readonly lamports: bigint;
  readonly account: ChosenAccount;
  /** The action's bank; null when only an account is created. */
  readonly target: LiveBank | null;
  readonly walletTokens: WalletTokens | null;
  /** The banks of the account's active balances by address, the target's among them where it holds one. */
  readonly held: ReadonlyMap<Address, LiveBank>;
  readonly lookupTables: LookupTables;
  /** Lamports that keep an account of so many bytes of data. */
  rentFor(bytes: number): bigint;
}
