import { I80F48_ONE, parseI80F48 } from '@lending/domain';
import { bankUpdatedSchema } from '@lending/events';
import { type BankFields, bankContent, FEED, GROUP, MINT } from '@lending/fakes';
import { BANK_ORACLE_SETUPS, bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { describeBank } from './describe-bank.ts';

const [BANK, OTHER] = [bankAddress(1), bankAddress(2)];
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const U64_MAX = 2n ** 64n - 1n;
/** The smallest fixed-point step, 2^-48, written out. */
const STEP = '0.000000000000003552713678800500929355621337890625';

const zeroConfig = decodeBank({ address: BANK, ...bankContent() }, MARGINFI_PROGRAM);
const text = (symbol: string | null, bank = BANK) => ({ bank, symbol, name: null, description: null });

function describeMade(fields: BankFields = {}) {
  const bank = decodeBank({ address: BANK, ...bankContent(fields) }, MARGINFI_PROGRAM);
  return describeBank(bank, 'spl', text('WEN'));
}

describe('describeBank', () => {
  it('says every field, with decimals exact to the last bit', () => {
    const bank = {
      ...zeroConfig,
      assetTag: 1,
      operationalState: 'ReduceOnly',
      riskTier: 'Isolated',
      weights: {
        assetInit: parseI80F48('0.5') + 1n,
        assetMaint: parseI80F48('0.625'),
        liabilityInit: parseI80F48('1.5'),
        liabilityMaint: parseI80F48('1.25'),
      },
      depositLimit: U64_MAX - 1n,
      borrowLimit: 7n,
      totalAssetValueInitLimitUsd: 250_000n,
      originationFee: 1n,
      flags: U64_MAX,
      emode: {
        tag: 57,
        entries: [
          { collateralTag: 501, assetWeightInit: parseI80F48('0.875'), assetWeightMaint: parseI80F48('0.9375') },
          { collateralTag: 502, assetWeightInit: 0n, assetWeightMaint: I80F48_ONE },
        ],
      },
      oracle: { ...zeroConfig.oracle, setup: 'SwitchboardPull', maxAgeSeconds: 30 },
      curve: {
        kind: 'points',
        corners: [
          { utilization: 0n, baseApr: 1n },
          { utilization: parseI80F48('0.75'), baseApr: parseI80F48('0.125') },
          { utilization: I80F48_ONE, baseApr: parseI80F48('3') },
        ],
      },
      venueAccount: OTHER,
    } as const;
    const described = describeBank(bank, 'token_2022', text('WEN'));
    expect(described).toEqual({
      bank: BANK,
      group: GROUP,
      venue: 'p0',
      mint: MINT,
      decimals: 6,
      tokenProgram: 'token_2022',
      symbol: 'WEN',
      assetTag: 1,
      operationalState: 'ReduceOnly',
      riskTier: 'Isolated',
      weights: {
        assetInit: `0.5${STEP.slice(3)}`,
        assetMaint: '0.625',
        liabilityInit: '1.5',
        liabilityMaint: '1.25',
      },
      depositLimit: '18446744073709551614',
      borrowLimit: '7',
      totalAssetValueInitLimitUsd: '250000',
      originationFee: STEP,
      flags: '18446744073709551615',
      emode: {
        tag: 57,
        entries: [
          { collateralTag: 501, assetWeightInit: '0.875', assetWeightMaint: '0.9375' },
          { collateralTag: 502, assetWeightInit: '0', assetWeightMaint: '1' },
        ],
        sameAsset: {
          asset: `${bank.mint}:${bank.oracle.keys[0]}:switchboard:0`,
          isDebtToo: true,
        },
      },
      oracle: { setup: 'SwitchboardPull', key: FEED, maxAgeSeconds: 30 },
      rateCurve: [
        { utilization: '0', baseApr: STEP },
        { utilization: '0.75', baseApr: '0.125' },
        { utilization: '1', baseApr: '3' },
      ],
      venueAccount: OTHER,
    });
  });

  it('says "off" as null', () => {
    const config = { depositLimit: U64_MAX, borrowLimit: U64_MAX, totalAssetValueInitLimit: 0n };
    expect(describeMade({ config })).toMatchObject({
      depositLimit: null,
      borrowLimit: null,
      totalAssetValueInitLimitUsd: null,
      venueAccount: null,
    });
    expect(describeMade({ config: { depositLimit: 0n, borrowLimit: 0n } })).toMatchObject({
      depositLimit: '0',
      borrowLimit: '0',
    });
  });

  it('calls a well-known mint by its own name, whatever the chain says', () => {
    const known = { ...zeroConfig, mint: USDC };
    expect(describeBank(known, null, text('SCAM')).symbol).toBe('USDC');
    expect(describeBank(known, null, null).symbol).toBe('USDC');
  });

  it('calls an unknown mint what its own metadata says, and nothing otherwise', () => {
    expect(describeBank(zeroConfig, null, text('WEN')).symbol).toBe('WEN');
    expect(describeBank(zeroConfig, null, text('WEN', OTHER)).symbol).toBeNull();
    expect(describeBank(zeroConfig, null, text(null)).symbol).toBeNull();
    expect(describeBank(zeroConfig, null, null)).toMatchObject({ symbol: null, tokenProgram: null });
  });

  it('names the feed only where the setup reads one', () => {
    const withFeed = BANK_ORACLE_SETUPS.filter(
      (_, oracleSetup) => describeMade({ config: { oracleSetup } }).oracle.key !== null,
    );
    const fixed = ['Fixed', 'FixedKamino', 'FixedDrift', 'FixedJuplend', 'PTFixed'];
    const withoutFeed = ['None', 'PythLegacy', 'SwitchboardV2', ...fixed];
    expect(withFeed).toEqual(BANK_ORACLE_SETUPS.filter((setup) => !withoutFeed.includes(setup)));
    expect(describeMade({ config: { oracleSetup: 3 } }).oracle.key).toBe(FEED);
  });

  it('fits the event, whatever numbers a newer program writes', () => {
    const { interestRateConfig } = bankLayout.decode(bankContent().data).config;
    for (let value = 0; value < 256; value += 1) {
      const config = { operationalState: value, oracleSetup: value, riskTier: value % 2 };
      const curve = { ...interestRateConfig, curveType: value };
      const described = describeMade({ config: { ...config, interestRateConfig: curve } });
      expect(bankUpdatedSchema.parse(described)).toEqual(described);
    }
  });
});
