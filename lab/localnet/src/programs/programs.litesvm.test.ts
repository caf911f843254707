import { existsSync, readFileSync } from 'node:fs';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  getAddressBytes,
  mintLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  transferFeeConfigLayout,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeU64 } from '#engine/bytes.ts';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { addressOf, CONTEXT, transferOf, wallet } from '#engine/testing-transactions.ts';
import { TwinEngines } from '#engine/twin-engines.ts';
import { associatedAccountOf, ensureAssociatedAccount } from '#market/lending-instructions.ts';
import { mintAccount } from '#market/token-accounts.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { EXTENSION, findExtension } from './token/extensions.ts';
import { ACCOUNT, amountOf, MINT, NATIVE_MINT, STATE } from './token/token-state.ts';

const FIXTURES_DIR = process.env.FIXTURES_DIR ?? `${import.meta.dirname}/../../../../../shared/fixtures`;
const DUMPED_MINT = `${FIXTURES_DIR}/accounts/spl-token/mint-pyusd-token2022-2025.json`;
/** Sequences of twenty transactions. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 20);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);
const SOL = 1_000_000_000n;

/** Pays, and may mint and freeze. */
const PAYER = addressOf(1);
const [ALICE, BOB, CAROL] = [addressOf(2), addressOf(3), addressOf(4)];
const SLOT = addressOf(5);
const THIEF = addressOf(6);
const NEW_FEE_EPOCH = CONTEXT.epoch + 2n;

/** Whose tokens are moved: one row per kind of mint that the market or a fixture has. */
interface Kind {
  readonly name: string;
  readonly program: Address;
  readonly mint: Address;
  readonly state: AccountState;
}

const KINDS: readonly Kind[] = [
  { name: 'wrapped SOL', program: TOKEN_PROGRAM, mint: NATIVE_MINT, state: mintAccount(DEMO_TOKENS.SOL) },
  kindOf('Token', DEMO_TOKENS.USDC.mint, mintAccount(DEMO_TOKENS.USDC)),
  kindOf('Token-2022', DEMO_TOKENS.PYUSD.mint, mintAccount(DEMO_TOKENS.PYUSD)),
  kindOf('Token-2022 with a fee', DEMO_TOKENS.LEVY.mint, withAnnouncedFee(mintAccount(DEMO_TOKENS.LEVY))),
  // With a fee of zero, a hook without a program, confidential extensions and metadata.
  ...(existsSync(DUMPED_MINT) ? [kindOf('a dumped mint', addressOf(10), readDump(DUMPED_MINT))] : []),
];

function kindOf(name: string, mint: Address, state: AccountState): Kind {
  const data = state.data.slice();
  data.set([1, 0, 0, 0, ...getAddressBytes(PAYER)], MINT.authority);
  writeU64(data, MINT.supply, 10n ** 12n);
  return { name, program: state.owner, mint, state: { ...state, data } };
}

/** 1 % until an epoch, 50 % from then on. */
function withAnnouncedFee(state: AccountState): AccountState {
  const data = state.data.slice();
  const start = findExtension(data, EXTENSION.transferFeeConfig)?.start ?? expect.fail();
  const config = transferFeeConfigLayout.decode(data, start);
  const newerTransferFee = { epoch: NEW_FEE_EPOCH, maximumFee: 1_000_000n, transferFeeBasisPoints: 5_000 };
  data.set(transferFeeConfigLayout.encode({ ...config, newerTransferFee }), start);
  return { ...state, data };
}

function readDump(path: string): AccountState {
  const { lamports, owner, data } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly lamports: number;
    readonly owner: Address;
    readonly data: readonly [string, string];
  };
  const bytes = new Uint8Array(Buffer.from(data[0], 'base64'));
  return { lamports: BigInt(lamports), owner, data: bytes, executable: false };
}

const tokensOf = (owner: Address, { mint, program }: Kind) =>
  associatedAccountOf({ owner, mint, tokenProgram: program });
const created = (owner: Address, { mint, program }: Kind) =>
  ensureAssociatedAccount(PAYER, { owner, mint, tokenProgram: program });

/** Account metas as `w` writable, `s` signer, `ws` both, `r` neither. */
type Meta = readonly [mode: keyof typeof ROLES, address: Address];
const ROLES = {
  r: AccountRole.READONLY,
  s: AccountRole.READONLY_SIGNER,
  w: AccountRole.WRITABLE,
  ws: AccountRole.WRITABLE_SIGNER,
} as const;

function instruction(
  programAddress: Address,
  metas: readonly Meta[],
  ...data: readonly (number | bigint)[]
): Instruction {
  return {
    programAddress,
    accounts: metas.map(([mode, address]) => ({ address, role: ROLES[mode] })),
    // A bigint is eight bytes.
    data: Uint8Array.from(data.flatMap((part) => (typeof part === 'number' ? [part] : u64(part)))),
  };
}

function u64(value: bigint): number[] {
  const bytes = new Uint8Array(8);
  writeU64(bytes, 0, value);
  return [...bytes];
}

/** What is sent on the local chain, one row per instruction: to add one to the model, add it here. */
const SENT: Readonly<Record<string, (kind: Kind, amount: bigint) => readonly Instruction[]>> = {
  transfer: (kind, amount) => [
    instruction(
      kind.program,
      [
        ['w', tokensOf(ALICE, kind)],
        ['w', tokensOf(BOB, kind)],
        ['s', ALICE],
      ],
      3,
      amount,
    ),
  ],
  transferChecked: (kind, amount) => [
    instruction(
      kind.program,
      [
        ['w', tokensOf(ALICE, kind)],
        ['r', kind.mint],
        ['w', tokensOf(BOB, kind)],
        ['s', ALICE],
      ],
      ...[12, amount, decimalsOf(kind)],
    ),
  ],
  approve: (kind, amount) => [
    instruction(
      kind.program,
      [
        ['w', tokensOf(ALICE, kind)],
        ['r', THIEF],
        ['s', ALICE],
      ],
      4,
      amount,
    ),
  ],
  mintTo: (kind, amount) => [
    instruction(
      kind.program,
      [
        ['w', kind.mint],
        ['w', tokensOf(ALICE, kind)],
        ['s', PAYER],
      ],
      7,
      amount,
    ),
  ],
  burn: (kind, amount) => [
    instruction(
      kind.program,
      [
        ['w', tokensOf(ALICE, kind)],
        ['w', kind.mint],
        ['s', ALICE],
      ],
      8,
      amount,
    ),
  ],
  closeAccount: (kind) => [
    instruction(
      kind.program,
      [
        ['w', tokensOf(CAROL, kind)],
        ['w', BOB],
        ['s', CAROL],
      ],
      9,
    ),
  ],
  syncNative: (kind, amount) => [
    transferOf(ALICE, tokensOf(ALICE, kind), amount),
    instruction(kind.program, [['w', tokensOf(ALICE, kind)]], 17),
  ],
  createIdempotent: (kind, amount) => [created([ALICE, CAROL, SLOT][Number(amount % 3n)] ?? ALICE, kind)],
  create: (kind) => [{ ...created(CAROL, kind), data: new Uint8Array() }],
  createWhereLamportsLie: (kind, amount) => [
    transferOf(ALICE, tokensOf(CAROL, kind), 890_880n + amount),
    created(CAROL, kind),
  ],
  transferLamports: (_, amount) => [transferOf(ALICE, BOB, amount)],
  createAccount: (kind, amount) => [
    instruction(
      SYSTEM_PROGRAM,
      [
        ['ws', ALICE],
        ['ws', SLOT],
      ],
      ...[0, 0, 0, 0, 2_039_280n + amount, BigInt(ACCOUNT.size), ...getAddressBytes(kind.program)],
    ),
  ],
};

function decimalsOf({ state }: Kind): number {
  return mintLayout.decode(state.data).decimals;
}

const engines = await TwinEngines.create();
for (const address of [PAYER, ALICE, BOB, CAROL]) engines.place(address, wallet(1_000n * SOL));
for (const { mint, state } of KINDS) engines.place(mint, state);
for (const kind of KINDS) {
  for (const owner of [ALICE, BOB]) expect(agree(created(owner, kind))).toBeNull();
  const first = kind.mint === NATIVE_MINT ? 'syncNative' : 'mintTo';
  expect(agree(...(SENT[first]?.(kind, SOL) ?? []))).toBeNull();
}
const start = engines.snapshot();
beforeEach(() => engines.reset(start));

/** Runs on both, and fails unless they agree; the agreed error is the answer. */
function agree(...instructions: readonly Instruction[]): unknown {
  const { model, litesvm, result } = engines.run(PAYER, instructions);
  expect(model, result.logs.join('\n')).toEqual(litesvm);
  return litesvm.error;
}

/** Where one account of an instruction is wrong: it does not sign, may not be written, or another one stands in its place. */
interface Fault {
  readonly position: number;
  readonly kind: number;
}

const FAULTS = 2;
const MINTS = KINDS.map(({ mint }) => mint);
/** What may stand in another's place. Mints stand for mints alone: Token-2022 can close and burn from one, which is not sent. */
const OTHERS = [
  BOB,
  CAROL,
  SLOT,
  ...KINDS.flatMap((kind) => [ALICE, BOB, CAROL].map((owner) => tokensOf(owner, kind))),
];

/** The last instruction with a fault; undefined where the fault changes nothing. */
function spoil(sent: readonly Instruction[], { position, kind }: Fault): readonly Instruction[] | undefined {
  const last = sent.at(-1);
  const meta = last?.accounts?.[position];
  if (last === undefined || meta === undefined) return undefined;
  const others = MINTS.includes(meta.address) ? MINTS : OTHERS;
  const roles = [meta.role & ~AccountRole.READONLY_SIGNER, meta.role & ~AccountRole.WRITABLE];
  const { address = meta.address, role = meta.role } =
    kind < FAULTS ? { role: roles[kind] } : { address: others[kind - FAULTS] };
  if (address === meta.address && role === meta.role) return undefined;
  const accounts = last.accounts?.map((one, index) => (index === position ? { address, role } : one));
  return [...sent.slice(0, -1), { ...last, accounts: accounts ?? [] }];
}

/** What a random transaction does to the state that it meets. */
const randomStep = fc.record({
  name: fc.constantFrom(...Object.keys(SENT)),
  row: fc.nat({ max: KINDS.length - 1 }),
  amount: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2_000_000n), fc.bigInt(0n, 2n * SOL)),
  fault: fc.option(fc.record({ position: fc.nat({ max: 6 }), kind: fc.nat({ max: FAULTS + OTHERS.length }) })),
  epochs: fc.constantFrom(0n, 0n, 0n, 1n),
});

describe('the model engine beside LiteSVM', () => {
  it.each(KINDS)('gives the same bytes for what is sent, and the same errors for each fault in it: $name', (kind) => {
    const seen = new Set<string>();
    for (const build of Object.values(SENT)) {
      const sent = build(kind, 1_000n);
      const positions = sent.at(-1)?.accounts?.length ?? 0;
      for (let fault = 0; fault < positions * (FAULTS + OTHERS.length); fault += 1) {
        const spoilt = spoil(sent, { position: fault % positions, kind: Math.floor(fault / positions) });
        if (spoilt === undefined) continue;
        engines.reset(start);
        seen.add(JSON.stringify(agree(...spoilt)));
      }
      engines.reset(start);
      agree(...sent);
    }
    expect(seen.size).toBeGreaterThan(12);
  });

  it('stays the same through random transactions', () => {
    fc.assert(
      fc.property(fc.array(randomStep, { minLength: 20, maxLength: 20 }), (steps) => {
        engines.reset(start);
        for (const { name, row, amount, fault, epochs } of steps) {
          engines.epoch += epochs;
          const sent = SENT[name]?.(KINDS[row] ?? expect.fail(), amount) ?? [];
          agree(...((fault === null ? undefined : spoil(sent, fault)) ?? sent));
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it.skipIf(!existsSync(DUMPED_MINT))('has a mint dumped from mainnet among its tokens (needs FIXTURES_DIR)', () => {
    expect(KINDS.map(({ name }) => name)).toContain('a dumped mint');
  });

  it('starts an announced fee in its epoch, not before', () => {
    const kind = KINDS.find(({ mint }) => mint === DEMO_TOKENS.LEVY.mint) ?? expect.fail();
    const arrived = (epoch: bigint) => {
      engines.reset(start);
      engines.epoch = epoch;
      const before = amountOf(dataOf(tokensOf(BOB, kind)));
      expect(agree(...(SENT.transferChecked?.(kind, 10_001n) ?? []))).toBeNull();
      return amountOf(dataOf(tokensOf(BOB, kind))) - before;
    };
    expect([NEW_FEE_EPOCH - 1n, NEW_FEE_EPOCH].map(arrived)).toEqual([10_001n - 101n, 10_001n - 5_001n]);
  });

  /** Changes some bytes of a token account, on both sides. */
  function edit(address: Address, offset: number, bytes: readonly number[] | Uint8Array): void {
    const data = dataOf(address).slice();
    data.set(bytes, offset);
    engines.place(address, { ...(engines.account(address) ?? expect.fail()), data });
  }

  it.each(KINDS)('moves no tokens of a frozen account: $name', (kind) => {
    for (const [owner, names] of [
      [ALICE, ['transferChecked', 'mintTo', 'burn']],
      [BOB, ['transferChecked']],
    ] as const) {
      engines.reset(start);
      edit(tokensOf(owner, kind), ACCOUNT.state, [STATE.frozen]);
      for (const name of names) {
        expect(agree(...(SENT[name]?.(kind, 1n) ?? []))).toEqual({ InstructionError: [0, { Custom: 17 }] });
      }
    }
  });

  it.each(KINDS)('does not take an associated account for its wallet’s that has another owner: $name', (kind) => {
    edit(tokensOf(ALICE, kind), ACCOUNT.owner, getAddressBytes(BOB));
    expect(agree(created(ALICE, kind))).toEqual({ InstructionError: [0, { Custom: 0 }] });
  });
});

describe('what the model has not', () => {
  const run = (...sent: readonly Instruction[]) => engines.run(PAYER, sent).result;

  it.each([
    ['change of an authority', instruction(TOKEN_PROGRAM, [], 6, 2, 0), 'Instruction 6 of a token program'],
    ['change of a fee', instruction(TOKEN_2022_PROGRAM, [], 26, 5), 'Instruction 26 of a token program'],
    ['nested account', instruction(ASSOCIATED_TOKEN_PROGRAM, [], 2), 'Instruction 2 of the associated token program'],
    ['nonce', instruction(SYSTEM_PROGRAM, [], 4, 0, 0, 0), 'Instruction 4 of the System program'],
  ])('is refused by name: %s', (_, sent, words) => {
    const { error, logs } = run(sent);
    expect(error).toEqual({ InstructionError: [0, 'UnsupportedProgramId'] });
    expect(logs.join('\n')).toContain(`${words} is not part of this local chain`);
  });

  it('is refused by name: an extension that would change a transfer', () => {
    const kind = KINDS.find(({ mint }) => mint === DEMO_TOKENS.PYUSD.mint) ?? expect.fail();
    const paused = Uint8Array.of(
      ...kind.state.data,
      ...new Uint8Array(165 - MINT.size),
      1,
      26,
      0,
      33,
      0,
      ...new Uint8Array(33),
    );
    engines.place(kind.mint, { ...kind.state, data: paused });
    const { error, logs } = run(...(SENT.transferChecked?.(kind, 1n) ?? []));
    expect(error).toEqual({ InstructionError: [0, 'UnsupportedProgramId'] });
    expect(logs).toContain('Program log: Extension 26 of a Token-2022 mint is not part of this local chain');
  });
});

function dataOf(address: Address): Uint8Array {
  return engines.account(address)?.data ?? new Uint8Array();
}
