import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Block } from './block.ts';
import { ChainStore } from './chain-store.ts';
import { LedgerFiles } from './ledger-files.ts';

const MEBIBYTE = 1024 * 1024;

/** Says that every block takes so many bytes of the journal. */
class LongJournal extends LedgerFiles {
  readonly #bytesPerBlock: number;
  #bytes = 0;

  constructor(folder: string, bytesPerBlock: number) {
    super(folder, 'test', () => {});
    this.#bytesPerBlock = bytesPerBlock;
  }

  override appendJournal(): number {
    this.#bytes += this.#bytesPerBlock;
    return this.#bytes;
  }
}

const block = { slot: 1n, transactions: [] } as unknown as Block;
const snapshot = { cluster: 'test', blocks: [], accounts: [], transactionCount: 0n, epochStartTimestamp: 0n };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function blocksUntilSnapshot(bytesPerBlock: number): number {
  const store = new ChainStore(new LongJournal(folder, bytesPerBlock), 0n);
  let blocks = 0;
  while (!store.isSnapshotDue) {
    store.append(block, []);
    blocks += 1;
  }
  store.writeSnapshot(() => snapshot);
  expect(store.isSnapshotDue).toBe(false);
  return blocks;
}

describe('ChainStore', () => {
  it('wants a snapshot every thousand blocks', () => {
    expect(blocksUntilSnapshot(100)).toBe(1_000);
  });

  it('wants one sooner when blocks are so full that a start would read for long', () => {
    expect(blocksUntilSnapshot(MEBIBYTE)).toBe(128);
  });
});
