import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FirstContact, firstContactSchema } from '@lending/runtime/first-contact-file.ts';
import type { Report } from '#report/report.ts';
import type { ComparedHealth } from './compare.ts';
import type { Answer } from './questions/question.ts';
import { newScan, type Scan } from './scan.ts';

/** What a run has found so far. One that was interrupted goes on from it; one that ended leaves none. */
interface ContactState {
  /** Program, slot of its deployment, genesis: what was found of another says nothing of this one. */
  readonly key: string;
  readonly answers: Record<string, Answer>;
  readonly scan: Scan;
  readonly healths: Record<string, ComparedHealth>;
}

export interface StateFile {
  readonly state: ContactState;
  /** Whether an earlier run left something that counts here. */
  readonly isResumed: boolean;
  /** Writes it down, at most every half second unless it must be now. */
  save(now?: boolean): Promise<void>;
  remove(): Promise<void>;
}

const NAME = 'first-contact-state.json';
const PAUSE_MS = 500;

/**
 * Opens the state that a run of the same program, deployment and chain left in a folder, or a new one.
 * @throws Error with one line where the folder cannot be written.
 */
export async function openState(folder: string, key: string, isFresh: boolean): Promise<StateFile> {
  const path = join(folder, NAME);
  const found = isFresh ? null : await readState(path);
  const isResumed = found?.key === key;
  const state = isResumed && found !== null ? found : { key, answers: {}, scan: newScan(), healths: {} };
  let savedMs = 0;
  return {
    state,
    isResumed,
    async save(now = false) {
      if (!now && performance.now() - savedMs < PAUSE_MS) return;
      savedMs = performance.now();
      // Whole or not at all: a run may be killed while it writes.
      await mkdir(folder, { recursive: true });
      await writeFile(`${path}.new`, JSON.stringify(state));
      await rename(`${path}.new`, path);
    },
    remove: () => rm(path, { force: true }),
  };
}

async function readState(path: string): Promise<ContactState | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ContactState;
  } catch {
    // None, or none that can be read: everything is found again.
    return null;
  }
}

/** What the service reads of a run; null where the slot of the program's deployment, for which alone it would count, is not known. */
export function resultOf({ at, verdict, exceptions, relaxed, cluster, contact }: Report): FirstContact | null {
  const { address, deploy_slot, version } = contact.program;
  if (deploy_slot === null) return null;
  return firstContactSchema.parse({
    ...{ format: 1, at, program: address, deploy_slot, version: version ?? 'unknown', genesis: cluster.genesis_hash },
    ...{ verdict, exceptions, relaxed },
  });
}
