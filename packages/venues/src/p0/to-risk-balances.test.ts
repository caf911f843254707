import { BANK_FLAG, I80F48_ONE, integerToI80F48, parseI80F48, type RiskPrice } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, marginfiAccount } from '#testing/made-account.ts';
import { BANK, bankAccount, FEED } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { decodeMarginfiAccount } from './decode-marginfi-account.ts';
import { sampleRates } from './sample-rates.ts';
import { toBankLedger } from './to-bank-ledger.ts';
import { toRiskBalances, toRiskBank } from './to-risk-balances.ts';

const NOW = 1_777_000_000n;
const GROUP = { programFee: null, sameAssetLeverage: { init: 10n * I80F48_ONE, maint: 20n * I80F48_ONE } };
const zero = decodeBank(bankAccount({ lastUpdate: NOW - 86_400n }), MARGINFI_PROGRAM);
const bank = {
  ...zero,
  curve: {
    kind: 'legacy',
    optimalUtilization: parseI80F48('0.8'),
    plateauApr: parseI80F48('0.1'),
    maxApr: I80F48_ONE,
  } as const,
  weights: { ...zero.weights, assetInit: parseI80F48('0.5') },
  shares: { ...zero.shares, totalAssetShares: integerToI80F48(1_000n), totalLiabilityShares: integerToI80F48(400n) },
};
const band = { spot: integerToI80F48(2n), low: integerToI80F48(2n), high: integerToI80F48(2n) };
const price: RiskPrice = { kind: 'loaded', spot: band, ema: band, hasBorrowingPower: true };
const shares = integerToI80F48(3_000_000n);
const account = decodeMarginfiAccount(
  marginfiAccount({ 2: { bankPk: BANK, assetShares: shares }, 5: { bankPk: FEED, liabilityShares: 7n } }),
  MARGINFI_PROGRAM,
);
const riskBank = toRiskBank(bank, GROUP, null);

describe('toRiskBank', () => {
  it('leaves shares as stored without a moment to accrue to', () => {
    expect(riskBank.shares).toBe(bank.shares);
    expect(riskBank).toMatchObject({ address: BANK, decimals: 6, weights: bank.weights, emode: bank.emode });
  });

  it('accrues to a moment, with the program fee on what borrowers owe', () => {
    const accrued = (programFee: { rate: bigint; fixedApr: bigint } | null) =>
      toRiskBank(bank, { ...GROUP, programFee }, NOW).shares;
    const plain = accrued(null);
    expect(plain.lastUpdate).toBe(NOW);
    expect(plain.liabilityShareValue).toBeGreaterThan(I80F48_ONE);
    const withFee = accrued({ rate: parseI80F48('0.1'), fixedApr: 0n });
    expect(withFee.liabilityShareValue).toBeGreaterThan(plain.liabilityShareValue);
    expect(Object.keys(withFee).sort()).toEqual(Object.keys(bank.shares).sort());
  });

  it('leaves out the seconds of a halt, as the books and the sampled rates do', () => {
    const lastUpdate = bank.shares.lastUpdate;
    const halted = decodeBank(
      bankAccount({
        flags: BANK_FLAG.hasCircuitBreaker,
        cbHaltStartedAt: NOW - 40_000n,
        cbHaltEndedAt: NOW - 10_000n,
        cbFrozenSecondsPending: 6_400n,
      }),
      MARGINFI_PROGRAM,
    );
    const frozen = { ...bank, breaker: halted.breaker };
    // 36,400 of the day's 86,400 seconds bear nothing.
    const rest = toRiskBank(bank, GROUP, lastUpdate + 50_000n).shares;
    expect(toRiskBank(frozen, GROUP, NOW).shares).toEqual({ ...rest, lastUpdate: NOW });
    expect(toBankLedger(frozen, GROUP, NOW)).toMatchObject({
      liabilityShareValue: rest.liabilityShareValue,
      lastUpdate: NOW,
    });
    expect(sampleRates(frozen, { programFee: null }, NOW, null).liabilityShareValue).toBe(rest.liabilityShareValue);
    expect(toRiskBank(bank, GROUP, NOW).shares.liabilityShareValue).toBeGreaterThan(rest.liabilityShareValue);
  });

  it('leaves a bank that cannot be accrued as it is', () => {
    const unknown = { ...bank, curve: { kind: 'unknown', curveType: 9 } as const };
    expect(toRiskBank(unknown, GROUP, NOW).shares).toBe(bank.shares);
  });
});

describe('toRiskBalances', () => {
  const other = { ...riskBank, address: FEED };
  const banks = new Map([
    [BANK, { bank: riskBank, price }],
    [FEED, { bank: other, price }],
  ]);

  it('gives every balance in use its bank and price, in order', () => {
    expect(toRiskBalances(account, banks, NOW)).toEqual([
      { bank: riskBank, price, assetShares: shares, liabilityShares: 0n, premium: 0n },
      { bank: other, price, assetShares: 0n, liabilityShares: 7n, premium: 0n },
    ]);
  });

  it('refuses to leave out a balance whose bank is not known', () => {
    expect(() => toRiskBalances(account, new Map([[BANK, { bank: riskBank, price }]]), NOW)).toThrowError(
      expect.objectContaining({ code: 'VENUE__BANK_NOT_FOUND', context: { account: ACCOUNT, bank: FEED } }),
    );
  });
});
