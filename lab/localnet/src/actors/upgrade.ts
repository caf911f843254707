import {
  lendingPoolResizeBankAccount,
  lendingPoolResizeGroupAccount,
  MARGINFI_PROGRAM,
  PROGRAM_VERSIONS,
  type ProgramVersion,
  resizeGlobalFeeState,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { p0Instruction } from '#market/lending-instructions.ts';
import { deployment, lengthOf } from '#market/program-accounts.ts';
import { createActor } from './actor.ts';
import type { ActorLedger } from './actor-ledger.ts';
import { LAMPORTS } from './payday.ts';
import { sendTransaction } from './send-transaction.ts';

/** What an upgrade needs of the chain besides. */
export interface UpgradeLedger extends ActorLedger {
  slot(commitment: 'processed'): bigint;
  accountsOwnedBy(owner: Address, at: 'processed'): Iterable<readonly [Address, AccountState]>;
}

/** Another version of the lending program while the chain runs. */
export interface Upgrade {
  /** Sends what lengthens the next accounts; to be called once for each slot that opens. True when none is too short any more. */
  onSlot(): boolean;
}

/** Anybody may, and somebody with money does. */
const SENDER = createActor('upgrader');

/**
 * Deploys a version in the open slot, which runs from the next one on. From then on nothing loads an account that is too short, until it
 * was lengthened: the fee state first, then the group, then bank by bank, as many in a slot as are asked for.
 */
export function beginUpgrade(ledger: UpgradeLedger, version: string, perSlot: number): Upgrade {
  const sender = { lamports: LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  ledger.writeAccounts([deployment({ version, slot: ledger.slot('processed') }), [SENDER.wallet, sender]]);
  const known = PROGRAM_VERSIONS.find((each) => each === version);
  return {
    onSlot() {
      const short = known === undefined ? [] : [...shortAccounts(ledger, known)];
      for (const instruction of short.slice(0, perSlot)) sendTransaction(ledger, SENDER, [instruction]);
      return short.length === 0;
    },
  };
}

const KINDS = ['feeState', 'group', 'bank'] as const;

/** What lengthens the accounts that a version takes to be longer, in order. */
function* shortAccounts(ledger: UpgradeLedger, version: ProgramVersion): Generator<Instruction> {
  const owned = [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed')];
  for (const kind of KINDS) {
    for (const [address, state] of owned) {
      const length = lengthOf(state, version);
      if (length?.kind === kind && length.bytes > state.data.length) yield resize(kind, address);
    }
  }
}

function resize(kind: (typeof KINDS)[number], address: Address): Instruction {
  const paid = { payer: SENDER.wallet, systemProgram: SYSTEM_PROGRAM };
  switch (kind) {
    case 'feeState':
      return p0Instruction(resizeGlobalFeeState, { feeState: address, ...paid }, {});
    case 'group':
      return p0Instruction(lendingPoolResizeGroupAccount, { group: address, ...paid }, {});
    case 'bank':
      return p0Instruction(lendingPoolResizeBankAccount, { bank: address, ...paid }, {});
  }
}
