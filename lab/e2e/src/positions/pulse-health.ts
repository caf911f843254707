import { createModelEngine, type Ledger } from '@lending/localnet';
import {
  encodeInstruction,
  lendingAccountPulseHealth,
  lendingPoolAccrueBankInterest,
  MARGINFI_PROGRAM,
} from '@lending/programs';
import { decodeMarginfiAccount, oracleAccountsOf, type P0Bank, type P0HealthCache } from '@lending/venues';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
} from '@solana/kit';
import type { MadeAccount } from './random-accounts.ts';

const LIFETIME = { blockhash: '11111111111111111111111111111111' as Blockhash, lastValidBlockHeight: 0n };

/** What the program itself says of an account, when its banks are accrued to the moment of the ledger's confirmed slot. */
export interface Pulse {
  readonly cache: P0HealthCache;
  readonly logs: readonly string[];
}

/** Has the program work out an account's health and write it down; whoever signs. @param banks those of its balances, in their order. */
export function pulseHealthOf(group: Address, account: Address, banks: readonly P0Bank[]): Instruction {
  const health = banks.flatMap((bank) => [bank.address, ...oracleAccountsOf(bank)]);
  const remaining = health.map((key) => ({ address: key, role: AccountRole.READONLY }));
  return encodeInstruction(
    lendingAccountPulseHealth,
    MARGINFI_PROGRAM,
    { marginfiAccount: account, group },
    {},
    remaining,
  );
}

/**
 * Has the program work out an account's health on the confirmed state, without changing it: every bank it holds something in is accrued,
 * then pulsed. Version 1, because sixteen balances name more accounts than an older transaction has room for.
 */
export function pulseHealth(
  ledger: Ledger,
  group: Address,
  payer: Address,
  { address, balances }: MadeAccount,
  unixTimestamp: bigint,
): Pulse {
  const banks = balances.map(({ bank }) => bank);
  const accrued = banks
    .filter(({ venue }) => venue === 'p0')
    .map((bank) =>
      encodeInstruction(lendingPoolAccrueBankInterest, MARGINFI_PROGRAM, { group, bank: bank.address }, {}),
    );
  const pulse = pulseHealthOf(group, address, banks);
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, payed),
    (dated) => setTransactionMessageComputeUnitLimit(1_400_000, dated),
    (limited) => setTransactionMessageLoadedAccountsDataSizeLimit(64 * 1024 * 1024, limited),
    (sized) => appendTransactionMessageInstructions([...accrued, pulse], sized),
  );
  const wire = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
  const slot = ledger.slot('confirmed');
  const context = {
    slot,
    unixTimestamp,
    epoch: slot / 432_000n,
    lamportsPerSignature: 5_000n,
    minimumBalance: (dataLength: number) => ledger.minimumBalance(dataLength),
  };
  const result = createModelEngine().execute(wire, ledger.accountsAt('confirmed'), context, {
    verifySignatures: false,
  });
  const written = result.writes.get(address);
  if (result.error !== null || written === undefined)
    throw new TypeError(`pulse of ${address}: ${JSON.stringify(result.error)}\n${result.logs.join('\n')}`);
  return { cache: decodeMarginfiAccount({ address, ...written }, MARGINFI_PROGRAM).healthCache, logs: result.logs };
}
