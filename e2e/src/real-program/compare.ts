import type { Address } from '@solana/kit';
import { isSameError } from './bridges/error-names.ts';
import { fairDifferences, fairView } from './fair-bytes.ts';
import type { StepResult } from './run-step.ts';
import type { Side } from './sides.ts';

/** Where two chains that did the same came to different results: errors, the edge that was found, or bytes that can be compared fairly. */
export function findDifferences(elf: Side, model: Side, left: StepResult, right: StepResult): readonly string[] {
  return [...resultDifferences(left, right), ...byteDifferences(elf, model)];
}

export function resultDifferences(left: StepResult, right: StepResult): readonly string[] {
  const found: string[] = [];
  if (!isSameError(left.refusal?.name ?? null, right.refusal?.name ?? null)) {
    found.push(`the ELF says ${left.refusal?.name ?? 'yes'}, the model ${right.refusal?.name ?? 'yes'}`);
  }
  if (left.refusal?.index !== right.refusal?.index) {
    found.push(`the ELF stops at instruction ${left.refusal?.index}, the model at ${right.refusal?.index}`);
  }
  if (left.edge?.amount !== right.edge?.amount || !isSameError(left.edge?.next ?? null, right.edge?.next ?? null)) {
    found.push(`the ELF’s edge is ${describeEdge(left)}, the model’s ${describeEdge(right)}`);
  }
  return found;
}

export function byteDifferences(elf: Side, model: Side): readonly string[] {
  const left = elf.chain.state.accounts;
  const right = model.chain.state.accounts;
  const addresses = new Set<Address>([...left.keys(), ...right.keys()]);
  return [...addresses].flatMap((address) => {
    if (left.get(address) === right.get(address)) return [];
    if (fairView(left.get(address)) === fairView(right.get(address))) return [];
    return [`${address}: ${fairDifferences(left.get(address), right.get(address)).join('; ')}`];
  });
}

function describeEdge({ edge }: StepResult): string {
  return edge === null ? 'none' : `${edge.amount}, then ${edge.next}`;
}
