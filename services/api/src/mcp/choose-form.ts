import type { Operation, Tool, ToolForm } from '#tools/tool.ts';

/** The operation that answers a call, and the call's arguments without those of the tool's other form, where they are empty. */
export interface ChosenForm {
  readonly operation: Operation;
  readonly given: unknown;
}

/** They say how an answer is worded, and so choose no question: a form that has one wording does without them. */
const WORDING: ReadonlySet<string> = new Set(['response_format', 'format']);

/** Chooses between a tool and its second form by the arguments. What is wrong with them is found when they are parsed. */
export function chooseForm(tool: Tool, given: unknown): ChosenForm {
  const { also } = tool;
  if (also === undefined || typeof given !== 'object' || given === null) return { operation: tool, given };
  const fields = Object.entries(given);
  const isAlso = fields.some(([name, value]) => has(also, name) && isGiven(value));
  const other = isAlso ? tool : also;
  const chosen = isAlso ? { ...tool, ...also } : tool;
  const own = fields.filter(
    ([name, value]) => has(chosen, name) || !has(other, name) || (isGiven(value) && !WORDING.has(name)),
  );
  return { operation: chosen, given: Object.fromEntries(own) };
}

function has({ input }: Pick<ToolForm, 'input'>, name: string): boolean {
  return Object.hasOwn(input.shape, name);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
