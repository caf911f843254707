import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { readIdl } from './idl.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');

/** Drift's IDL is of Anchor's older form, which names instructions in camel case and leaves the hash to the reader. */
const REFRESHES = [
  [
    'update_spot_market_cumulative_interest',
    'drift@2.162.0.json',
    'updateSpotMarketCumulativeInterest',
    DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR,
  ],
] as const;

describe.skipIf(!existsSync(FIXTURES))('refresh instructions against the published IDLs (FIXTURES_DIR)', () => {
  it.each(REFRESHES)('%s is an instruction of %s, and begins as it does', (name, file, nameInIdl, discriminator) => {
    const names = readIdl(resolve(FIXTURES, 'idl', file)).instructions?.map((each) => each.name);
    expect(names).toContain(nameInIdl);
    expect(discriminator).toEqual(
      Uint8Array.from(createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)),
    );
  });
});
