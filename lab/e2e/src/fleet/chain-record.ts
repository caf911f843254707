import { floorI80F48, multiplyI80F48 } from '@lending/domain';
import type { AccountState, Ledger } from '@lending/localnet';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import type { TestDatabase } from '@lending/store/testing';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  type P0Bank,
  readVaultAmount,
  sampleRates,
} from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { query } from '../tables/query.ts';

/** What an account held from a slot on. */
export interface Version {
  readonly slot: bigint;
  readonly state: AccountState;
}

/** What the chain itself said, slot by slot, while it was listened to. */
export interface ChainRecord {
  /** Oldest first. */
  versionsOf(address: Address): readonly Version[];
  stateAt(address: Address, slot: bigint): AccountState | null;
  /** From here on all is known. */
  readonly firstSlot: bigint;
  stop(): void;
}

/** Keeps every confirmed state of the lending program's accounts, and of the vaults of its banks. */
export function recordChain(ledger: Ledger, banks: readonly P0Bank[]): ChainRecord {
  const versions = new Map<Address, Version[]>();
  const firstSlot = ledger.slot('confirmed');
  const note = (address: Address, slot: bigint, state: AccountState | undefined): void => {
    if (state === undefined) return;
    const known = versions.get(address);
    if (known === undefined) versions.set(address, [{ slot, state }]);
    else known.push({ slot, state });
  };
  const vaults = new Set(banks.map(({ liquidityVault }) => liquidityVault));
  for (const [address, state] of ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')) note(address, 0n, state);
  for (const vault of vaults) note(vault, 0n, ledger.account(vault, 'confirmed'));
  const stop = ledger.subscribe((event) => {
    if (event.kind !== 'changes' || event.commitment !== 'confirmed') return;
    for (const address of event.addresses) {
      const state = ledger.account(address, event.slot);
      if (state?.owner === MARGINFI_PROGRAM || vaults.has(address)) note(address, event.slot, state);
    }
  });
  const versionsOf = (address: Address) => versions.get(address) ?? [];
  return {
    versionsOf,
    stateAt: (address, slot) => versionsOf(address).findLast((version) => version.slot <= slot)?.state ?? null,
    firstSlot,
    stop,
  };
}

/** The group's banks as they are on the chain. */
export function banksOf(ledger: Ledger): readonly P0Bank[] {
  return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')].flatMap(([address, { owner, data }]) => {
    try {
      return [decodeBank({ address, owner, data }, MARGINFI_PROGRAM)];
    } catch {
      // The program owns other accounts, too.
      return [];
    }
  });
}

interface SampleRow {
  readonly address: string;
  readonly slot: string;
  readonly assets: string;
  readonly debts: string;
  readonly available: string;
}

export interface SampleJudgement {
  readonly judged: number;
  /** Samples of P0's own banks that are not what the chain held at their slot. */
  readonly wrong: readonly string[];
}

/** Holds every sample of P0's own banks against the chain's accounts at that slot, accrued to its clock. */
export async function judgeSamples(
  database: TestDatabase,
  record: ChainRecord,
  ledger: Ledger,
): Promise<SampleJudgement> {
  const rows = await query<SampleRow>(
    database,
    `select address, slot::text, total_assets_base::text as assets, total_liabilities_base::text as debts,
       available_liquidity_base::text as available
     from rate_sample join rate_series on rate_series.id = series
     where kind = 'bank' and venue = 'p0' and slot > $1 order by slot`,
    [String(record.firstSlot)],
  );
  const wrong = rows.flatMap((row) => {
    const expected = expectedOf(address(row.address), BigInt(row.slot), record, ledger);
    const found = `${row.assets} lent, ${row.debts} borrowed, ${row.available} available`;
    return found === expected ? [] : [`${row.address} at slot ${row.slot}: ${found}; the chain had ${expected}`];
  });
  return { judged: rows.length, wrong };
}

function expectedOf(bankAddress: Address, slot: bigint, record: ChainRecord, ledger: Ledger): string {
  const account = (key: Address) => {
    const state = record.stateAt(key, slot);
    return state && { address: key, owner: state.owner, data: state.data };
  };
  const [bankAccount, group, block] = [account(bankAddress), account(MARGINFI_MAIN_GROUP), ledger.blockAt(slot)];
  if (bankAccount === null || group === null || block === undefined) return 'no such bank, or slot';
  const bank = decodeBank(bankAccount, MARGINFI_PROGRAM);
  const vault = readVaultAmount(bank, account(bank.liquidityVault));
  const rates = sampleRates(bank, decodeGroup(group, MARGINFI_PROGRAM), block.unixTimestamp, vault);
  return `${rates.totalAssetsBase} lent, ${rates.totalLiabilitiesBase} borrowed, ${rates.availableLiquidityBase} available`;
}

/** An answer of `GET /v1/account/{address}`, as far as it is judged. */
export interface PositionsAnswer {
  readonly as_of: { readonly slot: number };
  readonly accounts: readonly {
    readonly address: string;
    readonly positions: readonly {
      readonly bank: string;
      readonly venue: string | null;
      readonly side: 'lend' | 'borrow';
      readonly amount_raw: string | null;
    }[];
  }[];
}

/** Interest of some minutes, which an answer counts up to a moment that it does not name. */
const INTEREST_PARTS = 10_000n;
const ROUNDING_BASE = 2n;

/**
 * What is wrong in an answer; null when each account is as it was on the chain at some slot between the one that the answer is of and the
 * newest there was when it came.
 */
export function judgePositions(answer: PositionsAnswer, newestSlot: bigint, record: ChainRecord): string | null {
  const fromSlot = BigInt(answer.as_of.slot);
  for (const { address: name, positions } of answer.accounts) {
    const possible = versionsSince(address(name), fromSlot, newestSlot, record);
    const told = positions.map((position) => ({ ...position, amount: position.amount_raw }));
    const isTrue = possible.some(({ slot, state }) => {
      const held = heldIn(address(name), state, slot, record);
      return held.length === told.length && held.every((one) => told.some((other) => isSame(one, other)));
    });
    if (!isTrue)
      return `${name} as of ${fromSlot}, answered at ${newestSlot}: ${JSON.stringify(told)}; the chain had ${possible
        .map(({ slot, state }) => `${slot}: ${JSON.stringify(heldIn(address(name), state, slot, record), textOf)}`)
        .join(' | ')}`;
  }
  return null;
}

/** The sets of banks in which an account held or owed anything between two slots, each as one text. */
export function banksHeldSince(
  account: Address,
  fromSlot: bigint,
  newestSlot: bigint,
  record: ChainRecord,
): readonly string[] {
  const sets = versionsSince(account, fromSlot, newestSlot, record).map(({ slot, state }) =>
    heldIn(account, state, slot, record)
      .map(({ bank }) => bank)
      .sort()
      .join(' '),
  );
  return [...new Set(sets)];
}

function versionsSince(
  account: Address,
  fromSlot: bigint,
  newestSlot: bigint,
  record: ChainRecord,
): readonly Version[] {
  const versions = record.versionsOf(account);
  return versions.filter(
    ({ slot }, index) => slot <= newestSlot && (versions[index + 1]?.slot ?? newestSlot + 1n) > fromSlot,
  );
}

interface Held {
  readonly bank: string;
  readonly side: 'lend' | 'borrow';
  /** Base units; null on banks of other venues, whose receipts are worth what their venue says. */
  readonly base: bigint | null;
}

const banks = new WeakMap<Uint8Array, P0Bank>();

/** Decoded once: the same state is looked at for many answers. */
function bankOf(bankAddress: Address, state: AccountState): P0Bank {
  const known = banks.get(state.data) ?? decodeBank({ address: bankAddress, ...state }, MARGINFI_PROGRAM);
  banks.set(state.data, known);
  return known;
}

function heldIn(account: Address, state: AccountState, slot: bigint, record: ChainRecord): readonly Held[] {
  const { balances } = decodeMarginfiAccount({ address: account, ...state }, MARGINFI_PROGRAM);
  return balances.flatMap(({ bank: bankAddress, assetShares, liabilityShares }): readonly Held[] => {
    const bankState = record.stateAt(bankAddress, slot);
    if (bankState === null) return [];
    const { venue, shares } = bankOf(bankAddress, bankState);
    const assets = floorI80F48(multiplyI80F48(assetShares, shares.assetShareValue));
    const debts = floorI80F48(multiplyI80F48(liabilityShares, shares.liabilityShareValue));
    // Less than a share counts neither way, as the program has it.
    if (floorI80F48(assetShares) === 0n && floorI80F48(liabilityShares) === 0n) return [];
    const side = liabilityShares > assetShares ? 'borrow' : 'lend';
    const base = venue === 'p0' ? (side === 'borrow' ? debts : assets) : null;
    return [{ bank: bankAddress, side, base }];
  });
}

function isSame(held: Held, told: { bank: string; side: string; amount: string | null }): boolean {
  if (held.bank !== told.bank || held.side !== told.side) return false;
  if (held.base === null || told.amount === null) return true;
  const difference = BigInt(told.amount) - held.base;
  const most = held.base / INTEREST_PARTS + ROUNDING_BASE;
  return difference <= most && difference >= -most;
}

function textOf(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
