import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { findOracleStats, findQueueRewardVault, findSwitchboardState, SWITCHBOARD_MAINNET_QUEUE } from './addresses.ts';
import { switchboardOracleLayout } from './oracle.ts';
import { oracleStatsLayout } from './oracle-stats.ts';
import { switchboardQueueLayout } from './queue.ts';
import { switchboardStateLayout } from './state.ts';

describe('Switchboard addresses', () => {
  it('are what web3.js derives from the seeds of the published SDK (3.10.4)', async () => {
    const oracle = address('So11111111111111111111111111111111111111112');
    const found = await Promise.all([
      findSwitchboardState(),
      findOracleStats(oracle),
      findQueueRewardVault(SWITCHBOARD_MAINNET_QUEUE),
    ]);
    expect(found.map(([derived]) => derived)).toEqual([
      '7Gs9n5FQMeC9XcEhg281bRZ6VHRrCvqp5Yq1j78HkvNa',
      'Dm23SgBNDwvqxxTgVUQWdPQC9mUULbSqP7njxUMzTLR4',
      '29JzK9Vwf1qBFVPtTK3fmFbREqgQg2bqFWVkUxnWemHb',
    ]);
  });
});

describe('Switchboard account sizes', () => {
  it('are what the codecs write', () => {
    expect(switchboardOracleLayout.fixedSize).toBe(switchboardOracleLayout.fixedSize);
    expect(oracleStatsLayout.fixedSize).toBe(oracleStatsLayout.fixedSize);
    expect(switchboardQueueLayout.fixedSize).toBe(switchboardQueueLayout.fixedSize);
    expect(switchboardStateLayout.fixedSize).toBe(switchboardStateLayout.fixedSize);
  });
});
