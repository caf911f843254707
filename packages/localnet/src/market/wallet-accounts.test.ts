import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { expectDone } from '#programs/marginfi/testing/expect-outcome.ts';
import { MarketChain } from '#programs/marginfi/testing/market-chain.ts';
import * as act from './lending-instructions.ts';
import { fundWallet } from './wallet-accounts.ts';

const opened = await MarketChain.open();
const STRANGER = address('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi');

/** The chain as `fundWallet` wants it. */
function ledgerOf({ accounts }: MarketChain): Parameters<typeof fundWallet>[0] {
  return {
    account: (one) => accounts.get(one),
    writeAccounts: (writes) => {
      for (const [one, state] of writes) accounts.set(one, state);
    },
  };
}

describe('fundWallet', () => {
  it('gives a stranger lamports and tokens of every program, which he can move', async () => {
    const chain = opened.fork();
    const tokens = { SOL: 5_000n, USDC: 7_000n, PYUSD: 8_000n, LEVY: 9_000n } as const;
    await fundWallet(ledgerOf(chain), STRANGER, { lamports: 10n ** 9n, tokens });
    expect(chain.accounts.get(STRANGER)?.lamports).toBe(10n ** 9n);
    for (const [name, amount] of Object.entries(tokens))
      expect(await chain.tokens(STRANGER, name as keyof typeof tokens)).toBe(amount);
    const owner = { wallet: STRANGER, account: act.tokenAccountOf(STRANGER, act.tokenOf(chain.bank('ORCA'))) };
    expectDone(chain.send(STRANGER, act.initializeAccount(owner)));
    for (const ticker of ['USDC', 'PYUSD', 'LEVY'])
      expectDone(chain.send(STRANGER, act.deposit(owner, chain.bank(ticker), 1_000n)));
  });

  it('leaves what it is not told of', async () => {
    const chain = opened.fork();
    const ledger = ledgerOf(chain);
    await fundWallet(ledger, STRANGER, { lamports: 10n ** 9n, tokens: { USDC: 7_000n } });
    await fundWallet(ledger, STRANGER, { tokens: { USDT: 1n } });
    await fundWallet(ledger, STRANGER, { lamports: 3n });
    expect(chain.accounts.get(STRANGER)?.lamports).toBe(3n);
    expect(await chain.tokens(STRANGER, 'USDC')).toBe(7_000n);
    expect(await chain.tokens(STRANGER, 'USDT')).toBe(1n);
  });
});
