import {
  type AnyType,
  bankLayout,
  findBankMetadata,
  findRebalanceFeePool,
  marginfiAccountLayout,
  marginfiGroupLayout,
  orderLayout,
  placeOf,
  rebalanceOrderLayout,
} from '@lending/programs';
import { type Address, getAddressEncoder } from '@solana/kit';
import { rentSysvarOf } from '../staked/rent.ts';
import type { P0Bank } from './bank.ts';
import { oracleAccountsOf } from './oracle-accounts.ts';
import { hasFeed, shapeOfSetup } from './oracle-setups.ts';

/** Bytes an account must have at an offset. */
export interface ContentFilter {
  readonly kind: 'content';
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Filters that find the banks of a group among the program's accounts. The discriminator and not the size tells a bank:
 * accounts may grow.
 */
export function bankFilters(group: Address): readonly ContentFilter[] {
  return [{ kind: 'content', offset: 0, bytes: bankLayout.discriminator }, addressAt(bankLayout, 'group', group)];
}

/** Filter that finds the groups of a program; there are few. */
export function groupFilters(): readonly ContentFilter[] {
  return [{ kind: 'content', offset: 0, bytes: marginfiGroupLayout.discriminator }];
}

/** What the first bytes of one of the program's accounts say that it is; null: none of these. */
export function kindOfAccount(data: Uint8Array): 'bank' | 'account' | 'order' | 'group' | null {
  for (const [kind, { discriminator }] of KINDS) {
    if (data.length >= discriminator.length && discriminator.every((byte, at) => data[at] === byte)) return kind;
  }
  return null;
}

const KINDS = [
  ['account', marginfiAccountLayout],
  ['bank', bankLayout],
  ['order', orderLayout],
  ['group', marginfiGroupLayout],
] as const;

/** Filters that find the lending accounts of a group among the program's accounts; of one authority, if it is named. */
export function accountFilters(group: Address, authority?: Address): readonly ContentFilter[] {
  return [
    { kind: 'content', offset: 0, bytes: marginfiAccountLayout.discriminator },
    addressAt(marginfiAccountLayout, 'group', group),
    ...(authority === undefined ? [] : [addressAt(marginfiAccountLayout, 'authority', authority)]),
  ];
}

/** Filters that find standing orders among the program's accounts; of one lending account, if it is named. An order has no group. */
export function orderFilters(account?: Address): readonly ContentFilter[] {
  return [
    { kind: 'content', offset: 0, bytes: orderLayout.discriminator },
    ...(account === undefined ? [] : [addressAt(orderLayout, 'marginfiAccount', account)]),
  ];
}

/** The same of orders to rebalance. */
export function rebalanceOrderFilters(account?: Address): readonly ContentFilter[] {
  return [
    { kind: 'content', offset: 0, bytes: rebalanceOrderLayout.discriminator },
    ...(account === undefined ? [] : [addressAt(rebalanceOrderLayout, 'marginfiAccount', account)]),
  ];
}

function addressAt(layout: AnyType, field: string, address: Address): ContentFilter {
  return {
    kind: 'content',
    offset: placeOf(layout, field).offset,
    bytes: Uint8Array.from(getAddressEncoder().encode(address)),
  };
}

/** The account that may hold a bank's name; it need not exist. */
export async function findMetadataOfBank(bank: Address, programId: Address): Promise<Address> {
  const [metadata] = await findBankMetadata(bank, programId);
  return metadata;
}

/** Where the tips for rebalancing an account wait, a system account; it need not exist. */
export async function findFeePoolOfAccount(account: Address, programId: Address): Promise<Address> {
  const [pool] = await findRebalanceFeePool(account, programId);
  return pool;
}

/** The price feed a bank reads, null when its price is set by hand or its setup cannot be used. */
export function priceFeedOf(bank: P0Bank): Address | null {
  const shape = shapeOfSetup(bank.oracle.setup);
  const isRead = shape.kind === 'staked' || (shape.kind === 'price' && hasFeed(shape.base));
  return isRead ? (bank.oracle.keys[0] ?? null) : null;
}

/**
 * The accounts that one rate sample of a bank is made of, to be read in one call so that they are of one slot. The group
 * is shared by all banks and not listed. Behind integration banks the vault is only a passage, so it is left out.
 */
export function accountsOfBank(bank: P0Bank): readonly Address[] {
  const vault = bank.venue === 'p0' ? [bank.liquidityVault] : [];
  const rent = rentSysvarOf(bank);
  return [...new Set([bank.address, ...oracleAccountsOf(bank), ...(rent === null ? [] : [rent]), ...vault])];
}
