import { type DEMO_TOKENS, editAccount, type Ledger } from '@lending/localnet';
import { bankLayout, marginfiAccountLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

type BankFields = ReturnType<typeof bankLayout.decode>;
type AccountFields = ReturnType<typeof marginfiAccountLayout.decode>;

/** What the chain gives otherwise than the program computed it: of a bank, or of an account that holds or owes it. */
export interface Lie {
  readonly figure: string;
  readonly field: string;
  /** The bank that is in question. */
  readonly token: keyof typeof DEMO_TOKENS;
  readonly venue?: P0Bank['venue'];
  readonly bank?: (bank: BankFields) => BankFields;
  readonly account?: {
    readonly has: keyof typeof DEMO_TOKENS;
    readonly owes: keyof typeof DEMO_TOKENS;
    readonly lie: (account: AccountFields) => AccountFields;
  };
}

const ONE = 1n << 48n;
/** Of a yearly rate, as caches have it: u32::MAX is 1000 %. */
const BASIS_POINT = 42_950;

export const LIES: readonly Lie[] = [
  {
    figure: 'rates',
    field: 'cache.borrowingRate',
    token: 'PYUSD',
    bank: inCache((cache) => ({ borrowingRate: cache.borrowingRate + BASIS_POINT })),
  },
  {
    figure: 'interest',
    field: 'liabilityShareValue',
    token: 'USDS',
    bank: (bank) => ({ ...bank, liabilityShareValue: bank.liabilityShareValue - 1n }),
  },
  {
    figure: 'price',
    field: 'cache.lastOraclePrice',
    token: 'JLP',
    bank: inCache((cache) => ({ lastOraclePrice: cache.lastOraclePrice + 1n })),
  },
  {
    // Its reserve changes with each slot, so that a price of it may be off by as much as it may have moved.
    figure: 'price',
    field: 'cache.lastOraclePrice',
    token: 'USDC',
    venue: 'kamino',
    bank: inCache((cache) => ({ lastOraclePrice: (cache.lastOraclePrice * 6n) / 5n })),
  },
  {
    figure: 'health',
    field: 'healthCache.assetValue',
    token: 'WETH',
    account: {
      has: 'WETH',
      owes: 'JUP',
      lie: ({ healthCache, ...account }) => ({
        ...account,
        healthCache: { ...healthCache, assetValue: healthCache.assetValue + ONE },
      }),
    },
  },
  {
    figure: 'premium',
    field: 'balances.premiumRateSnapshot',
    token: 'USDT',
    account: {
      has: 'BONK',
      owes: 'USDT',
      lie: ({ lendingAccount, ...account }) => ({
        ...account,
        lendingAccount: { ...lendingAccount, balances: lendingAccount.balances.map(withDearerPremium) },
      }),
    },
  },
];

type BalanceFields = AccountFields['lendingAccount']['balances'][number];

function withDearerPremium(balance: BalanceFields): BalanceFields {
  const { liabilityShares, premiumRateSnapshot } = balance;
  return liabilityShares === 0n ? balance : { ...balance, premiumRateSnapshot: premiumRateSnapshot + BASIS_POINT };
}

function inCache(change: (cache: BankFields['cache']) => Partial<BankFields['cache']>) {
  return (bank: BankFields): BankFields => ({ ...bank, cache: { ...bank.cache, ...change(bank.cache) } });
}

/**
 * Alters accounts in the moment that the program has written them, as it would have computed otherwise: no node gives anything else.
 * @param targets what is altered, and how. @returns how to tell the truth again.
 */
export function startLying(ledger: Ledger, targets: ReadonlyMap<Address, Lie>): () => void {
  const altering = new Set<Address>();
  return ledger.subscribe((event) => {
    if (event.kind !== 'changes' || event.commitment !== 'processed') return;
    for (const address of event.addresses) {
      const lie = targets.get(address);
      if (lie === undefined || altering.has(address)) continue;
      altering.add(address);
      if (lie.bank !== undefined) editAccount(ledger, bankLayout, address, lie.bank);
      if (lie.account !== undefined) editAccount(ledger, marginfiAccountLayout, address, lie.account.lie);
      altering.delete(address);
    }
  });
}
