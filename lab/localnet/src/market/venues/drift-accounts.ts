import {
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  type DriftSpotMarket,
  driftSpotMarketLayout,
  driftStateLayout,
  driftUserLayout,
  findBankVaultAuthority,
  findDriftInsuranceVault,
  findDriftSpotMarket,
  findDriftSpotMarketVault,
  findDriftUser,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { DemoBank } from '../demo-bank.ts';
import { tokenAccount } from '../token-accounts.ts';
import { DEMO_TOKENS } from '../tokens.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { DRIFT_RESERVE_ROWS, type DriftReserveRow } from './drift-reserves.ts';
import { emptyOf, ownedBy } from './venue-account.ts';

/** When Drift stopped after its exploit: 2026-04-01 00:00 UTC. */
const STOPPED_AT = 1_775_001_600n;
const WEEK = 7n * 86_400n;
/** About as many as the exchange's interface last listed. */
const SPOT_MARKETS = 63;
/** Deposits and withdrawals are paused. Ours: no state of after the exploit was seen. */
const PAUSED = 3;
const DRIFT_ASSET_TAG = 4;
/** The quote market, which a user's first position is kept for. */
const QUOTE_MARKET = 0;

type Placed = readonly [Address, AccountState];

/**
 * Drift as it stands since April 2026: books that promise deposits, interest that no longer accrues, vaults that are nearly empty.
 * On a chain that begins before that it stopped a week ago.
 */
export async function createDriftAccounts(
  at: { readonly unixTimestamp: bigint; readonly slot: bigint },
  venueBanks: readonly DemoBank[] = VENUE_BANKS,
): Promise<readonly Placed[]> {
  const aWeekAgo = at.unixTimestamp - WEEK;
  const stoppedAt = aWeekAgo < STOPPED_AT ? aWeekAgo : STOPPED_AT;
  const banks = venueBanks.filter(({ assetTag }) => assetTag === DRIFT_ASSET_TAG);
  const parts = await Promise.all([
    ...DRIFT_RESERVE_ROWS.map((row) => marketAccounts(row, stoppedAt)),
    ...banks.map(async (bank) => [await userAccount(bank)]),
  ]);
  return [[DRIFT_STATE, stateAccount()], ...parts.flat()];
}

function stateAccount(): AccountState {
  const state = emptyOf(driftStateLayout);
  return ownedBy(
    DRIFT_PROGRAM,
    driftStateLayout.encode({
      ...state,
      signer: DRIFT_SIGNER,
      numberOfSpotMarkets: SPOT_MARKETS,
      exchangeStatus: PAUSED,
    }),
  );
}

async function marketAccounts(row: DriftReserveRow, stoppedAt: bigint): Promise<Placed[]> {
  const [[pubkey], [vault], [insuranceVault]] = await Promise.all([
    findDriftSpotMarket(row.marketIndex),
    findDriftSpotMarketVault(row.marketIndex),
    findDriftInsuranceVault(row.marketIndex),
  ]);
  const token = DEMO_TOKENS[row.token];
  const empty = emptyOf(driftSpotMarketLayout);
  const { insuranceFactor, lastOraclePrice, vaultBase, token: _shown, oracle, ...fields } = row;
  const market: DriftSpotMarket = {
    ...empty,
    ...fields,
    ...{ pubkey, vault, mint: token.mint, decimals: token.decimals, oracle: address(oracle) },
    name: Buffer.from(token.symbol.padEnd(32)),
    historicalOracleData: {
      ...empty.historicalOracleData,
      ...{ lastOraclePrice, lastOraclePriceTwap: lastOraclePrice, lastOraclePriceTwap5min: lastOraclePrice },
      lastOraclePriceTwapTs: stoppedAt,
    },
    insuranceFund: { ...empty.insuranceFund, vault: insuranceVault, totalFactor: insuranceFactor },
    ...{ lastInterestTs: stoppedAt, lastTwapTs: stoppedAt },
    tokenProgramFlag: token.tokenProgram === 'token_2022' ? 1 : 0,
  };
  return [
    [pubkey, ownedBy(DRIFT_PROGRAM, driftSpotMarketLayout.encode(market))],
    [vault, tokenAccount(token, DRIFT_SIGNER, vaultBase)],
    [insuranceVault, tokenAccount(token, DRIFT_SIGNER, 0n)],
  ];
}

/** What a P0 bank has on Drift: its shares are the scaled balance. */
async function userAccount(bank: DemoBank): Promise<Placed> {
  const row = DRIFT_RESERVE_ROWS.find(({ token }) => token === bank.token);
  if (row === undefined) throw new TypeError(`No Drift market stands behind the demo bank ${bank.address}`);
  const [authority] = await findBankVaultAuthority('liquidity', bank.address);
  const [user] = await findDriftUser(authority);
  const empty = emptyOf(driftUserLayout);
  const scaledBalance = BigInt(bank.shares.assets);
  const slot = row.marketIndex === QUOTE_MARKET ? 0 : 1;
  const spotPositions = empty.spotPositions.map((position, index) =>
    index === slot && scaledBalance > 0n ? { ...position, scaledBalance, marketIndex: row.marketIndex } : position,
  );
  return [user, ownedBy(DRIFT_PROGRAM, driftUserLayout.encode({ ...empty, authority, spotPositions }))];
}
