import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { descendantsOf, killTree } from './processes.ts';

const CHECK_EVERY_MS = 5_000;

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder with a note for each process that runs a test file: named by the process id, it holds the path of the file. */
    runningFiles: string;
  }
}

/**
 * Ends the process of a test file that runs for longer than `limitMs` and cannot end itself: a loop without an end stops the clock of its
 * own time limits, too. What the file has started ends with it, and the runner reports it as failed and goes on.
 */
export class HangLimit implements Reporter {
  readonly #limitMs: number;
  #folder = '';

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  onInit(vitest: Vitest): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'lending-running-'));
    vitest.provide('runningFiles', this.#folder);
    setInterval(() => this.#endHangs(), CHECK_EVERY_MS).unref();
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** A file's own `afterAll` does not run where all of its tests are skipped. */
  onTestModuleEnd({ moduleId }: TestModule): void {
    for (const note of this.#notes()) if (readFileSync(note, 'utf8') === moduleId) rmSync(note);
  }

  #notes(): readonly string[] {
    return readdirSync(this.#folder).map((pid) => join(this.#folder, pid));
  }

  #endHangs(): void {
    for (const note of this.#notes()) {
      if (Date.now() - statSync(note).mtimeMs < this.#limitMs) continue;
      const file = readFileSync(note, 'utf8');
      const pid = Number(note.slice(this.#folder.length + 1));
      rmSync(note);
      // A process that crashed leaves its note, and its id may be somebody else's by now.
      if (!descendantsOf(process.pid).includes(pid)) continue;
      console.error(`${file} hangs, and is ended after ${this.#limitMs / 1000} s, with what it started`);
      killTree(pid);
    }
  }
}
