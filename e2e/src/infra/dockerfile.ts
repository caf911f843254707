/** One line of a stage, as it is written: `COPY --from=pruned /pruned ./`. */
export interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  /** The stage or image that it begins with. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile by name. It reads what ours uses: one line an instruction, or lines that end in a backslash. */
export function readStages(text: string): ReadonlyMap<string, Stage> {
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages = new Map<string, { name: string; base: string; instructions: Instruction[] }>();
  let current: { name: string; base: string; instructions: Instruction[] } | undefined;
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [base = '', , name = base] = rest.split(' ');
      current = { name, base, instructions: [] };
      stages.set(name, current);
    } else if (current === undefined) throw new Error(`${line} stands before the first FROM`);
    else current.instructions.push({ keyword, rest });
  }
  return stages;
}

/** A stage and those that it begins with, the first of them first. */
export function lineOf(stages: ReadonlyMap<string, Stage>, name: string): readonly Stage[] {
  const stage = stages.get(name);
  return stage === undefined ? [] : [...lineOf(stages, stage.base), stage];
}

/** The last value of an instruction along a stage's line, such as of `USER`. */
export function lastOf(stages: ReadonlyMap<string, Stage>, name: string, keyword: string): string | undefined {
  return lineOf(stages, name)
    .flatMap(({ instructions }) => instructions)
    .findLast((instruction) => instruction.keyword === keyword)?.rest;
}
