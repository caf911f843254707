import { describe, expect, it } from 'vitest';
import { createLiteSvmEngine } from '#engine/litesvm-engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { addressOf, CONTEXT, legacyTransaction, sourceOf, wallet, wireOf } from '#engine/testing-transactions.ts';
import { tokenProgramOf } from './bank-addresses.ts';
import { ensureAssociatedAccount, tokenAccountOf } from './lending-instructions.ts';
import { associatedTokenAccount, mintAccount } from './token-accounts.ts';
import { DEMO_TOKENS, type DemoToken } from './tokens.ts';

const OWNER = addressOf(1);
const engines = [
  ['the model', createModelEngine()],
  ['LiteSVM', await createLiteSvmEngine()],
] as const;
const tokens: readonly DemoToken[] = [DEMO_TOKENS.USDC, DEMO_TOKENS.PYUSD, DEMO_TOKENS.LEVY];

describe.each(engines)('associatedTokenAccount beside %s', (_, engine) => {
  it.each(tokens.map((token) => [token.symbol, token] as const))(
    'has the bytes of an account of %s that was just created',
    (_symbol, token) => {
      const holding = { owner: OWNER, mint: token.mint, tokenProgram: tokenProgramOf(token) };
      const wire = wireOf(legacyTransaction(OWNER, [ensureAssociatedAccount(OWNER, holding)]));
      const before = sourceOf({ [OWNER]: wallet(10n ** 9n), [token.mint]: mintAccount(token) });
      const result = engine.execute(wire, before, CONTEXT, { verifySignatures: false });
      expect(result.error, result.logs.join('\n')).toBeNull();
      const made = result.writes.get(tokenAccountOf(OWNER, token));
      expect(made?.data).toEqual(associatedTokenAccount(token, OWNER, 0n).data);
      expect(made?.owner).toBe(associatedTokenAccount(token, OWNER, 0n).owner);
    },
  );
});
