import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Codec, getU32Codec } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  bankLayout,
  driftSpotMarketLayout,
  driftStateLayout,
  driftUserLayout,
  type FeeState,
  feeStateLayout,
  type KaminoFarm,
  type KlendObligation,
  type KlendReserve,
  kaminoFarmLayout,
  klendMarketLayout,
  klendObligationLayout,
  klendReserveLayout,
  klendUserMetadataLayout,
  type MarginfiAccount,
  marginfiAccountLayout,
  marginfiGroupLayout,
  marinadeStateLayout,
  mintLayout,
  priceUpdateV2Layout,
  pullFeedLayout,
  type SolendObligation,
  type SolendReserve,
  scopePricesLayout,
  solendObligationLayout,
  solendReserveLayout,
  stakePoolLayout,
  TOKEN_ACCOUNT_STATE,
  tokenAccountLayout,
} from './index.ts';
import { accountDumps } from './testing/account-dumps.ts';
import { newerValues, normalize, spellLike } from './testing/recorded.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const FIXTURES_MISSING = !existsSync(FIXTURES);
/** What `npm run smoke -- --record` wrote has no fields that another coder read. */
const { contact = [], dumps = [] } = Object.groupBy(accountDumps(FIXTURES), ({ name }) =>
  name.startsWith('first-contact/') ? 'contact' : 'dumps',
);
const of = (kind: string) => dumps.filter((dump) => dump.kind === kind).map((dump) => [dump.name, dump] as const);

/** Kinds whose recording has every field. */
const WHOLE: Readonly<Record<string, Codec<unknown>>> = {
  'mfi:Bank': bankLayout as Codec<unknown>,
  'mfi:MarginfiAccount': marginfiAccountLayout as Codec<unknown>,
  'mfi:MarginfiGroup': marginfiGroupLayout as Codec<unknown>,
  'mfi:FeeState': feeStateLayout as Codec<unknown>,
  'klend:Reserve': klendReserveLayout as Codec<unknown>,
  'klend:Obligation': klendObligationLayout as Codec<unknown>,
  'klend:LendingMarket': klendMarketLayout as Codec<unknown>,
  'klend:UserMetadata': klendUserMetadataLayout as Codec<unknown>,
  'farms:FarmState': kaminoFarmLayout as Codec<unknown>,
  'drift:SpotMarket': driftSpotMarketLayout as Codec<unknown>,
  'drift:State': driftStateLayout as Codec<unknown>,
  'solend:Reserve': solendReserveLayout as Codec<unknown>,
  'solend:Obligation': solendObligationLayout as Codec<unknown>,
  marinade: marinadeStateLayout as Codec<unknown>,
};
/** Kinds whose recording has the fields that matter. */
const ESSENTIALS = ['pyth:PriceUpdateV2', 'sbpull', 'token', 'drift:User', 'stakepool', 'scope:OraclePrices'];
/** Kinds that no bank and no build of ours reads. */
const NOT_READ = [
  ...['klend:GlobalConfig', 'farms:GlobalConfig', 'farms:UserState', 'scope:OracleMappings'],
  ...['drift:PerpMarket', 'drift:PythLazerOracle'],
  ...['pythlegacy', 'sbv2', 'alt'],
];

/** What a number, a flag and an address hold that nothing was written to. */
const ZEROS = new Set<unknown>([0, 0n, '11111111111111111111111111111111']);
const DRIFT_ENUMS = { oracleSource: 'OracleSource', status: 'MarketStatus', assetTier: 'AssetTier' };
const variants = FIXTURES_MISSING
  ? {}
  : {
      operationalState: BANK_OPERATIONAL_STATES,
      oracleSetup: BANK_ORACLE_SETUPS,
      riskTier: BANK_RISK_TIERS,
      ...driftVariants(),
    };

function driftVariants(): Record<string, string[]> {
  const idl = JSON.parse(readFileSync(resolve(FIXTURES, 'idl/drift@2.162.0.json'), 'utf8'));
  const names = (type: string) =>
    idl.types
      .find(({ name }: { name: string }) => name === type)
      .type.variants.map(({ name }: { name: string }) => name.charAt(0).toLowerCase() + name.slice(1));
  return Object.fromEntries(Object.entries(DRIFT_ENUMS).map(([field, type]) => [field, names(type)]));
}

function expectUnchanged<T>(codec: Codec<T>, bytes: Uint8Array): void {
  const encoded = codec.encode(codec.decode(bytes));
  expect(Buffer.from(encoded).toString('hex')).toBe(Buffer.from(bytes.subarray(0, encoded.length)).toString('hex'));
}

/** Our value in the shape of its recording, for the coders that arrange, add or leave out. */
const ARRANGED: Readonly<Record<string, (value: never) => unknown>> = {
  // What is now the transfer fee was the lower half of a placeholder.
  'mfi:FeeState': ({ accountTransferFee, ...rest }: FeeState) => ({
    ...rest,
    placeholder0: BigInt(accountTransferFee),
  }),
  'mfi:MarginfiAccount': ({ lendingAccount, ...rest }: MarginfiAccount) => ({
    ...rest,
    lendingAccount: {
      balances: lendingAccount.balances
        .filter(({ active }) => active !== 0)
        // Before 0.1.12 it counted emissions.
        .map(({ premiumOutstanding: emissionsOutstanding, ...balance }) => ({ ...balance, emissionsOutstanding })),
    },
  }),
  'klend:Reserve': arrangeKlendUpdate,
  'klend:Obligation': arrangeKlendUpdate,
  'farms:FarmState': ({ rewardInfos, ...rest }: KaminoFarm) => ({
    ...rest,
    rewardInfos: rewardInfos.slice(0, Number(rest.numRewardTokens)),
  }),
  'solend:Reserve': arrangeSolendReserve,
  'solend:Obligation': ({ deposits, ...rest }: SolendObligation) => ({
    ...rest,
    deposits: deposits.map(({ attributedBorrowValue: _sincePadding, ...deposit }) => deposit),
  }),
};

/** klend 1.25 keeps a timestamp where the recording has the last four of six spare bytes. */
function arrangeKlendUpdate({ lastUpdate, ...rest }: KlendReserve | KlendObligation): unknown {
  const { timestamp, padding, ...update } = lastUpdate;
  const placeholder = [...padding, ...getU32Codec().encode(timestamp)];
  return { ...rest, lastUpdate: { ...update, placeholder } };
}

/** The recording nests by meaning, derives `borrowWeight`, and looks for two fields where they no longer stand. */
function arrangeSolendReserve(reserve: SolendReserve): unknown {
  const { version, lastUpdate, lendingMarket, liquidity, collateral, config, rateLimiter, ...rest } = reserve;
  const { accumulatedProtocolFeesWads, smoothedMarketPrice: _notRead, ...limits } = rest;
  const { addedBorrowWeightBps: addedBorrowWeightBPS, scaledPriceOffsetBps: scaledPriceOffsetBPS, ...others } = limits;
  const { windowDuration, maxOutflow, ...window } = rateLimiter;
  return {
    ...{ version, lastUpdate, lendingMarket, collateral },
    liquidity: { ...liquidity, accumulatedProtocolFeesWads, oracleOption: null, smoothedMarketPrice: null },
    config: { ...config, ...others, addedBorrowWeightBPS, scaledPriceOffsetBPS, borrowWeight: '1' },
    rateLimiter: { ...window, config: { windowDuration, maxOutflow } },
  };
}

describe.skipIf(FIXTURES_MISSING)('codecs on real accounts (FIXTURES_DIR)', () => {
  it('reads or names every kind there is', () => {
    const known = [...Object.keys(WHOLE), ...ESSENTIALS, ...NOT_READ];
    expect([...new Set(dumps.map(({ kind }) => kind))].sort()).toEqual(known.sort());
  });

  it.each(contact.filter(({ kind }) => kind in WHOLE))('$name of a first contact is the same written again', (dump) => {
    expectUnchanged(WHOLE[dump.kind] as Codec<unknown>, dump.bytes);
  });

  it.each(dumps.filter(({ kind }) => kind in WHOLE))('decodes every field of $name as recorded', (dump) => {
    const { kind, bytes } = dump;
    const codec = WHOLE[kind] as Codec<unknown>;
    const value = codec.decode(bytes);
    const recording = normalize(dump.decoded);
    const arranged = ARRANGED[kind]?.(value as never) ?? value;
    expect(spellLike(arranged, recording, variants)).toEqual(recording);
    expect(newerValues(value).filter((each) => !ZEROS.has(each))).toEqual([]);
    expectUnchanged(codec, bytes);
  });

  it.each(of('solend:Reserve'))('reads the average price of %s, which its recording lacks', (_name, { bytes }) => {
    expect(solendReserveLayout.decode(bytes).smoothedMarketPrice).toBe(999_922_180_000_000_000n);
  });

  it.each(of('drift:User'))('decodes user %s as recorded', (_name, { bytes, essentials }) => {
    const user = driftUserLayout.decode(bytes);
    const { authority, delegate, subAccountId, status, lastActiveSlot, totalDeposits, totalWithdraws, nextOrderId } =
      user;
    const used = user.spotPositions.filter(({ scaledBalance, openOrders }) => scaledBalance !== 0n || openOrders !== 0);
    const spotPositions = used.map(({ marketIndex, balanceType, scaledBalance, cumulativeDeposits, openOrders }) => ({
      ...{ marketIndex, scaledBalance, cumulativeDeposits, openOrders },
      balanceType: balanceType === 0 ? 'deposit' : 'borrow',
    }));
    const { openPerpPositionCount, ...recorded } = essentials;
    expect(
      spellLike(
        {
          ...{ authority, delegate, subAccountId, status, lastActiveSlot, totalDeposits, totalWithdraws, nextOrderId },
          ...{ name: user.name, spotPositions },
        },
        recorded,
        variants,
      ),
    ).toEqual(recorded);
    const isOpen = (each: (typeof user.perpPositions)[number]) => each.baseAssetAmount !== 0n || each.openOrders !== 0;
    expect(user.perpPositions.filter(isOpen)).toHaveLength(Number(openPerpPositionCount));
    expectUnchanged(driftUserLayout, bytes);
  });

  it.each(of('pyth:PriceUpdateV2'))('decodes price update %s as recorded', (_name, { bytes, essentials }) => {
    const { writeAuthority, verificationLevel, priceMessage, postedSlot } = priceUpdateV2Layout.decode(bytes);
    const { feedId, ...message } = priceMessage;
    const { publishTimeIso: _shown, pushOracleShard: _derived, ...recorded } = essentials;
    const isPartial = verificationLevel.__kind === 'Partial';
    const ours = {
      ...{ writeAuthority, ...message, postedSlot },
      verificationLevel: verificationLevel.__kind.toLowerCase(),
      numSignatures: isPartial ? verificationLevel.numSignatures : null,
      feedIdHex: Buffer.from(feedId).toString('hex'),
    };
    expect(spellLike(ours, recorded, variants)).toEqual(recorded);
    expectUnchanged(priceUpdateV2Layout, bytes);
  });

  it.each(of('sbpull'))('decodes pull feed %s as recorded', (_name, { bytes, essentials }) => {
    const feed = pullFeedLayout.decode(bytes);
    const { queue, authority, maxVariance, minResponses, minSampleSize, maxStaleness, lastUpdateTimestamp } = feed;
    const { submissionIdx: _notRecorded, ...result } = feed.result;
    const { submissionsUsed, ...recorded } = normalize(essentials) as Record<string, unknown>;
    const ours = {
      ...{ queue, authority, maxVariance, minResponses, minSampleSize, maxStaleness, lastUpdateTimestamp, result },
      name: feed.name,
      feedHashHex: Buffer.from(feed.feedHash).toString('hex'),
    };
    expect(spellLike(ours, recorded, variants)).toEqual(recorded);
    expect(feed.submissions.filter(({ slot }) => slot !== 0n)).toHaveLength(Number(submissionsUsed));
    expectUnchanged(pullFeedLayout, bytes);
  });

  it.each(of('stakepool'))('decodes stake pool %s as recorded', (_name, { bytes, essentials }) => {
    const pool = stakePoolLayout.decode(bytes);
    const { manager, validatorList, reserveStake, poolMint, tokenProgramId } = pool;
    const { totalLamports, poolTokenSupply, lastUpdateEpoch } = pool;
    const { accountType: _discriminator, lamportsPerPoolToken, ...recorded } = essentials;
    const ours = {
      ...{ manager, validatorList, reserveStake, poolMint, tokenProgramId },
      ...{ totalLamports, poolTokenSupply, lastUpdateEpoch },
    };
    expect(spellLike(ours, recorded, variants)).toEqual(recorded);
    expect(Number(totalLamports) / Number(poolTokenSupply)).toBe(lamportsPerPoolToken);
    expectUnchanged(stakePoolLayout as Codec<unknown>, bytes);
  });

  it.each(of('scope:OraclePrices'))('decodes price table %s as recorded', (_name, { bytes, essentials }) => {
    const { oracleMappings, prices } = scopePricesLayout.decode(bytes);
    const ours = prices.map(({ price: { value, exp }, lastUpdatedSlot, unixTimestamp }, index) => ({
      ...{ index, value: `${value}`, exp: `${exp}`, lastUpdatedSlot: `${lastUpdatedSlot}` },
      unixTimestamp: `${unixTimestamp}`,
    }));
    expect(oracleMappings).toBe(essentials.oracleMappings);
    expect(ours).toHaveLength(Number(essentials.entryCount));
    expect(ours.filter(({ value }) => value !== '0')).toHaveLength(Number(essentials.nonZeroCount));
    expect(ours).toEqual(expect.arrayContaining(essentials.prices as unknown[]));
    expectUnchanged(scopePricesLayout, bytes);
  });

  const tokens = of('token');
  it.each(tokens.filter(([, { decoder }]) => decoder.includes('unpackMint')))(
    'decodes mint %s as recorded',
    (_name, { bytes, essentials }) => {
      const { mintAuthority, freezeAuthority, supply, decimals, isInitialized } = mintLayout.decode(bytes);
      expect(essentials).toMatchObject({
        supply: supply.toString(),
        decimals,
        isInitialized,
        mintAuthority: mintAuthority.isSome ? mintAuthority.value : null,
        freezeAuthority: freezeAuthority.isSome ? freezeAuthority.value : null,
      });
      expectUnchanged(mintLayout, bytes);
    },
  );

  it.each(tokens.filter(([, { decoder }]) => decoder.includes('unpackAccount')))(
    'decodes token account %s as recorded',
    (_name, { bytes, essentials }) => {
      const { mint, owner, amount, isNative, state } = tokenAccountLayout.decode(bytes);
      expect(essentials).toMatchObject({
        mint,
        owner,
        amount: amount.toString(),
        isNative: isNative.isSome,
        rentExemptReserve: isNative.isSome ? isNative.value.toString() : null,
        isInitialized: state !== TOKEN_ACCOUNT_STATE.uninitialized,
        isFrozen: state === TOKEN_ACCOUNT_STATE.frozen,
      });
      expectUnchanged(tokenAccountLayout, bytes);
    },
  );

  it('finds both kinds of token dump', () => {
    expect(tokens.every(([, { decoder }]) => /unpack(Mint|Account)/.test(decoder))).toBe(true);
  });
});
