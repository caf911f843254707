import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { findBankMetadata, findBankVault, findBankVaultAuthority, findFeeState } from './addresses.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const read = (path: string) => JSON.parse(readFileSync(resolve(FIXTURES, path), 'utf8'));

describe.skipIf(!existsSync(FIXTURES))('marginfi addresses (FIXTURES_DIR)', () => {
  it('finds the vaults of a real bank, and the bumps of their authorities', async () => {
    const bank = address(read('accounts/marginfi/bank-corvus-2026-04.json').address);
    const { decoded } = read('accounts/marginfi/bank-corvus-2026-04.expected.json');
    for (const vault of ['liquidity', 'insurance', 'fee'] as const) {
      expect(await findBankVault(vault, bank)).toEqual([decoded[`${vault}_vault`], decoded[`${vault}_vault_bump`]]);
      const [, bump] = await findBankVaultAuthority(vault, bank);
      expect(bump).toBe(decoded[`${vault}_vault_authority_bump`]);
    }
  });

  it('finds the metadata of every bank that has some', async () => {
    const known: { bankAddress: string; bankMetadataAddress: string }[] = read('mainnet/bank-metadata.json');
    expect(known.length).toBeGreaterThan(100);
    for (const { bankAddress, bankMetadataAddress } of known) {
      expect((await findBankMetadata(address(bankAddress)))[0]).toBe(bankMetadataAddress);
    }
  });

  it('finds the fee state', async () => {
    expect((await findFeeState())[0]).toBe(read('accounts/marginfi/feestate.json').address);
  });
});
