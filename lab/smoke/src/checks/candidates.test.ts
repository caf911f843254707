import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { newScan } from '#first-contact/scan.ts';
import { candidates } from './candidates.ts';
import { type Account, noFindings, type Token, type World } from './check.ts';

const BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const SOL: Token = {
  mint: 'So11111111111111111111111111111111111111112',
  symbol: 'SOL',
  amount_ui: 5,
  amount_raw: '5000000000',
  value_usd: 500,
  is_native_sol: true,
  banks: [{ bank: BANK, venue: 'P0' }],
};
const position = (side: 'lend' | 'borrow') => ({ bank: BANK, mint: SOL.mint, side, amount_ui: 1, amount_usd: 100 });
const LENDER: Account = { address: 'account', positions: [position('lend')], max_borrow: [] };
const BORROWER: Account = {
  address: 'account',
  positions: [position('lend'), position('borrow')],
  max_borrow: [{ bank: 'another', amount_ui: 1 }],
};

/** A chain on which so many used a bank last, and a service that tells of each what it is told here. */
function worldOf(count: number, accountOf: (nth: number) => Account): World {
  const signers = Array.from({ length: count }, (_, nth) => `signer-${nth}`);
  const node = {
    async ask(method: string, [what]: readonly unknown[]) {
      if (method === 'getSignaturesForAddress') return signers.map((signature) => ({ signature, err: null }));
      return { transaction: { message: { accountKeys: [what] } } };
    },
  };
  const service = {
    async askWhole(operation: string, { path }: { path: { address: string } }) {
      const account = accountOf(Number(path.address.split('-')[1]));
      return operation === 'svc_get_wallet'
        ? { tokens: [SOL] }
        : { coverage: { complete: true, reason: null }, accounts: [account] };
    },
  };
  const bank = { address: BANK, venue: 'P0', mint: SOL.mint, decimals: 9 };
  const strategy = { supply: { bank: BANK, mint: SOL.mint }, borrow: { bank: 'another', mint: 'x' }, max_leverage: 3 };
  const findings = {
    ...noFindings(newScan()),
    banks: [bank, { ...bank, address: 'another', venue: 'Kamino' }],
    strategies: [strategy],
  };
  const settings = { program: MARGINFI_PROGRAM };
  return { arguments: { wallets: [] }, settings, node, service, findings } as unknown as World;
}

describe('candidates', () => {
  it('are a dozen where each builder has somebody among them', async () => {
    const world = worldOf(30, () => BORROWER);
    await candidates.run(world);
    expect(world.findings.candidates).toHaveLength(12);
  });

  it('are looked for further where nobody of a dozen owes anything', async () => {
    const world = worldOf(30, (nth) => (nth === 20 ? BORROWER : LENDER));
    await candidates.run(world);
    expect(world.findings.candidates.map(({ authority }) => authority).at(-1)).toBe('signer-20');
  });

  it('are forty at the most', async () => {
    const world = worldOf(60, () => LENDER);
    await candidates.run(world);
    expect(world.findings.candidates).toHaveLength(40);
  });
});
