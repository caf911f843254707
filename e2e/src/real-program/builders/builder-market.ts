import type { AccountState } from '@lending/localnet';
import {
  bankLayout,
  mintLayout,
  NO_KEY,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
  type ValueOf,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { rentExempt } from '../chain.ts';
import { type BankName, bankNamed } from '../market.ts';
import { programState } from '../world.ts';

/** The bank of the test market that lends wrapped SOL here, and the one whose price comes from Switchboard. */
export const NATIVE_BANK: BankName = 'sol';
export const SWITCHBOARD_BANK: BankName = 'jto';
/** Two banks of one mint here: what is lent by one can be deposited in the other. */
export const TWIN_BANKS = ['usdc', 'tight'] as const satisfies readonly BankName[];

const SWITCHBOARD_PULL = 4;
/** Bridge `switchboard-interval`. */
const WIDEST_INTERVAL = 4_294_967_295;
const NONE = { isSome: false, value: NO_KEY } as const;

export function mintOf(bank: BankName): Address {
  if (bank === NATIVE_BANK) return WRAPPED_SOL_MINT;
  const [first, second] = TWIN_BANKS;
  return bankNamed(bank === second ? first : bank).mint;
}

/**
 * The test market as the program's own instructions set it up, with one bank moved to the real mint of wrapped SOL, one to the mint of
 * another bank, and one to Switchboard.
 */
export function builderMarket(
  accounts: ReadonlyMap<Address, AccountState>,
  unixTimestamp: bigint,
): Map<Address, AccountState> {
  const after = new Map(accounts);
  after.set(WRAPPED_SOL_MINT, nativeMint());
  for (const name of [NATIVE_BANK, ...TWIN_BANKS]) {
    changeBank(after, name, (bank) => ({ ...bank, mint: mintOf(name) }));
    const { vaults } = bankNamed(name);
    for (const { address, authority } of Object.values(vaults)) after.set(address, tokens(name, authority, 0n));
  }
  changeBank(after, SWITCHBOARD_BANK, (bank) => ({
    ...bank,
    config: { ...bank.config, oracleSetup: SWITCHBOARD_PULL, oracleMaxConfidence: WIDEST_INTERVAL },
  }));
  const { oracle, price } = bankNamed(SWITCHBOARD_BANK);
  after.set(oracle, pullFeed(price, { slot: 1n, unixTimestamp }));
  return after;
}

type Bank = ValueOf<typeof bankLayout>;

function changeBank(accounts: Map<Address, AccountState>, name: BankName, change: (bank: Bank) => Bank): void {
  const { address } = bankNamed(name);
  const state = accounts.get(address);
  if (state === undefined) throw new TypeError(`There is no bank ${name}`);
  const data = new Uint8Array(bankLayout.encode(change(bankLayout.decode(state.data))));
  accounts.set(address, { ...state, data });
}

/** A token account with so many base units; wrapped SOL has its rent beside them. @param delegate may spend all of it. */
export function tokens(bank: BankName, owner: Address, amount: bigint, delegate: Address | null = null): AccountState {
  const isNative = bank === NATIVE_BANK;
  const data = new Uint8Array(
    tokenAccountLayout.encode({
      mint: mintOf(bank),
      owner,
      amount,
      delegate: delegate === null ? NONE : { isSome: true, value: delegate },
      state: 1,
      isNative: { isSome: isNative, value: isNative ? rentExempt(TOKEN_ACCOUNT_SIZE) : 0n },
      delegatedAmount: delegate === null ? 0n : amount,
      closeAuthority: NONE,
    }),
  );
  const state = programState(TOKEN_PROGRAM, data);
  return isNative ? { ...state, lamports: state.lamports + amount } : state;
}

const TOKEN_ACCOUNT_SIZE = 165;

function nativeMint(): AccountState {
  const data = mintLayout.encode({
    mintAuthority: NONE,
    supply: 0n,
    decimals: 9,
    isInitialized: true,
    freezeAuthority: NONE,
  });
  return programState(TOKEN_PROGRAM, new Uint8Array(data));
}

/** A feed of Switchboard with one agreed result. @param price × 10^8. */
export function pullFeed(price: bigint, at: { readonly slot: bigint; readonly unixTimestamp: bigint }): AccountState {
  const value = price * 10n ** 10n;
  const data = pullFeedLayout.encode({
    submissions: Array.from({ length: 32 }, () => ({ oracle: NO_KEY, slot: 0n, landedAt: 0n, value: 0n })),
    authority: NO_KEY,
    queue: NO_KEY,
    feedHash: new Uint8Array(32),
    initializedAt: 0n,
    permissions: 0n,
    maxVariance: 10_000_000_000n,
    minResponses: 1,
    name: new Uint8Array(32),
    padding1: new Uint8Array(1),
    permitWriteByAuthority: 0,
    historicalResultIdx: 0,
    minSampleSize: 1,
    lastUpdateTimestamp: at.unixTimestamp,
    lutSlot: 0n,
    _reserved1: new Uint8Array(32),
    result: {
      value,
      stdDev: value / 100n,
      mean: value,
      range: 0n,
      minValue: value,
      maxValue: value,
      numSamples: 3,
      submissionIdx: 0,
      padding1: new Uint8Array(6),
      slot: at.slot,
      minSlot: at.slot,
      maxSlot: at.slot,
    },
    maxStaleness: 250,
    padding2: new Uint8Array(12),
    historicalResults: Array.from({ length: 32 }, () => ({ stdDev: 0, mean: 0, slot: 0n })),
    _ebuf4: new Uint8Array(8),
    _ebuf3: new Uint8Array(24),
    submissionTimestamps: Array.from({ length: 32 }, () => 0n),
  });
  return programState(SWITCHBOARD_ON_DEMAND_PROGRAM, new Uint8Array(data));
}
