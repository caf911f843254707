import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const BEAT_MS = 5_000;

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder: a note for each process that runs a test file, named by its id, of the file's path. */
    runningFiles: string;
  }
}

/**
 * Ends the process of a test file that runs for longer than `limitMs` and cannot end itself: a loop without an end stops the clock of its
 * own time limits, too. The runner then reports the file as failed and goes on with the others.
 */
export class HangLimit implements Reporter {
  readonly #limitMs: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'lending-running-'));

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    setInterval(() => this.#endHangs(), BEAT_MS).unref();
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  onInit(vitest: Vitest): void {
    vitest.provide('runningFiles', this.#folder);
  }

  /** Here and not by the file's own `afterAll`, which is left out where all tests are skipped. */
  onTestModuleEnd({ moduleId }: TestModule): void {
    for (const note of this.#notes()) if (readFileSync(note, 'utf8') === moduleId) rmSync(note);
  }

  #notes(): readonly string[] {
    return readdirSync(this.#folder).map((pid) => join(this.#folder, pid));
  }

  #endHangs(): void {
    for (const note of this.#notes()) {
      if (Date.now() - statSync(note).mtimeMs < this.#limitMs) continue;
      console.error(`${readFileSync(note, 'utf8')} hangs, and is ended after ${this.#limitMs / 1000} s`);
      const pid = Number(note.slice(this.#folder.length + 1));
      rmSync(note);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself meanwhile.
      }
    }
  }
}
