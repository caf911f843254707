import { randomFillSync } from 'node:crypto';
import { computeRequirement } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { type AccountBytes, decodeMarginfiAccount, toRiskBalances } from '@lending/venues';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
// @boundaries-ignore the official SDKs are installed apart, and only conformance reaches them
import { type JudgedBank, type JudgedMarket, judgeMarket } from '../../parity/src/sdk/judged-market.ts';
// @boundaries-ignore the official SDKs are installed apart, and only conformance reaches them
import { sdkMaintenance } from '../../parity/src/sdk/official-sdk.ts';
// @boundaries-ignore the official SDKs are installed apart, and only conformance reaches them
import { markets } from '../../parity/src/sdk/random-market.ts';
import { rounded, spreadOf } from './measure/statistics.ts';
import { figure, printResult } from './report/result.ts';

/** How long it takes to know the maintenance health of many accounts from their bytes, banks and prices being known. */
const ACCOUNTS = 100_000;
const ROUNDS = 20;
const PER_ROUND = ACCOUNTS / ROUNDS;
/** Of each round's accounts: the SDK is too slow for all of them. */
const SDK_PER_ROUND = 100;
const AUTHORITY_OFFSET = 40;

interface Piece {
  readonly account: AccountBytes;
  readonly market: JudgedMarket;
}

const templates: readonly Piece[] = fc
  .sample(markets, { numRuns: 24, seed: 20_261_121 })
  .map(judgeMarket)
  .flatMap((market) => market.accounts.map((account) => ({ account, market })));
const sdkBanks = new Map([...new Set(templates.map(({ market }) => market))].map((market) => [market, ofSdk(market)]));

// Compiled before anything is counted, in turns, so that a slow moment of the machine strikes both.
runOurs(makePieces(PER_ROUND));
runSdk(makePieces(SDK_PER_ROUND));
const rounds = Array.from({ length: ROUNDS }, () => {
  const pieces = makePieces(PER_ROUND);
  return { ours: runOurs(pieces), sdk: runSdk(pieces.slice(0, SDK_PER_ROUND)) };
});

const oursNs = rounds.map(({ ours }) => ours);
const totalSeconds = (oursNs.reduce((sum, each) => sum + each, 0) * PER_ROUND) / 1e9;
const balances = templates.map(({ account }) => decodeMarginfiAccount(account, MARGINFI_PROGRAM).balances.length);
printResult(
  'maintenance health from bytes',
  [
    figure({
      goal: null,
      what: 'maintenance health of an account, from its bytes, beside the official SDK',
      unit: 'ns',
      ours: spreadOf(oursNs),
      yardstick: spreadOf(rounds.map(({ sdk }) => sdk)),
      ratio: spreadOf(rounds.map(({ ours, sdk }) => sdk / ours)),
    }),
  ],
  {
    accounts: ACCOUNTS,
    balancesPerAccount: rounded(balances.reduce((sum, each) => sum + each, 0) / balances.length),
    seconds: rounded(totalSeconds),
    accountsPerSecond: Math.round(ACCOUNTS / totalSeconds),
    sdkSample: SDK_PER_ROUND * ROUNDS,
  },
);

/** Accounts of the templates with authorities nobody has seen, as a stream of strangers has. */
function makePieces(count: number): Piece[] {
  return Array.from({ length: count }, (_, index) => {
    const { account, market } = templates[index % templates.length] as Piece;
    const data = Uint8Array.from(account.data);
    randomFillSync(data, AUTHORITY_OFFSET, 32);
    return { account: { ...account, data }, market };
  });
}

function runOurs(pieces: readonly Piece[]): number {
  return nanosecondsEach(pieces, ({ account, market }) => {
    const decoded = decodeMarginfiAccount(account, MARGINFI_PROGRAM);
    const outcome = computeRequirement(
      toRiskBalances(decoded, market.banks as ReadonlyMap<Address, JudgedBank>, 0n),
      'maintenance',
    );
    if (outcome.kind !== 'valued') throw new Error(`refused: ${outcome.error}`);
  });
}

function runSdk(pieces: readonly Piece[]): number {
  return nanosecondsEach(pieces, ({ account, market }) => {
    const known = sdkBanks.get(market);
    if (known === undefined) throw new Error('the SDK does not know this market');
    sdkMaintenance(account, known.banks, known.prices);
  });
}

function ofSdk({ banks }: JudgedMarket) {
  return {
    banks: new Map([...banks].map(([address, { theirs }]) => [address, theirs])),
    prices: new Map([...banks].map(([address, { theirPrice }]) => [address, theirPrice])),
  };
}

function nanosecondsEach(pieces: readonly Piece[], work: (piece: Piece) => void): number {
  const start = process.hrtime.bigint();
  for (const piece of pieces) work(piece);
  return Number(process.hrtime.bigint() - start) / pieces.length;
}
