import { associated } from './associated-operations.ts';
import { Dice } from './dice.ts';
import { harvest, setFee, transferWithFee, withdrawWithheld } from './fee-operations.ts';
import {
  approve,
  batch,
  burn,
  mintTo,
  setAuthority,
  spendSimple,
  toggleFrozen,
  transfer,
} from './holding-operations.ts';
import {
  createTokenAccount,
  createTokenMint,
  initializeAccount,
  initializeMint,
  initializeMultisig,
  mintExtension,
} from './initialize-operations.ts';
import { close, lamportMoves, queries, syncNative, wrap } from './lamport-operations.ts';
import { isModelled, mutateInstruction } from './mutate-instruction.ts';
import type { Operation } from './random-operation.ts';
import { systemKinds } from './system-operations.ts';
import type { TwinChains } from './twin-chains.ts';
import { type AnyInstruction, TOKEN } from './world.ts';

function tokenKinds(dice: Dice): (() => AnyInstruction[])[] {
  const plain = [
    () => transfer(dice),
    () => transfer(dice),
    () => transfer(dice),
    () => transfer(dice),
    () => approve(dice),
    () => approve(dice),
    () => spendSimple(dice, 5, []),
    () => setAuthority(dice),
    () => setAuthority(dice),
    () => mintTo(dice),
    () => mintTo(dice),
    () => burn(dice),
    () => close(dice),
    () => close(dice),
    () => toggleFrozen(dice, 10),
    () => toggleFrozen(dice, 11),
    () => toggleFrozen(dice, 11),
    () => syncNative(dice),
    () => queries(dice),
    () => lamportMoves(dice),
    () => initializeMint(dice),
    () => initializeAccount(dice),
    () => initializeMultisig(dice),
    () => createTokenMint(dice),
    () => createTokenAccount(dice),
    () => createTokenAccount(dice),
    () => associated(dice),
    () => associated(dice),
    () => associated(dice),
    () => wrap(dice),
  ];
  if (dice.side === TOKEN) return [...plain, () => batch(dice)];
  return [
    ...plain,
    () => transferWithFee(dice),
    () => transferWithFee(dice),
    () => transferWithFee(dice),
    () => setFee(dice),
    () => setFee(dice),
    () => withdrawWithheld(dice),
    () => withdrawWithheld(dice),
    () => harvest(dice),
    () => harvest(dice),
    () => mintExtension(dice),
  ];
}

/** The instructions an operation means in the state it meets. */
export function buildInstructions(operation: Operation, chains: TwinChains): AnyInstruction[] {
  const dice = new Dice(operation, chains);
  const kinds = operation.kind % 100 < 14 ? systemKinds(dice) : tokenKinds(dice);
  const chosen = kinds[Math.floor(operation.kind / 100) % kinds.length];
  return (chosen?.() ?? []).map((built) => {
    const mutated = mutateInstruction(dice, built);
    return isModelled(mutated) ? mutated : built;
  });
}
