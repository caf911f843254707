import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR, marginfiInstructionName, slotsOf } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { FIXTURES, hasFixtures } from '../config.ts';
import { INSTRUCTION_CLAIMS } from './claims.ts';
import { idlAt, versionOfIdl } from './idl.ts';

const IDLS = hasFixtures ? readdirSync(resolve(FIXTURES, 'idl')).filter((file) => /^marginfi@/.test(file)) : [];

describe.skipIf(!hasFixtures)('marginfiInstructionName against the published IDLs (FIXTURES_DIR)', () => {
  it.each(IDLS)('names every instruction of %s', (file) => {
    const { instructions = [] } = idlAt(file);
    const named = instructions.map((instruction) =>
      'discriminator' in instruction ? marginfiInstructionName(Uint8Array.from(instruction.discriminator)) : null,
    );
    expect(named).toEqual(instructions.map(({ name }) => name));
    expect(named.length).toBeGreaterThan(30);
  });

  it('has no name for what no version had', () => {
    expect(marginfiInstructionName(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toBeNull();
    expect(marginfiInstructionName(new Uint8Array())).toBeNull();
  });
});

describe('marginfiInstructionName of what 0.1.11 and 0.1.12 added, of which no IDL is at hand', () => {
  /** As program-versions.md lists them. */
  it.each([
    ['lending_pool_set_oracle_price', 'eaf4254165ffd9a0'],
    ['lending_pool_configure_bank_oracle_scope', '86e47f0375845592'],
    ['marginfi_account_place_rebalance_order', 'a1300bd6e584c095'],
    ['marginfi_account_update_rebalance_order', 'afe6fb7aa880cf8e'],
    ['marginfi_account_close_rebalance_order', 'daefc7dd5c9e863e'],
    ['marginfi_account_top_up_rebalance_fee_pool', '537b7dccc877f75b'],
    ['marginfi_account_withdraw_rebalance_fee_pool', '799df6f2f03ffe10'],
    ['marginfi_account_start_rebalance', 'fb7a5ba1db6205ec'],
    ['marginfi_account_end_rebalance', '2fe1a3d8d5d6e19b'],
    ['marginfi_account_settle_rebalance_tip', 'c60db97f076958b6'],
    ['marginfi_account_tag_liq_record', '0cbdd7efe77adc9e'],
    ['propagate_kamino_market_emergency', 'fcb6f6496c76668e'],
    ['lending_pool_collect_bank_premium_fees', 'c1a8a4b050bf21b4'],
    ['lending_pool_resize_bank_account', '2c6d22716e218ba0'],
    ['lending_pool_configure_bank_gov', '7a578d56b6229219'],
    ['marginfi_group_configure_gov', '03217a1fef212305'],
    ['marginfi_group_set_governance_admin', '573916559839174b'],
    ['lending_pool_configure_group_premium', 'b8c4f529cb4d4baa'],
    ['lending_pool_configure_bank_premium', 'd85286d90bf04e2a'],
    ['edit_fee_state_premium', '9f94556d5ed45de9'],
    ['monitor_archive_initialize', '059075ea24bc93d8'],
    ['monitor_archive_upsert_batch', 'cb27324a8d250ef8'],
  ])('names %s by %s', (name, discriminator) => {
    expect(marginfiInstructionName(Uint8Array.from(Buffer.from(discriminator, 'hex')))).toBe(name);
  });
});

/** What older versions called the accounts that activity is read from. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  marginfi_group: 'group',
  signer: 'authority',
  bank_liquidity_vault: 'liquidity_vault',
  reserve_liquidity_mint: 'mint',
};

/** Accounts that activity is read from: of these the places must be those of today's layouts. */
const READ = [
  'group',
  'marginfi_account',
  'old_marginfi_account',
  'new_marginfi_account',
  'liquidatee_marginfi_account',
  'liquidator_marginfi_account',
  'authority',
  'bank',
  'asset_bank',
  'liab_bank',
  'signer_token_account',
  'destination_token_account',
  'liquidity_vault',
  'mint',
  'liquidation_receiver',
];

const renamed = (name: string) => NEW_NAMES[name] ?? name;
const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (char) => `_${char.toLowerCase()}`);

describe.skipIf(!hasFixtures)('instructions of older versions (FIXTURES_DIR)', () => {
  it.each(IDLS.filter((file) => /@0\.1\.[0-7]\.json$/.test(file)))(
    '%s names the accounts that activity is read from where today’s layouts do',
    (file) => {
      const older = idlAt(file).instructions ?? [];
      const misplaced = INSTRUCTION_CLAIMS.flatMap(({ layout }) => {
        const accounts = older.find(({ name }) => name === layout.name)?.accounts ?? [];
        const places = (names: readonly string[]) =>
          READ.flatMap((name) => (names.includes(name) ? [`${name} ${names.indexOf(name)}`] : []));
        const theirs = places(accounts.map(({ name }) => renamed(name)));
        const ours = places(slotsOf(layout, versionOfIdl(file)).map(({ name }) => renamed(snakeCase(name))));
        return theirs.filter((place) => !ours.includes(place)).map((place) => `${layout.name}: ${place}`);
      });
      expect(misplaced).toEqual([]);
      expect(older.length).toBeGreaterThan(30);
    },
  );
});

/** Drift's IDL is of Anchor's older form, which names instructions in camel case and leaves the hash to the reader. */
const REFRESHES = [
  [
    'update_spot_market_cumulative_interest',
    'drift@2.162.0.json',
    'updateSpotMarketCumulativeInterest',
    DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR,
  ],
] as const;

describe.skipIf(!hasFixtures)('refresh instructions against the published IDLs (FIXTURES_DIR)', () => {
  it.each(REFRESHES)('%s is an instruction of %s, and begins as it does', (name, file, nameInIdl, discriminator) => {
    const names = idlAt(file).instructions?.map((each) => each.name);
    expect(names).toContain(nameInIdl);
    expect(discriminator).toEqual(
      Uint8Array.from(createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)),
    );
  });
});
