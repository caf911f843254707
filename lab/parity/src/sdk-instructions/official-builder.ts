import { BN, Program } from '@coral-xyz/anchor';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { LendingAction } from '@lending/transactions';
import { type AccountBytes, oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type Bank, MARGINFI_IDL, type MintData, instructions as sdk } from '@mrgnlabs/marginfi-client-v2';
import { AccountRole, type Address, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { sdkAccount, sdkBank } from '#sdk/official-sdk.ts';

/** What the SDK is asked for, and what it is given to look up. */
interface OfficialMarket {
  readonly banks: readonly P0Bank[];
  readonly bytes: ReadonlyMap<string, AccountBytes>;
  readonly tokenProgramOf: (bank: P0Bank) => Address;
}

/** Accounts of Kamino that the SDK has its caller look up. */
export interface KaminoAccounts {
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveCollateralMint: Address;
  readonly collateralSupply: Address;
  readonly obligationFarmUserState: Address | null;
  readonly reserveFarmState: Address | null;
  readonly tokenAccount: Address;
}

/** The official SDK on a chain that is a map. Everything it needs and is not told it reads there, as its resolver does. */
export class OfficialBuilder {
  readonly #program: ReturnType<typeof openProgram>;
  readonly #banks: Map<string, Bank>;
  readonly #mints: Map<string, MintData>;
  readonly #account: ReturnType<typeof sdkAccount>;
  readonly #authority: PublicKey;

  constructor({ banks, bytes, tokenProgramOf }: OfficialMarket, account: AccountBytes) {
    this.#account = sdkAccount(account);
    this.#authority = this.#account.authority;
    this.#program = openProgram(bytes, this.#authority);
    const rows = banks.map((bank) => ({ bank, bytes: bytes.get(bank.address) as AccountBytes }));
    this.#banks = new Map(rows.map((row) => [row.bank.address, sdkBank(row.bytes)]));
    this.#mints = new Map(
      banks.map((bank) => [
        bank.address,
        {
          mint: new PublicKey(bank.mint),
          tokenProgram: new PublicKey(tokenProgramOf(bank)),
          feeBps: 0,
          emissionTokenProgram: null,
        } as MintData,
      ]),
    );
  }

  /** All that the SDK puts into a transaction of an action on a native bank. */
  async act({ kind, amount }: LendingAction, bank: P0Bank): Promise<readonly Instruction[]> {
    const all = amount === 'all';
    const shown = new BigNumber((all ? 0n : amount).toString()).shiftedBy(-bank.decimals);
    const [program, banks, mints, address] = [
      this.#program as never,
      this.#banks,
      this.#mints,
      new PublicKey(bank.address),
    ];
    const account = this.#account;
    switch (kind) {
      case 'deposit':
        return plain(await account.makeDepositIx(program, banks, mints, shown, address));
      case 'repay':
        return plain(await account.makeRepayIx(program, banks, mints, shown, address, all));
      case 'withdraw':
        return plain(await account.makeWithdrawIx(program, banks, mints, {}, shown, address, all));
      case 'borrow':
        return plain(await account.makeBorrowIx(program, banks, mints, {}, shown, address));
    }
  }

  /** All that the SDK has of a flash loan around what stands in it, whose balances it projects itself. */
  async flashLoan(inner: readonly Instruction[], endIndex: number): Promise<readonly Instruction[]> {
    const [program, account] = [this.#program as never, this.#account];
    const active = account.projectActiveBalancesNoCpi(program, inner.map(fromKit));
    return [
      ...plain(await account.makeBeginFlashLoanIx(program, endIndex, this.#authority)),
      ...inner,
      ...plain(await account.makeEndFlashLoanIx(program, this.#banks, active, this.#authority)),
    ];
  }

  async createAccount(group: Address, account: Address, accountIndex: number): Promise<Instruction> {
    const [authority, feePayer] = [this.#authority, this.#authority];
    const keys = { marginfiGroup: new PublicKey(group), marginfiAccount: new PublicKey(account), authority, feePayer };
    return toKit(await sdk.makeInitMarginfiAccountPdaIx(this.#program as never, keys, { accountIndex }));
  }

  async depositInKamino(bank: P0Bank, { collateralSupply, tokenAccount, ...found }: KaminoAccounts, amount: bigint) {
    const accounts = {
      ...this.#ofKamino(bank, found),
      signerTokenAccount: new PublicKey(tokenAccount),
      reserveDestinationDepositCollateral: new PublicKey(collateralSupply),
    };
    return toKit(
      await sdk.makeKaminoDepositIx(this.#program as never, accounts, { amount: new BN(amount.toString()) }),
    );
  }

  /** @param health the list, which the SDK has its caller put together for banks of other venues. */
  async withdrawFromKamino(
    bank: P0Bank,
    { collateralSupply, tokenAccount, ...found }: KaminoAccounts,
    amount: bigint | 'all',
    health: readonly Address[],
  ): Promise<Instruction> {
    const accounts = {
      ...this.#ofKamino(bank, found),
      destinationTokenAccount: new PublicKey(tokenAccount),
      reserveSourceCollateral: new PublicKey(collateralSupply),
    };
    const isFinalWithdrawal = amount === 'all';
    const args = { amount: new BN(isFinalWithdrawal ? '0' : amount.toString()), isFinalWithdrawal };
    const list = health.map((key) => ({ pubkey: new PublicKey(key), isSigner: false, isWritable: false }));
    return toKit(await sdk.makeKaminoWithdrawIx(this.#program as never, accounts, args, list));
  }

  #ofKamino(bank: P0Bank, found: Omit<KaminoAccounts, 'collateralSupply' | 'tokenAccount'>) {
    const key = (address: Address | null) => (address === null ? null : new PublicKey(address));
    return {
      marginfiAccount: this.#account.address,
      bank: new PublicKey(bank.address),
      lendingMarket: new PublicKey(found.lendingMarket),
      reserveLiquidityMint: new PublicKey(bank.mint),
      lendingMarketAuthority: new PublicKey(found.lendingMarketAuthority),
      reserveLiquiditySupply: new PublicKey(found.reserveLiquiditySupply),
      reserveCollateralMint: new PublicKey(found.reserveCollateralMint),
      obligationFarmUserState: key(found.obligationFarmUserState),
      reserveFarmState: key(found.reserveFarmState),
      liquidityTokenProgram: this.#mints.get(bank.address)?.tokenProgram as PublicKey,
      group: this.#account.group,
      authority: this.#authority,
    };
  }
}

function openProgram(bytes: ReadonlyMap<string, AccountBytes>, publicKey: PublicKey) {
  const find = (key: PublicKey) => {
    const found = bytes.get(key.toBase58());
    if (found === undefined) return null;
    const { owner, data } = found;
    return { owner: new PublicKey(owner), data: Buffer.from(data), lamports: 1, executable: false, rentEpoch: 0 };
  };
  const connection = {
    getAccountInfo: async (key: PublicKey) => find(key),
    getAccountInfoAndContext: async (key: PublicKey) => ({ context: { slot: 1 }, value: find(key) }),
    getMultipleAccountsInfo: async (keys: PublicKey[]) => keys.map(find),
  };
  const provider = { connection, publicKey, wallet: { publicKey } };
  return new Program({ ...MARGINFI_IDL, address: MARGINFI_PROGRAM } as never, provider as never);
}

function plain({ instructions }: { readonly instructions: readonly TransactionInstruction[] }): readonly Instruction[] {
  return instructions.map(toKit);
}

function toKit({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    programAddress: programId.toBase58() as Address,
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58() as Address,
      role: roleOf(isSigner, isWritable),
    })),
    data: Uint8Array.from(data),
  };
}

function fromKit({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: accounts.map(({ address, role }) => ({
      pubkey: new PublicKey(address),
      isSigner: isSignerRole(role),
      isWritable: isWritableRole(role),
    })),
    data: Buffer.from(data),
  });
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/** Where the official SDK (6.4.2, written for 0.1.7) and we part on purpose. Nothing else may differ. */
type DifferenceName =
  /** Withdrawals: it has the group writable, as 0.1.7 declared it; 0.1.8 and 0.1.9 only read it there. */
  | 'group_writable'
  /** Parts of a balance: it writes that not all is meant, we write nothing. The program takes both for no. */
  | 'false_for_none'
  /**
   * Health lists: it puts a feed behind every bank. One with a fixed price has none, and the program takes it for the next bank (6008);
   * so it would be with setups that the program has given up, were there a use for them.
   */
  | 'unread_feed'
  /** The end of a flash loan: it names no group, which 0.1.10 put there (3007). */
  | 'no_group_at_end'
  /** Kamino deposits: it ends before the option that 0.1.9 reads, which does not decode them (102). */
  | 'no_refresh_option';

type Difference = (theirs: Instruction) => Instruction;

const FALSE = [1, 0];
const NONE = [0];

/** What the SDK would have built without its difference. @throws TypeError where it does not differ so. */
export const DIFFERENCES: Readonly<Record<Exclude<DifferenceName, 'unread_feed' | 'no_group_at_end'>, Difference>> = {
  group_writable: (theirs) => {
    const [group, ...rest] = theirs.accounts ?? [];
    if (group?.role !== AccountRole.WRITABLE) throw new TypeError('The group is not writable');
    return { ...theirs, accounts: [{ ...group, role: AccountRole.READONLY }, ...rest] };
  },
  false_for_none: (theirs) => ({ ...theirs, data: replaceEnd(theirs.data, FALSE, NONE) }),
  no_refresh_option: (theirs) => {
    const data = [...(theirs.data ?? [])];
    if (data.length !== 16) throw new TypeError('The deposit does not end behind its amount');
    return { ...theirs, data: Uint8Array.from([...data, ...NONE]) };
  },
};

/** Takes the feeds that the program does not read out of an instruction's health list. */
export function withoutUnreadFeeds(
  theirs: Instruction,
  banks: ReadonlyMap<Address, P0Bank>,
  named: number,
): Instruction {
  const accounts = theirs.accounts ?? [];
  const listed = accounts.slice(named).filter((_, index, all) => {
    const before = all[index - 1];
    const bank = before === undefined ? undefined : banks.get(before.address as Address);
    return bank === undefined || oracleAccountsOf(bank).length > 0;
  });
  return { ...theirs, accounts: [...accounts.slice(0, named), ...listed] };
}

/** Puts the group behind the account that the end of a flash loan names first. */
export function withGroupAtEnd(theirs: Instruction, group: Address): Instruction {
  const accounts = theirs.accounts ?? [];
  return { ...theirs, accounts: accounts.toSpliced(1, 0, { address: group, role: AccountRole.READONLY }) };
}

function replaceEnd(data: Instruction['data'], from: readonly number[], to: readonly number[]): Uint8Array {
  const bytes = [...(data ?? [])];
  const end = bytes.slice(-from.length);
  if (end.join() !== from.join()) throw new TypeError(`The data ends with ${end}, expected ${from}`);
  return Uint8Array.from([...bytes.slice(0, -from.length), ...to]);
}
