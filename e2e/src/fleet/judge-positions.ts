import { floorI80F48, multiplyI80F48 } from '@lending/domain';
import type { AccountState } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, decodeMarginfiAccount, type P0Bank } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import type { ChainRecord, Version } from './chain-record.ts';

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
