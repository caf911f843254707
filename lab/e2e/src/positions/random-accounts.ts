import { createHash } from 'node:crypto';
import { ASSET_TAG } from '@lending/domain';
import type { AccountState } from '@lending/localnet';
import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { createChance } from '../builders/dice.ts';

/** A lending account as it is put on the chain. */
export interface MadeAccount {
  readonly address: Address;
  readonly authority: Address;
  /** In the order the program keeps: by bank, descending. */
  readonly balances: readonly {
    readonly bank: P0Bank;
    readonly side: 'asset' | 'liability';
    readonly shares: bigint;
  }[];
}

/**
 * Accounts of every kind: empty ones, lenders, borrowers well and badly covered, one to sixteen balances, dust, debts alone. A wallet
 * has up to three of them. What the program would not have let happen is among them, because it values that, too.
 */
export function makeAccounts(banks: readonly P0Bank[], count: number, seed: string): readonly MadeAccount[] {
  const chance = createChance(seed);
  return Array.from({ length: count }, (_, index) => ({
    address: labelled(`${seed} account ${index}`),
    authority: labelled(`${seed} authority ${index - chance(3)}`),
    balances: pickBanks(banks, sizeOf(chance), chance).map((bank) => balanceIn(bank, chance)),
  }));
}

export function accountState({ address: _, authority, balances }: MadeAccount, group: Address): AccountState {
  const empty = marginfiAccountLayout.decode(emptyBytes());
  const [blank] = empty.lendingAccount.balances;
  if (blank === undefined) throw new TypeError('An account has sixteen slots');
  const slots = empty.lendingAccount.balances.map((slot, index) => {
    const held = balances[index];
    if (held === undefined) return slot;
    const { bank, side, shares } = held;
    return {
      ...blank,
      active: 1,
      bankPk: bank.address,
      bankAssetTag: bank.assetTag,
      assetShares: side === 'asset' ? shares : 0n,
      liabilityShares: side === 'liability' ? shares : 0n,
    };
  });
  const data = marginfiAccountLayout.encode({
    ...empty,
    group,
    authority,
    lendingAccount: { ...empty.lendingAccount, balances: slots },
  });
  return {
    lamports: BigInt(marginfiAccountLayout.fixedSize + 128) * 6_960n,
    owner: MARGINFI_PROGRAM,
    executable: false,
    data: new Uint8Array(data),
  };
}

/** Most hold a few, some none, some all the slots. */
function sizeOf(chance: (below: number) => number): number {
  const kind = chance(20);
  if (kind === 0) return 0;
  return kind === 1 ? 16 : 1 + chance(7);
}

function pickBanks(banks: readonly P0Bank[], count: number, chance: (below: number) => number): readonly P0Bank[] {
  const left = [...banks];
  const picked = Array.from({ length: count }, () => left.splice(chance(left.length), 1)).flat();
  const bytes = new Map(picked.map(({ address }) => [address, Buffer.from(getAddressEncoder().encode(address))]));
  return picked.sort((a, b) => Buffer.compare(bytes.get(b.address) as Buffer, bytes.get(a.address) as Buffer));
}

/** From less than a share to a few thousand tokens; only banks that lend can be owed to. */
function balanceIn(bank: P0Bank, chance: (below: number) => number): MadeAccount['balances'][number] {
  const isDebt = bank.venue === 'p0' && bank.assetTag !== ASSET_TAG.staked && chance(3) === 0;
  const digits = 1 + chance(bank.decimals + (isDebt ? 2 : 3));
  const whole = (BigInt(chance(2 ** 31)) * 10n ** BigInt(digits)) / 2n ** 31n;
  const shares = (whole << 48n) + BigInt(chance(2 ** 31)) * BigInt(chance(2 ** 17));
  return { bank, side: isDebt ? 'liability' : 'asset', shares };
}

function emptyBytes(): Uint8Array {
  const bytes = new Uint8Array(marginfiAccountLayout.fixedSize);
  bytes.set(marginfiAccountLayout.discriminator);
  return bytes;
}

function labelled(label: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(label).digest());
}
