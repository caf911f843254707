import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marginfiInstructionName } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { readIdl } from './idl.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'idl');
const isPresent = existsSync(FOLDER);
const idls = isPresent ? readdirSync(FOLDER).filter((file) => /^marginfi@/.test(file)) : [];

describe.skipIf(!isPresent)('marginfiInstructionName against the published IDLs (FIXTURES_DIR)', () => {
  it.each(idls)('names every instruction of %s', (file) => {
    const { instructions = [] } = readIdl(resolve(FOLDER, file));
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
