import { BANK_FLAG } from '@lending/domain';
import type { Message } from '@lending/events';
import type { P0Bank, P0Group, PriceReading, ReserveReading } from '@lending/venues';
import type { Address } from '@solana/kit';
import { freshPriceOf } from '#publish/sample-fields.ts';

/** A bank as a round read it. */
export interface BankSight {
  readonly bank: P0Bank;
  readonly price: PriceReading;
  /** What can leave, in the bank's own units; null where that is not known. */
  readonly vaultBase: bigint | null;
  /** The reserve behind it; null on P0's own banks, and where it could not be read. */
  readonly reserve: ReserveReading | null;
  /** Null where it could not be read. */
  readonly group: P0Group | null;
}

/** A bank as it was last seen, in what decides which swaps are asked for. */
export interface SeenBank {
  readonly bank: P0Bank;
  readonly group: P0Group | null;
  /** USD for one token of the mint; null where the bank would not take the price itself. */
  readonly priceUsd: string | null;
  readonly availableBase: bigint | null;
  /** By configuration, of the bank and the reserve behind it, whatever today's room is. What is not known is a no. */
  readonly takesDeposits: boolean;
  readonly lendsOut: boolean;
  /** Seconds, the chain's own clock. */
  readonly unixTimestamp: bigint;
}

/** A slot and its clock, in seconds. */
export interface ChainMoment {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
}

/** What the rounds last saw of every bank. */
export interface SeenBanks {
  /** Takes over what a round read and measured: a bank that has no measure was doubted, and nothing is taken of it. */
  see(sights: readonly BankSight[], messages: readonly Message[]): void;
  readonly banks: Iterable<SeenBank>;
  readonly size: number;
  /** The newest of what was seen; null before the first. */
  readonly moment: ChainMoment | null;
}

export function createSeenBanks(): SeenBanks {
  const seen = new Map<Address, SeenBank>();
  let moment: ChainMoment | null = null;
  return {
    see(sights, messages) {
      const measured = new Map(
        messages.flatMap(({ type, key, slot, time }) => (type === 'bank.measured.v1' ? [[key, { slot, time }]] : [])),
      );
      for (const sight of sights) {
        const at = measured.get(sight.bank.address);
        if (at === undefined) continue;
        const unixTimestamp = BigInt(Date.parse(at.time)) / 1_000n;
        seen.set(sight.bank.address, toSeen(sight, unixTimestamp));
        if (moment === null || at.slot > moment.slot) moment = { slot: at.slot, unixTimestamp };
      }
    },
    get banks() {
      return seen.values();
    },
    get size() {
      return seen.size;
    },
    get moment() {
      return moment;
    },
  };
}

function toSeen({ bank, price, vaultBase, reserve, group }: BankSight, unixTimestamp: bigint): SeenBank {
  const isOpen = bank.operationalState === 'Operational' && (bank.flags & BANK_FLAG.tokenlessRepaymentsAllowed) === 0n;
  const isReserveOpen = bank.venue === 'p0' || (reserve !== null && takesDeposits(reserve));
  return {
    bank,
    group,
    priceUsd: freshPriceOf(price),
    availableBase: vaultBase,
    takesDeposits: isOpen && bank.depositLimit !== 0n && isReserveOpen,
    lendsOut: isOpen && bank.borrowLimit !== 0n,
    unixTimestamp,
  };
}

/** Kamino's and Drift's words for a reserve that P0 cannot deposit to, whatever room it has. */
const SHUT = ['deposits_permissioned', 'deposits_paused'];

function takesDeposits({ status, statusReasons, limits }: ReserveReading): boolean {
  const isShut = SHUT.some((reason) => statusReasons.includes(reason));
  return (status === 'active' || status === 'restricted') && !isShut && limits.depositLimitBase !== 0n;
}
