import type { ReadOptions } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { CLOCK_SYSVAR, RENT_SYSVAR, readLookupTable, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { decodeGroup, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { type AccountSet, createAccountSet } from './account-set.ts';
import type { ActionState, ChosenAccount, LiveBank, LookupTables } from './action-state.ts';
import { accountsOfBank, type BankRole } from './bank-accounts.ts';
import type { BankCache } from './bank-cache.ts';
import { chooseAccount } from './choose-account.ts';
import { deriveAccounts } from './derive-accounts.ts';
import { type AccountFetcher, fetchUntilClosed } from './fetch-until-closed.ts';
import type { PairedBank } from './leverage-state.ts';
import type { LiveAccounts } from './live-accounts.ts';
import { createBankReader, momentOf, toLiveBank } from './read-banks.ts';
import type { ReadQuestion } from './read-question.ts';
import { readWalletTokens } from './read-wallet-tokens.ts';
import { walletTokensOf } from './wallet-addresses.ts';

/** Bytes that every account pays rent for besides its data. @see solana-rent `ACCOUNT_STORAGE_OVERHEAD` */
const ACCOUNT_OVERHEAD = 128n;

/** What a build read, with every bank that is acted on. */
export interface ReadState extends Omit<ActionState, 'target' | 'walletTokens'> {
  /** In the order of the question. */
  readonly targets: readonly PairedBank[];
}

/**
 * Reads everything that building, checking and explaining takes. With right hints that is one wave of requests; what the first one
 * shows to be missing is read in one more, and so on. Nothing is taken from the cache but what to ask for, and the contents of lookup
 * tables.
 * @throws READ__ACCOUNT_NOT_FOUND, READ__ACCOUNT_MISMATCH (several fit), READ__BANK_NOT_FOUND, TOOL__INPUT_INVALID (somebody else's
 * account, another group's bank), ACTION__BANK_UNAVAILABLE (a bank that cannot be read), and what reading the chain throws.
 */
export async function readState(
  chain: AccountFetcher,
  cache: BankCache,
  question: ReadQuestion,
  { signal }: Pick<ReadOptions, 'signal'> = {},
): Promise<ReadState> {
  const set = createAccountSet();
  const banks = createBankReader(question, set.get);
  const wallet = await deriveAccounts(question);
  const candidates = () =>
    question.account === null ? [...question.knownAccounts, ...wallet.derived.values()] : [question.account];

  async function findAccount(): Promise<ChosenAccount | null> {
    if (candidates().some((address) => set.get(address) === undefined)) return null;
    const chosen = chooseAccount(question, wallet.derived, set.get);
    if (chosen === null) await wallet.deriveMore();
    return chosen;
  }

  async function addBank(address: Address, role: BankRole, wanted: Set<Address>): Promise<P0Bank | undefined> {
    const known = cache.find(address);
    const bank = banks.read(address, role) ?? known?.bank;
    wanted.add(address);
    if (bank === undefined) return undefined;
    const hinted = set.get(address) === undefined ? (known?.accounts[role] ?? []) : [];
    for (const each of [...hinted, ...(await accountsOfBank(bank, role, set.get))]) wanted.add(each);
    return bank;
  }

  async function findWanted(): Promise<ReadonlySet<Address>> {
    const { group, authority, banks: targets, lookupTables } = question;
    const account = await findAccount();
    const wanted = new Set<Address>([authority, group, CLOCK_SYSVAR, RENT_SYSVAR, ...candidates()]);
    for (const table of lookupTables) if (cache.findTable(table) === undefined) wanted.add(table);
    for (const target of targets) {
      const bank = await addBank(target, 'target', wanted);
      for (const tokens of bank === undefined ? [] : await tokensOf(bank)) wanted.add(tokens);
    }
    const held = account === null ? question.heldBanks : (account.state?.balances ?? []).map(({ bank }) => bank);
    for (const bank of held) await addBank(bank, 'held', wanted);
    return wanted;
  }

  /** Where the wallet's tokens are; while the mint's program is not known, in either of two places. */
  async function tokensOf({ address, mint }: P0Bank): Promise<readonly Address[]> {
    const known = set.get(mint)?.owner ?? cache.find(address)?.tokenProgram ?? null;
    const programs = known === null ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] : [known];
    return Promise.all(programs.map((program) => walletTokensOf(question.authority, mint, program)));
  }

  const waves = await fetchUntilClosed(chain, set, findWanted, signal);
  const accounts = set.toLiveAccounts();
  const account = await findAccount();
  if (account === null) throw new TypeError('Reading ended before an account was chosen');
  const live = async (address: Address, role: BankRole): Promise<LiveBank> => {
    const bank = banks.read(address, role);
    if (bank === undefined) throw new TypeError(`Reading ended before the bank ${address} was read`);
    return toLiveBank(bank, accounts, momentOf(accounts));
  };
  async function paired(address: Address): Promise<PairedBank> {
    const target = await live(address, 'target');
    const [tokens] = await tokensOf(target.bank);
    if (tokens === undefined) throw new TypeError('Every mint has a token account');
    await cache.remember(target.bank, 'target', set.get);
    return { live: target, tokens: readWalletTokens(tokens, question.authority, accounts) };
  }
  const targets: PairedBank[] = [];
  for (const bank of question.banks) targets.push(await paired(bank));
  const held = new Map<Address, LiveBank>();
  for (const { bank } of account.state?.balances ?? []) held.set(bank, await live(bank, 'held'));
  for (const { bank } of held.values()) await cache.remember(bank, 'held', set.get);
  return {
    accounts,
    waves,
    program: question.program,
    version: question.version,
    relaxed: question.relaxed,
    group: readGroup(question, accounts),
    authority: question.authority,
    lamports: accounts.get(question.authority)?.lamports ?? 0n,
    account,
    targets,
    held,
    lookupTables: readTables(question.lookupTables, set, cache, accounts.slot),
    rentFor: rentOf(accounts),
  };
}

function readGroup({ group, program }: ReadQuestion, accounts: LiveAccounts) {
  const account = accounts.get(group);
  if (account) return decodeGroup(account, program);
  throw malformed(`The group ${group} does not exist on this chain`, group);
}

function readTables(tables: readonly Address[], set: AccountSet, cache: BankCache, slot: bigint): LookupTables {
  const entries = tables.map((table) => {
    const account = set.get(table);
    if (account === undefined) return [table, cache.findTable(table) ?? []] as const;
    const addresses = account === null ? [] : readLookupTable(account.data, slot);
    cache.rememberTable(table, addresses);
    return [table, addresses] as const;
  });
  return Object.fromEntries(entries.filter(([, addresses]) => addresses.length > 0));
}

function rentOf(accounts: LiveAccounts): ActionState['rentFor'] {
  const { rentLamportsPerByte } = momentOf(accounts);
  if (rentLamportsPerByte === undefined) throw malformed('The rent sysvar cannot be read', RENT_SYSVAR);
  return (bytes) => (ACCOUNT_OVERHEAD + BigInt(bytes)) * rentLamportsPerByte;
}

function malformed(message: string, address: Address): LendingError {
  return new LendingError('DECODE__ACCOUNT_MALFORMED', { message, context: { address } });
}
