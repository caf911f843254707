import {
  ASSOCIATED_TOKEN_PROGRAM,
  DFLOW_PROGRAM,
  findAssociatedTokenAccount,
  JUPITER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf } from '#compile/testing-instructions.ts';
import type { SwapRequest } from '../swap-finder.ts';
import type { SwapRefusal } from '../swap-reasons.ts';
import type { AggregatorName } from '../swap-route.ts';
import { type Call, DESTINATION, json, makeFinder, makeRequest, SOURCE, TAKER } from '../testing/made-aggregators.ts';
import {
  creation,
  type dflowInstructions,
  type dflowQuote,
  type jupiterBuild,
  type WireInstruction,
  wireAccount,
} from '../testing/wire-answers.ts';

type Build = ReturnType<typeof jupiterBuild>;
type Quote = ReturnType<typeof dflowQuote>;
type Instructions = ReturnType<typeof dflowInstructions>;

/** What a hostile aggregator changes of a good answer; an empty change leaves it. */
interface Tampering {
  readonly build?: (own: Build) => Partial<Build>;
  readonly quote?: (own: Quote) => Partial<Quote>;
  readonly instructions?: (own: Instructions) => Partial<Instructions>;
  readonly request?: Partial<SwapRequest>;
}

/** What the finder says of an aggregator that answers so: nothing of it was refused. */
async function reasonOf(name: AggregatorName, tampering: Tampering) {
  const { build, quote, instructions, request } = tampering;
  const { finder } = makeFinder({
    jupiter: null,
    dflow: null,
    [name]: {
      answer: ({ path }: Call, own: () => unknown) => {
        const change = path === '/quote' ? quote : path === '/swap-instructions' ? instructions : build;
        const body = own() as never;
        return json(change === undefined ? body : { ...(body as object), ...change(body) });
      },
    },
  });
  return finder.find(makeRequest(request)).then(
    () => null,
    (error: { context: { tried: readonly { reason: string }[] } }) => error.context.tried[0]?.reason ?? error,
  );
}

const STRANGER = addressOf(666);
const BRIDGE = addressOf(77);
const [OWN_BRIDGE] = await findAssociatedTokenAccount(TAKER, BRIDGE);
const [STRANGERS_BRIDGE] = await findAssociatedTokenAccount(STRANGER, BRIDGE);

const withAccounts = (
  { accounts, ...rest }: WireInstruction,
  change: (accounts: WireInstruction['accounts']) => WireInstruction['accounts'],
) => ({ ...rest, accounts: change(accounts) });
const replacing = (old: Address, by: Address) => (accounts: WireInstruction['accounts']) =>
  accounts.map((account) => (account.pubkey === old ? { ...account, pubkey: by } : account));
const adding = (account: WireInstruction['accounts'][number]) => (accounts: WireInstruction['accounts']) => [
  ...accounts,
  account,
];

/** Of both aggregators' instructions alike. */
const changing = (change: (accounts: WireInstruction['accounts']) => WireInstruction['accounts']): Tampering => ({
  build: ({ swapInstruction }) => ({ swapInstruction: withAccounts(swapInstruction, change) }),
  instructions: ({ swapInstruction }) => ({ swapInstruction: withAccounts(swapInstruction, change) }),
});
const preparing = (...setup: readonly WireInstruction[]): Tampering => ({
  build: (own) => ({ setupInstructions: [...own.setupInstructions, ...setup] }),
  instructions: (own) => ({ setupInstructions: [...own.setupInstructions, ...setup] }),
});
const quoting = (change: (own: Build | Quote) => object): Tampering => ({ build: change, quote: change });

const pays: WireInstruction = {
  programId: SYSTEM_PROGRAM,
  accounts: [wireAccount(TAKER, true, true), wireAccount(STRANGER, true)],
  data: 'AgAAAADh9QUAAAAA',
};

const HOSTILE: readonly [SwapRefusal, string, Tampering][] = [
  ['wrong_pair', 'another token is bought', quoting(() => ({ outputMint: STRANGER }))],
  ['wrong_pair', 'another token is sold', quoting(() => ({ inputMint: STRANGER }))],
  ['wrong_amount', 'more is given', quoting((own) => ({ inAmount: `${BigInt(own.inAmount) + 1n}` }))],
  ['wrong_slippage', 'another slippage is said', quoting(() => ({ slippageBps: 51 }))],
  [
    'wrong_slippage',
    'less is sure than the slippage allows',
    quoting((own) => ({ otherAmountThreshold: `${BigInt(own.otherAmountThreshold) - 2n}` })),
  ],
  [
    'wrong_slippage',
    'more is sure than is quoted',
    quoting((own) => ({ otherAmountThreshold: `${BigInt(own.outAmount) + 1n}` })),
  ],
  ['stale_quote', 'it looks at a chain of long ago', quoting(() => ({ contextSlot: 909 }))],
  ['oracle_deviation', 'the price is inflated', quoting((own) => scaled(own, 1_031n))],
  ['oracle_deviation', 'the price is a steal', quoting((own) => scaled(own, 969n))],
  ['price_impact', 'the size moves the price', quoting(() => ({ priceImpactPct: '0.0100001' }))],
  ['foreign_signer', 'somebody else signs', changing(adding(wireAccount(STRANGER, false, true)))],
  ['wrong_source', 'it pays from elsewhere', changing(replacing(SOURCE, STRANGER))],
  ['wrong_destination', 'the output goes elsewhere', changing(replacing(DESTINATION, STRANGER))],
  [
    'protected_account',
    'it writes another account of the plan',
    { ...changing(adding(wireAccount(STRANGER, true))), request: { protectedAccounts: new Set([STRANGER]) } },
  ],
  [
    'protected_account',
    'it names the lending account, if only to read',
    { ...changing(adding(wireAccount(STRANGER))), request: { lendingAccount: STRANGER } },
  ],
  [
    'protected_account',
    'it makes an account that the plan has a use for',
    { ...preparing(creation(TAKER, OWN_BRIDGE, BRIDGE)), request: { protectedAccounts: new Set([OWN_BRIDGE]) } },
  ],
  [
    'too_many_accounts',
    'it needs 70 accounts',
    changing((accounts) => [
      ...accounts,
      ...Array.from({ length: 60 }, (_, index) => wireAccount(addressOf(8_000 + index))),
    ]),
  ],
  [
    'unknown_program',
    'another program swaps',
    {
      build: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, programId: STRANGER } }),
      instructions: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, programId: STRANGER } }),
    },
  ],
  [
    'unknown_program',
    'the other aggregator’s program swaps',
    {
      build: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, programId: DFLOW_PROGRAM } }),
      instructions: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, programId: JUPITER_PROGRAM } }),
    },
  ],
  [
    'unexpected_instruction',
    'something goes along',
    { build: () => ({ otherInstructions: [pays] }), instructions: () => ({ otherInstructions: [pays] }) },
  ],
  ['unexpected_instruction', 'something is paid before', preparing(pays)],
  [
    'unexpected_instruction',
    'an account is made for a stranger',
    preparing(creation(STRANGER, STRANGERS_BRIDGE, BRIDGE)),
  ],
  [
    'unexpected_instruction',
    'somebody else pays for an account',
    preparing(
      withAccounts(creation(TAKER, OWN_BRIDGE, BRIDGE), ([, ...rest]) => [wireAccount(STRANGER, true, true), ...rest]),
    ),
  ],
  ['unexpected_instruction', 'an account is made elsewhere', preparing(creation(TAKER, STRANGERS_BRIDGE, BRIDGE))],
  [
    'unexpected_instruction',
    'tokens are taken out of a nested account',
    preparing({ ...creation(TAKER, OWN_BRIDGE, BRIDGE), data: 'Ag==' }),
  ],
  [
    'unexpected_instruction',
    'the program does something else',
    {
      build: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, data: 'AAAAAAAAAAAAAAAA' } }),
      instructions: ({ swapInstruction }) => ({ swapInstruction: { ...swapInstruction, data: 'AAAAAAAAAAAAAAAA' } }),
    },
  ],
];

function scaled(own: Build | Quote, permille: bigint) {
  const outAmount = (BigInt(own.outAmount) * permille) / 1_000n;
  return { outAmount: `${outAmount}`, otherAmountThreshold: `${(outAmount * 9_950n) / 10_000n}` };
}

describe.each(['jupiter', 'dflow'] as const)('what is refused of %s', (name) => {
  it.each(HOSTILE)('%s: %s', async (reason, _words, tampering) => {
    expect(await reasonOf(name, tampering)).toBe(reason);
  });

  it('takes the same answers where nothing was changed', async () => {
    expect(await reasonOf(name, {})).toBeNull();
  });

  it('takes as much impact, deviation and age as is allowed', async () => {
    const allowed = (own: Build | Quote) => ({ ...scaled(own, 971n), priceImpactPct: '0.01', contextSlot: 910 });
    expect(await reasonOf(name, { build: allowed, quote: allowed })).toBeNull();
  });

  it('refuses more than may be given, however good', async () => {
    expect(await reasonOf(name, { request: { maxInBase: 1_005_025n } })).toBe('below_needed');
    expect(await reasonOf(name, { request: { maxInBase: 1_005_026n } })).toBeNull();
  });
});

describe('what is refused of Jupiter’s instruction alone', () => {
  const editing = (at: number, bytes: readonly number[]): Tampering => ({
    build: ({ swapInstruction }) => {
      const data = Buffer.from(swapInstruction.data, 'base64');
      data.set(bytes, at);
      return { swapInstruction: { ...swapInstruction, data: data.toString('base64') } };
    },
  });

  it.each([
    ['wrong_amount', 'it gives another amount than was quoted', editing(8, [1])],
    ['wrong_slippage', 'it allows more slippage than was quoted', editing(24, [16, 39])],
    ['wrong_slippage', 'it allows less slippage than was quoted', editing(24, [49, 0])],
    ['wrong_slippage', 'it is bound to less output than was quoted', editing(16, [0, 0, 0, 1, 0, 0, 0, 0])],
    ['unasked_fee', 'it takes a fee', editing(26, [1])],
  ] as const)('%s: %s', async (reason, _words, tampering) => {
    expect(await reasonOf('jupiter', tampering)).toBe(reason);
  });

  it('wrong_destination: our account stands where it should, and another gets the output', async () => {
    const tampering = changing((accounts) => accounts.with(7, wireAccount(STRANGER, true)));
    expect(await reasonOf('jupiter', tampering)).toBe('wrong_destination');
  });

  it('wrong_pair: other mints than were quoted', async () => {
    const tampering = changing((accounts) => accounts.with(4, wireAccount(STRANGER)));
    expect(await reasonOf('jupiter', tampering)).toBe('wrong_pair');
  });

  it('unexpected_instruction: a tip that nobody asked for', async () => {
    expect(await reasonOf('jupiter', { build: () => ({ tipInstruction: pays }) })).toBe('unexpected_instruction');
  });
});

describe('what is kept of a route', () => {
  async function routeWith(tokenProgram: Address, data: string, { isUsed = true } = {}) {
    const [account] = await findAssociatedTokenAccount(TAKER, BRIDGE, tokenProgram);
    const sent = { ...creation(TAKER, account, BRIDGE, tokenProgram), data };
    const close: WireInstruction = { programId: TOKEN_PROGRAM, accounts: [wireAccount(SOURCE, true)], data: 'CQ==' };
    const { finder } = makeFinder({
      dflow: null,
      jupiter: {
        answer: (_call, own) => {
          const body = own() as Build;
          const { accounts } = body.swapInstruction;
          const swapInstruction = {
            ...body.swapInstruction,
            accounts: isUsed ? [...accounts, wireAccount(account, true)] : accounts,
          };
          const setupInstructions = [...body.setupInstructions, sent];
          return json({ ...body, swapInstruction, setupInstructions, cleanupInstruction: close });
        },
      },
    });
    return { ...(await finder.find(makeRequest())).route, account };
  }

  it.each([
    ['', TOKEN_PROGRAM],
    ['AA==', TOKEN_2022_PROGRAM],
    ['AQ==', TOKEN_PROGRAM],
  ])('an account of a mint on the way, made by our own instruction (%j)', async (data, tokenProgram) => {
    const { setup, swap, account } = await routeWith(tokenProgram as Address, data);
    expect(setup).toHaveLength(1);
    expect(setup[0]).toMatchObject({ programAddress: ASSOCIATED_TOKEN_PROGRAM, data: Uint8Array.of(1) });
    expect(setup[0]?.accounts?.map(({ address }) => address)).toEqual([
      TAKER,
      account,
      TAKER,
      BRIDGE,
      SYSTEM_PROGRAM,
      tokenProgram,
    ]);
    expect(swap).toHaveLength(1);
  });

  it('no account that the swap has no use for: its rent would be the wallet’s', async () => {
    const { setup } = await routeWith(TOKEN_PROGRAM, 'AQ==', { isUsed: false });
    expect(setup).toEqual([]);
  });

  it('nothing that the plan does itself: budgets, accounts of the pair, clean-up', async () => {
    const { finder } = makeFinder();
    const { setup, swap } = (await finder.find(makeRequest())).route;
    expect(setup).toEqual([]);
    expect(swap).toHaveLength(1);
  });
});
