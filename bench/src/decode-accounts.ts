import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BorshAccountsCoder, type Idl } from '@coral-xyz/anchor';
import { getBankDecoder, getMarginfiAccountDecoder } from '@lending/programs';
import type { Decoder } from '@solana/kit';
import { compare } from './measure/compare.ts';
import { fixturesFolder } from './measure/config.ts';
import { accountWithBalances } from './measure/made-accounts.ts';

/** Design §6: as many times as fast as Anchor's coder on the same bytes. */
const GOAL = 20;
/** More than the decoder remembers addresses of, so that every authority is spelled anew. */
const STRANGERS = 40_000;

const coder = new BorshAccountsCoder(readIdl('marginfi@0.1.8.json'));
const bank = readDump('marginfi/bank-corvus-2026-04.json');
const account = readDump('marginfi-localnet/account-gappy-three.json');

for (const [bench, kind, decoder, samples] of [
  ['decode bank', 'Bank', getBankDecoder(), [bank]],
  ['decode account, 1 balance', 'MarginfiAccount', getMarginfiAccountDecoder(), [accountWithBalances(account, 1, 0)]],
  ['decode account, 5 balances', 'MarginfiAccount', getMarginfiAccountDecoder(), [accountWithBalances(account, 5, 0)]],
  [
    'decode account, 16 balances',
    'MarginfiAccount',
    getMarginfiAccountDecoder(),
    [accountWithBalances(account, 16, 0)],
  ],
  [
    'decode account, 5 balances, authority never seen',
    'MarginfiAccount',
    getMarginfiAccountDecoder(),
    Array.from({ length: STRANGERS }, (_, seed) => accountWithBalances(account, 5, seed)),
  ],
] as const) {
  const ours = decodeEach(samples, (sample) => (decoder as Decoder<unknown>).decode(sample));
  const anchors = decodeEach(samples, (sample) => coder.decode(kind, sample));
  console.log(JSON.stringify(compare(bench, ours, anchors, GOAL)));
}

/** A hundred of the samples in a call, beginning where the last call stopped. */
function decodeEach(samples: readonly Buffer[] | readonly Uint8Array[], decode: (sample: Buffer) => unknown) {
  const buffers = samples.map((sample) => Buffer.from(sample));
  let next = 0;
  const run = () => {
    for (let count = 0; count < 100; count += 1) {
      decode(buffers[next] as Buffer);
      next = next + 1 === buffers.length ? 0 : next + 1;
    }
  };
  return { run, perRun: 100 };
}

function readIdl(file: string): Idl {
  return JSON.parse(readFileSync(resolve(fixturesFolder(), 'idl', file), 'utf8')) as Idl;
}

function readDump(file: string): Buffer {
  const { data } = JSON.parse(readFileSync(resolve(fixturesFolder(), 'accounts', file), 'utf8'));
  return Buffer.from(data[0], 'base64');
}
