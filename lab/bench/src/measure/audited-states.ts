import { auditAccount, auditBank } from '@lending/audit';
import { BANK_FLAG, I80F48_ONE } from '@lending/domain';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { decodeBank, decodeMarginfiAccount, type P0Bank } from '@lending/venues';
import { type Address, address } from '@solana/kit';

type AuditedAccount = Parameters<typeof auditAccount>[0];

const ACCOUNT = address('11111111111111111111111111111114');
const SECONDS = 60n;
const ASSETS = 'healthCache.assetValue';
const TAG = 1;
/** Of a year, of which u32::MAX is ten. */
const RATE = 42_949_672;
const GROUP = {
  programFee: { rate: I80F48_ONE / 20n, fixedApr: I80F48_ONE / 10_000n },
  sameAssetLeverage: { init: 0n, maint: 0n },
  premiumPairs: [{ collateralTag: TAG, liabilityTag: TAG, rate: RATE }],
} satisfies Parameters<typeof auditBank>[2] & AuditedAccount['group'];

/**
 * A bank before and after a touch a minute later that brings interest and moves what is lent: all of its own figures are compared.
 * @param data real bytes, which may be of an older program.
 */
export function touchedBank(data: Uint8Array) {
  const before = bankOf(asOfNow(data), ACCOUNT);
  const { totalLiabilityShares, lastUpdate, cache, ...bank } = bankLayout.decode(asOfNow(data));
  const touched = bankLayout.encode({
    ...bank,
    totalLiabilityShares: totalLiabilityShares + (totalLiabilityShares >> 8n),
    lastUpdate: lastUpdate + SECONDS,
    cache: { ...cache, interestAccumulatedFor: Number(SECONDS) },
  });
  const account = { address: ACCOUNT, owner: MARGINFI_PROGRAM, data: Uint8Array.from(touched) };
  const after = decodeBank(account, MARGINFI_PROGRAM);
  const compared = new Set(auditBank(before, after, GROUP).map(({ figure }) => figure));
  if (!compared.has('rates') || !compared.has('interest')) throw new Error('The touch of the bank compares nothing');
  return { before, after, group: GROUP, account };
}

/** An account whose health is pulsed, each of its debts with a premium: all of its figures are compared. @param bank what all its banks are. */
export function pulsedAgain(bank: Uint8Array, data: Uint8Array) {
  const decoded = marginfiAccountLayout.decode(data);
  const [first] = decoded.lendingAccount.balances;
  if (first === undefined) throw new TypeError('An account has balances');
  const second = first.lastUpdate + 2n * SECONDS;
  const charging = asOfNow(bank);
  const pulsedAt = (moment: bigint, sums: Partial<typeof decoded.healthCache>) => {
    const balances = decoded.lendingAccount.balances.map((balance) => ({
      ...balance,
      lastUpdate: moment,
      premiumRateSnapshot: balance.liabilityShares === 0n ? 0 : RATE,
    }));
    const lendingAccount = { ...decoded.lendingAccount, balances };
    const healthCache = { ...decoded.healthCache, ...sums, timestamp: moment };
    const written = Uint8Array.from(marginfiAccountLayout.encode({ ...decoded, healthCache, lendingAccount }));
    return { address: ACCOUNT, owner: MARGINFI_PROGRAM, data: written };
  };
  const auditedWith = (sums: Partial<typeof decoded.healthCache>) => {
    const account = pulsedAt(second, sums);
    const after = decodeMarginfiAccount(account, MARGINFI_PROGRAM);
    const pulsed: AuditedAccount = {
      before: decodeMarginfiAccount(pulsedAt(second - SECONDS, sums), MARGINFI_PROGRAM),
      after,
      banks: new Map(
        after.balances.map((balance) => {
          const state = bankOf(charging, balance.bank);
          return [balance.bank, { before: state, after: state }];
        }),
      ),
      prices: new Map(),
      arePricesOfCheck: false,
      group: GROUP,
      version: '0.1.12',
    };
    return { pulsed, account };
  };
  const ours = auditAccount(auditedWith({ assetValue: I80F48_ONE, assetValueEquity: I80F48_ONE }).pulsed);
  const sums = ours.map(({ field, ours: value }) => [field.replace('healthCache.', ''), value]);
  const audited = auditedWith(Object.fromEntries(sums));
  const compared = auditAccount(audited.pulsed);
  const hasDebt = audited.pulsed.after.balances.some(({ liabilityShares }) => liabilityShares !== 0n);
  // Rates of premiums are compared where the health agrees; that what is owed of them differs costs the same.
  const isOfAll = compared.some(({ field }) => field === (hasDebt ? 'balances.premiumRateSnapshot' : ASSETS));
  if (!isOfAll) throw new Error('The touch of the account is not compared');
  return audited;
}

/** With a curve and a premium as banks have them since 0.1.12. */
function asOfNow(data: Uint8Array): Uint8Array {
  const { config, ...bank } = bankLayout.decode(data);
  const curve = { curveType: 1, zeroUtilRate: 42_949_672, hundredUtilRate: 1_288_490_188 };
  const interestRateConfig = { ...config.interestRateConfig, ...curve };
  const premium = { flags: bank.flags | BANK_FLAG.chargesPremium, premiumTag: TAG, premiumActivatedAt: 1n };
  return Uint8Array.from(bankLayout.encode({ ...bank, ...premium, config: { ...config, interestRateConfig } }));
}

function bankOf(data: Uint8Array, at: Address): P0Bank {
  return decodeBank({ address: at, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
}
