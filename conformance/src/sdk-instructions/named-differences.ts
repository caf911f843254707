import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';

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
