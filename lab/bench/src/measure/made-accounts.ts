import { createHash } from 'node:crypto';
import { MAX_BALANCES, marginfiAccountLayout, type ValueOf } from '@lending/programs';
import { type Address, getAddressDecoder } from '@solana/kit';

/** A base account with this many balances in the first slots, as if its health had just been pulsed. */
export function accountWithBalances(base: Uint8Array, count: number): Uint8Array {
  const codec = marginfiAccountLayout;
  const account = codec.decode(base);
  const [template] = account.lendingAccount.balances;
  if (template === undefined) throw new RangeError(`an account has ${MAX_BALANCES} slots, this one none`);
  const balances = account.lendingAccount.balances.map((_, slot) =>
    slot < count ? used(template, slot) : { ...template, active: 0, bankPk: NO_KEY, ...NO_SHARES, lastUpdate: 0n },
  );
  const healthCache = {
    ...account.healthCache,
    prices: balances.map(({ active }) => (active === 0 ? 0 : 151.35)),
  };
  return Uint8Array.from(
    codec.encode({ ...account, healthCache, lendingAccount: { ...account.lendingAccount, balances } }),
  );
}

type Balance = ValueOf<typeof marginfiAccountLayout>['lendingAccount']['balances'][number];

const NO_KEY = getAddressDecoder().decode(new Uint8Array(32));
const NO_SHARES = { assetShares: 0n, liabilityShares: 0n, premiumOutstanding: 0n };

/** Whole tokens in shares, so that the numbers are as wide as real ones; deposits and debts in turn. */
function used(template: Balance, slot: number): Balance {
  const shares = BigInt(1_234_567_891 + slot) << 48n;
  const side = slot % 2 === 0 ? { assetShares: shares } : { liabilityShares: shares };
  return { ...template, active: 1, bankPk: keyOf(`bank ${slot}`), ...NO_SHARES, ...side, lastUpdate: 1_775_314_380n };
}

function keyOf(name: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}
