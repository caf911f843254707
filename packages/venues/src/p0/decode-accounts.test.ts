import { formatI80F48, integerToI80F48 } from '@lending/domain';
import {
  bankMetadataLayout,
  MARGINFI_PROGRAM,
  type MarginfiGroup,
  marginfiGroupLayout,
  orderLayout,
} from '@lending/programs';
import { madeBytes, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import { getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { BANK, GROUP } from '#testing/made-bank.ts';
import { madeAddress } from '../testing/made-trace.ts';
import { readBankFlags } from './bank-flags.ts';
import { decodeBankMetadata } from './decode-bank-metadata.ts';
import { decodeGroup, isGroupPaused } from './decode-group.ts';
import { decodeOrder } from './decode-order.ts';
import { decodeRebalanceOrder } from './decode-rebalance-order.ts';
import { orderFilters, rebalanceOrderFilters } from './discovery.ts';

const empty = madeBytes(marginfiGroupLayout);
const zero = zeroOf(marginfiGroupLayout);
const decode = (fields: Partial<MarginfiGroup>) => {
  const data = madeBytes(marginfiGroupLayout, fields);
  return decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
};

const feeStateCache = { ...zero.feeStateCache, programFeeRate: 5n, programFeeFixed: 7n };
const paused = { ...zero.panicStateCache, pauseFlags: 1, pauseStartTimestamp: 1000n };

describe('decodeGroup', () => {
  it('charges program fees only when the group says so', () => {
    expect(decode({ feeStateCache, groupFlags: 1n }).programFee).toEqual({ rate: 5n, fixedApr: 7n });
    expect(decode({ feeStateCache, groupFlags: 2n }).programFee).toBeNull();
  });

  it('lists as many pairs of the premium table as are filled, at most all', () => {
    const data = Uint8Array.from(empty);
    const view = new DataView(data.buffer);
    for (let index = 0; index < 64; index++) {
      view.setUint16(552 + 8 * index, index + 1, true);
      view.setUint16(554 + 8 * index, 7, true);
      view.setUint32(556 + 8 * index, 42_949_672 + index, true);
    }
    const pairs = (count: number) => {
      view.setUint16(528, count, true);
      return decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM).premiumPairs;
    };
    expect(pairs(2)).toEqual([
      { collateralTag: 1, liabilityTag: 7, rate: 42_949_672 },
      { collateralTag: 2, liabilityTag: 7, rate: 42_949_673 },
    ]);
    expect(pairs(0)).toEqual([]);
    expect(pairs(65)).toHaveLength(64);
  });

  it('reads the leverages of same-asset e-mode where 0.1.10 put them', () => {
    const data = Uint8Array.from(empty);
    new DataView(data.buffer).setUint32(368, 429_496_729, true);
    new DataView(data.buffer).setUint32(372, 858_993_458, true);
    const group = decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
    // Just below 10 and 20, where the second is golden example 18, 19.999999976717: the program's own encoder stores these.
    expect(group.sameAssetLeverage).toEqual({ init: 2_814_749_763_829_700n, maint: 5_629_499_527_659_500n });
  });
});

describe('isGroupPaused', () => {
  it('holds for six hours from the start, and no longer', () => {
    const group = decode({ panicStateCache: paused });
    expect(isGroupPaused(group, 1000n + 21_599n)).toBe(true);
    expect(isGroupPaused(group, 1000n + 21_600n)).toBe(false);
  });

  it.each([
    ['0.1.7', 1_800n],
    ['0.1.8', 604_800n],
    ['0.1.9', 21_600n],
  ] as const)('lasts in %s as long as that release says', (version, seconds) => {
    const group = decode({ panicStateCache: paused });
    expect(isGroupPaused(group, 999n + seconds, version)).toBe(true);
    expect(isGroupPaused(group, 1000n + seconds, version)).toBe(false);
  });

  it('holds before the start of an extended pause', () => {
    expect(isGroupPaused(decode({ panicStateCache: paused }), 900n)).toBe(true);
  });

  it('does not hold without the flag, whatever the start says', () => {
    expect(isGroupPaused(decode({ panicStateCache: { ...paused, pauseFlags: 2 } }), 1000n)).toBe(false);
  });
});

describe('decode order', () => {
  const address = madeAddress(9);
  const account = madeAddress(2);

  function orderBytes(fields: { readonly trigger: number; readonly maxSlippage?: number }) {
    const terms = { stopLoss: integerToI80F48(90n), takeProfit: integerToI80F48(150n), tags: [7, 8] };
    const data = madeBytes(orderLayout, { marginfiAccount: account, ...terms, ...fields });
    return { address, owner: MARGINFI_PROGRAM, data };
  }

  const decode = (fields: Parameters<typeof orderBytes>[0]) => decodeOrder(orderBytes(fields), MARGINFI_PROGRAM);

  describe('decodeOrder', () => {
    it('tells whose order it is and what it waits for', () => {
      expect(decode({ trigger: 2, maxSlippage: 0 })).toEqual({
        address,
        account,
        trigger: 'both',
        stopLoss: integerToI80F48(90n),
        takeProfit: integerToI80F48(150n),
        maxSlippage: 0n,
        tags: [7, 8],
      });
    });

    it('leaves out the side its trigger does not have', () => {
      expect(decode({ trigger: 0 })).toMatchObject({ trigger: 'stop_loss', takeProfit: null });
      expect(decode({ trigger: 1 })).toMatchObject({ trigger: 'take_profit', stopLoss: null });
      expect(decode({ trigger: 3 })).toMatchObject({ trigger: 'unknown', stopLoss: null, takeProfit: null });
    });

    it('tells slippage as a fraction of one', () => {
      expect(formatI80F48(decode({ trigger: 0, maxSlippage: 0xffff_ffff }).maxSlippage)).toBe('1');
      expect(decode({ trigger: 0, maxSlippage: 0x8000_0000 }).maxSlippage).toBe(2n ** 47n + 2n ** 15n);
    });
  });

  describe('orderFilters', () => {
    const { data } = orderBytes({ trigger: 0 });
    const finds = (...asked: Parameters<typeof orderFilters>) =>
      orderFilters(...asked).every(({ offset, bytes }) => bytes.every((byte, at) => data[offset + at] === byte));

    it('finds all orders, or those of one account', () => {
      expect(finds()).toBe(true);
      expect(finds(account)).toBe(true);
      expect(finds(address)).toBe(false);
    });
  });
});

describe('decode rebalance order', () => {
  const [address, account, mint] = [madeAddress(9), madeAddress(2), madeAddress(3)];
  const banks = [madeAddress(4), madeAddress(5), madeAddress(6)];

  /** Bytes by the offsets of the reference, apart from `rebalanceOrderLayout`. */
  function orderBytes(): Uint8Array {
    const data = new Uint8Array(416);
    const view = new DataView(data.buffer);
    data.set([0x33, 0x05, 0xba, 0xfb, 0x90, 0x77, 0x4b, 0xc5]);
    const keys = { 8: account, 40: madeAddress(7), 72: mint, 104: banks[0], 136: banks[1], 168: banks[2] };
    for (const [at, key] of Object.entries(keys)) data.set(getAddressEncoder().encode(key ?? mint), Number(at));
    view.setBigUint64(360, 2n ** 44n, true);
    view.setBigUint64(376, 86_400n, true);
    view.setBigUint64(384, 5_000_000n, true);
    view.setBigUint64(392, 1_791_000_000n, true);
    view.setUint8(401, 2);
    view.setBigUint64(408, 10_000n, true);
    return data;
  }

  const decode = (data = orderBytes()) =>
    decodeRebalanceOrder({ address, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);

  describe('decodeRebalanceOrder', () => {
    it('tells whose order it is, among which banks, and on what terms', () => {
      expect(decode()).toEqual({
        address,
        account,
        mint,
        banks: banks.slice(0, 2),
        minImprovement: 2n ** 44n,
        cooldownSeconds: 86_400n,
        amountBase: 5_000_000n,
        keeperTipLamports: 10_000n,
        lastExecutedAt: 1_791_000_000n,
      });
    });

    it('has null for no limit and for an order that was never executed', () => {
      expect(decode(orderBytes().fill(0, 384, 400))).toMatchObject({ amountBase: null, lastExecutedAt: null });
    });
  });

  describe('rebalanceOrderFilters', () => {
    const finds = (...asked: Parameters<typeof rebalanceOrderFilters>) =>
      rebalanceOrderFilters(...asked).every(({ offset, bytes }) =>
        bytes.every((byte, at) => orderBytes()[offset + at] === byte),
      );

    it('finds all rebalance orders, or those of one account', () => {
      expect(finds()).toBe(true);
      expect(finds(account)).toBe(true);
      expect(finds(address)).toBe(false);
    });
  });
});

describe('decode bank metadata', () => {
  const decodeFields = (fields: Partial<Parameters<typeof bankMetadataLayout.encode>[0]>) => {
    const data = madeBytes(bankMetadataLayout, { bank: BANK, ...fields });
    return decodeBankMetadata({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
  };

  function decode(ticker: string, description = '') {
    const [tickerBytes, descriptionBytes] = [Buffer.from(ticker), Buffer.from(description)];
    return decodeFields({
      ticker: tickerBytes,
      endTickerByte: Math.max(0, tickerBytes.length - 1),
      description: descriptionBytes,
      endDescriptionByte: Math.max(0, descriptionBytes.length - 1),
    });
  }

  describe('decodeBankMetadata', () => {
    it('reads the symbol and the name of a ticker', () => {
      expect(decode('USDC | USD Coin', 'USD Coin | stablecoins | USDC | P0 | -')).toEqual({
        bank: BANK,
        symbol: 'USDC',
        name: 'USD Coin',
        description: 'USD Coin | stablecoins | USDC | P0 | -',
      });
    });

    it('reads a ticker without a name as a symbol', () => {
      expect(decode('USDC')).toMatchObject({ symbol: 'USDC', name: null });
    });

    it('has no symbol where there is no text, or none that can be seen', () => {
      expect(decode('')).toEqual({ bank: BANK, symbol: null, name: null, description: null });
      expect(decode('\u200b\u202e | ')).toMatchObject({ symbol: null, name: null });
    });

    it('stops at the last byte the account names', () => {
      expect(decodeFields({ ticker: Buffer.from('SOLxxxx'), endTickerByte: 2 }).symbol).toBe('SOL');
    });

    it('survives bytes that are not text', () => {
      expect(decodeFields({ ticker: Uint8Array.of(0xff, 0xfe, 0x41), endTickerByte: 255 }).symbol).toMatch(/A$/);
    });
  });
});

describe('readBankFlags', () => {
  it.each([
    [2n, 'canSettleBadDebtPermissionlessly'],
    [3n, 'hasFrozenSettings'],
    [4n, 'canBeClosed'],
    [5n, 'allowsTokenlessRepayments'],
    [6n, 'hasCompletedTokenlessRepayments'],
    [7n, 'isToken2022'],
    [8n, 'isSeedKnown'],
    [9n, 'isStakedOracleDisabled'],
    [10n, 'usesStakedOnRamp'],
  ])('calls bit %i %s', (bit, name) => {
    expect(readBankFlags({ flags: 1n << bit })).toEqual({ ...readBankFlags({ flags: 0n }), [name]: true });
  });

  it('has no name for the emissions of old, or for what is to come', () => {
    expect(readBankFlags({ flags: 3n | (1n << 11n) })).toEqual(readBankFlags({ flags: 0n }));
  });
});
