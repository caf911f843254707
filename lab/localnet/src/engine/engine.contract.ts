import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  generateKeyPair,
  getAddressEncoder,
  getAddressFromPublicKey,
  type Instruction,
  partiallySignTransaction,
  setTransactionMessageConfig,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ensureAssociatedAccount } from '#market/lending-instructions.ts';
import { mintAccount } from '#market/token-accounts.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import type { Engine } from './engine.ts';
import { COMPUTE_BUDGET_PROGRAM, LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from './runtime-addresses.ts';
import {
  addressOf,
  CONTEXT,
  legacyTransaction,
  messageV0,
  messageV1,
  sourceOf,
  transferOf,
  wallet,
  wireOf,
} from './testing-transactions.ts';

const SOL = 1_000_000_000n;
const ALICE = addressOf(1);
const BOB = addressOf(2);
const TABLE = addressOf(3);
const unverified = { verifySignatures: false };

/** What every engine does with a transaction, whatever runs the programs. */
export function describeEngine(name: string, engine: Engine): void {
  function execute(instructions: readonly Instruction[], accounts = { [ALICE]: wallet(SOL) }) {
    return engine.execute(wireOf(legacyTransaction(ALICE, instructions)), sourceOf(accounts), CONTEXT, unverified);
  }

  describe(name, () => {
    it('moves lamports, takes the fee and logs as the runtime does', () => {
      const result = execute([transferOf(ALICE, BOB, SOL / 2n)]);
      expect(result.error).toBeNull();
      expect(result.fee).toBe(5_000n);
      expect([...result.writes]).toEqual([
        [ALICE, wallet(SOL / 2n - 5_000n)],
        [BOB, wallet(SOL / 2n)],
      ]);
      expect(result.preBalances).toEqual([SOL, 0n, 1n]);
      expect(result.postBalances).toEqual([SOL / 2n - 5_000n, SOL / 2n, 1n]);
      expect(result.logs).toEqual([`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`]);
      expect(result.unitsConsumed).toBe(150n);
    });

    it('charges only the fee when an instruction fails', () => {
      const result = execute([transferOf(ALICE, BOB, SOL / 2n), transferOf(ALICE, BOB, SOL)]);
      expect(result.error).toEqual({ InstructionError: [1, { Custom: 1 }] });
      expect(result.isRecorded).toBe(true);
      expect([...result.writes]).toEqual([[ALICE, wallet(SOL - 5_000n)]]);
      expect(result.postBalances).toEqual([SOL - 5_000n, 0n, 1n]);
      expect(result.logs.slice(2)).toEqual([
        `Program ${SYSTEM_PROGRAM} invoke [1]`,
        `Transfer: insufficient lamports ${SOL / 2n - 5_000n}, need ${SOL}`,
        `Program ${SYSTEM_PROGRAM} failed: custom program error: 0x1`,
      ]);
    });

    it('adds the priority fee, rounded up', () => {
      const price = (microLamports: number): Instruction => ({
        programAddress: COMPUTE_BUDGET_PROGRAM,
        accounts: [],
        data: Uint8Array.of(3, microLamports, 0, 0, 0, 0, 0, 0, 0),
      });
      const limit = { programAddress: COMPUTE_BUDGET_PROGRAM, data: Uint8Array.of(2, 0x40, 0x0d, 0x03, 0) };
      expect(execute([limit, price(1), transferOf(ALICE, BOB, SOL / 2n)]).fee).toBe(5_001n);
      expect(execute([limit, price(10), transferOf(ALICE, BOB, SOL / 2n)]).fee).toBe(5_002n);
      expect(execute([price(1), price(1)]).error).toEqual({ DuplicateInstruction: 1 });
    });

    it.each([
      ['AccountNotFound', {}],
      ['InsufficientFundsForFee', { [ALICE]: wallet(4_999n) }],
      ['InvalidAccountForFee', { [ALICE]: { ...wallet(SOL), owner: addressOf(9) } }],
      [{ InsufficientFundsForRent: { account_index: 0 } }, { [ALICE]: wallet(895_000n) }],
    ])('refuses a payer with %j and leaves no trace', (error, accounts) => {
      const result = execute([transferOf(ALICE, BOB, 0n)], accounts as Record<string, ReturnType<typeof wallet>>);
      expect(result.error).toEqual(error);
      expect(result.isRecorded).toBe(false);
      expect(result.writes.size).toBe(0);
    });

    it('refuses to leave an account below the rent-exempt balance, and charges for the try', () => {
      const result = execute([transferOf(ALICE, BOB, 1n)]);
      expect(result.error).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
      expect(result.isRecorded).toBe(true);
      expect([...result.writes.keys()]).toEqual([ALICE]);
    });

    it('charges for a transaction that calls a program that does not exist', () => {
      const result = execute([{ programAddress: addressOf(8), data: new Uint8Array() }]);
      expect(result.error).toBe('ProgramAccountNotFound');
      expect(result.isRecorded).toBe(true);
    });

    it('resolves the accounts of a lookup table', () => {
      const data = new Uint8Array(56 + 32);
      data[0] = 1;
      data.fill(0xff, 4, 12);
      data.set(getAddressEncoder().encode(BOB), 56);
      const message = compressTransactionMessageUsingAddressLookupTables(
        appendTransactionMessageInstructions([transferOf(ALICE, BOB, SOL / 2n)], messageV0(ALICE)),
        { [TABLE]: [BOB] },
      );
      const wire = wireOf(compileTransaction(message));
      const table = { lamports: SOL, owner: LOOKUP_TABLE_PROGRAM, data, executable: false };
      const result = engine.execute(wire, sourceOf({ [ALICE]: wallet(SOL), [TABLE]: table }), CONTEXT, unverified);
      expect(result.error).toBeNull();
      expect(result.loadedAddresses).toEqual({ writable: [BOB], readonly: [] });
      expect(result.accountKeys).toEqual([ALICE, SYSTEM_PROGRAM, BOB]);
      const missing = engine.execute(wire, sourceOf({ [ALICE]: wallet(SOL) }), CONTEXT, unverified);
      expect(missing.error).toBe('AddressLookupTableNotFound');
    });

    it('gives a version 1 transaction only what its header asks for', () => {
      const message = appendTransactionMessageInstructions([transferOf(ALICE, BOB, SOL / 2n)], messageV1(ALICE));
      const accounts = sourceOf({ [ALICE]: wallet(SOL) });
      const run = (config: Parameters<typeof setTransactionMessageConfig>[0]) =>
        engine.execute(
          wireOf(compileTransaction(setTransactionMessageConfig(config, message))),
          accounts,
          CONTEXT,
          unverified,
        );
      expect(run({}).error).toBe('MaxLoadedAccountsDataSizeExceeded');
      expect(run({ loadedAccountsDataSizeLimit: 10_000 }).error).toEqual({
        InstructionError: [0, 'ComputationalBudgetExceeded'],
      });
      const paid = run({ loadedAccountsDataSizeLimit: 10_000, computeUnitLimit: 1_000, priorityFeeLamports: 77n });
      expect(paid.error).toBeNull();
      expect(paid.fee).toBe(5_077n);
    });

    it.each([
      [300, 'ProgramFailedToComplete', 'exceeded CUs meter at BPF instruction'],
      [6_000, 'ComputationalBudgetExceeded', 'Computational budget exceeded'],
    ])('stops a program in its own code or in the runtime’s, with %i units', (units, error, words) => {
      const limit = Uint8Array.of(2, units & 0xff, units >> 8, 0, 0);
      const { USDT } = DEMO_TOKENS;
      const holding = { owner: ALICE, mint: USDT.mint, tokenProgram: TOKEN_PROGRAM };
      const result = execute(
        [{ programAddress: COMPUTE_BUDGET_PROGRAM, data: limit }, ensureAssociatedAccount(ALICE, holding)],
        { [ALICE]: wallet(SOL), [USDT.mint]: mintAccount(USDT) },
      );
      expect(result.error).toEqual({ InstructionError: [1, error] });
      expect(result.unitsConsumed).toBe(BigInt(units));
      expect(result.logs.at(-1)).toBe(`Program ${ASSOCIATED_TOKEN_PROGRAM} failed: ${words}`);
      expect([...result.writes]).toEqual([[ALICE, wallet(SOL - 5_000n)]]);
    });

    it('verifies every signature when asked to', async () => {
      const keys = await generateKeyPair();
      const signer = await getAddressFromPublicKey(keys.publicKey);
      const unsigned = legacyTransaction(signer, [transferOf(signer, BOB, SOL / 2n)]);
      const signed = await partiallySignTransaction([keys], unsigned);
      const accounts = sourceOf({ [signer]: wallet(SOL) });
      const run = (wire: Uint8Array) => engine.execute(wire, accounts, CONTEXT, { verifySignatures: true });
      expect(run(wireOf(signed)).error).toBeNull();
      expect(run(wireOf(unsigned)).error).toBe('SignatureFailure');
      const forged = wireOf(signed);
      forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
      expect(run(forged)).toMatchObject({ error: 'SignatureFailure', isRecorded: false });
    });

    it('calls bytes that are no transaction unsanitary', () => {
      for (const wire of [new Uint8Array(), new Uint8Array(300), Uint8Array.of(1, 2, 3)]) {
        const result = engine.execute(wire, sourceOf({}), CONTEXT, unverified);
        expect(result).toMatchObject({ error: 'SanitizeFailure', isRecorded: false });
      }
    });

    it('does not let a transaction write to a sysvar or a program, whatever its header says', () => {
      const result = execute([transferOf(ALICE, COMPUTE_BUDGET_PROGRAM, SOL / 2n)]);
      expect(result.error).toEqual({ InstructionError: [0, 'ReadonlyLamportChange'] });
    });

    it('leaves the accounts it was given as they were', () => {
      const before = wallet(SOL);
      execute([transferOf(ALICE, BOB, SOL / 2n)], { [ALICE]: before });
      expect(before).toEqual(wallet(SOL));
    });

    it('asks for the signature an instruction needs', () => {
      const instruction = transferOf(BOB, ALICE, 1n);
      const accounts = [{ address: BOB, role: AccountRole.WRITABLE }, ...(instruction.accounts ?? []).slice(1)];
      const result = execute([{ ...instruction, accounts }], { [ALICE]: wallet(SOL), [BOB]: wallet(SOL) });
      expect(result.error).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] });
      expect(result.logs).toContain(`Transfer: \`from\` account ${BOB} must sign`);
    });
  });
}
