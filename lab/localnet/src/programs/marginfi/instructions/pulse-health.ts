import { I80F48_ONE } from '@lending/domain';
import { healthPulseEvent, lendingAccountPulseHealth, type MarginfiErrorName } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { emitBytes } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { assertBankrupt, assertInitialHealth, assertLiquidatable, ORACLE_ERRORS } from '../risk/health.ts';
import { type HealthAccounts, owesIsolated, readHealthAccounts } from '../risk/health-accounts.ts';
import { type AccountState, HealthCache, PROGRAM_VERSION } from '../state/account-state.ts';
import { requireHasOne } from '../steps/checks.ts';
import { ageActivityFlags, syncBalanceFlags, toByte } from '../steps/indexer-flags.ts';
import { dropTag } from '../steps/liquidation-tag.ts';
import { refreshPremiums } from '../steps/premiums.ts';

/**
 * Runs all three checks and writes down what each of them says: none of them fails the instruction. Sets the rates of premiums.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/pulse_health.rs
 */
export const pulseHealth = defineProgramInstruction({
  layout: lendingAccountPulseHealth,
  run(context) {
    const accounts = readAccounts(context, lendingAccountPulseHealth);
    const { marginfiAccount, group, remaining } = accounts;
    checkAccounts(context, lendingAccountPulseHealth, accounts, {
      marginfiAccount: () => requireHasOne(marginfiAccount, marginfiAccount.load().group, group, 'InvalidGroup'),
    });

    const account = marginfiAccount.loadMut();
    const judged = { account, group: group.load() };
    const positions = readHealthAccounts(context, judged, remaining);
    const cache = new HealthCache();
    cache.fields.timestamp = context.slot.unixTimestamp;
    cache.fields.programVersion = PROGRAM_VERSION;
    pulseInitial(context, account, positions, cache);
    refreshPremiums(context, judged, positions, { requirement: 'initial', rises: false });
    const liquidationError = errorOf(() => assertLiquidatable(context, account, positions, { cache }));
    cache.fields.internalLiqErr = numberOf(liquidationError);
    const bankruptcyError = errorOf(() => assertBankrupt(context, account, positions, cache));
    cache.fields.internalBankruptcyErr = numberOf(bankruptcyError);

    syncBalanceFlags(account);
    ageActivityFlags(account, context.slot.unixTimestamp - account.lastUpdate);
    noteIsolated(context, account, remaining);
    if (liquidationError === null) account.wasLiquidatable = 1;
    else if (isNamed(liquidationError, 'HealthyAccount')) {
      account.wasLiquidatable = 0;
      dropTag(context, account);
    }
    if (bankruptcyError === null || isNamed(bankruptcyError, 'AccountNotBankrupt')) noteEquity(account, cache);
    cache.writeTo(account);
    emitPulse(context, marginfiAccount.account.key, cache);
  },
});

function pulseInitial(
  context: InvokeContext,
  account: AccountState,
  accounts: HealthAccounts,
  cache: HealthCache,
): void {
  const error = errorOf(() => assertInitialHealth(context, account, () => accounts, cache));
  cache.setEngineOk(error === null || isNamed(error, 'RiskEngineInitRejected'));
  // An error without a number says nothing about oracles.
  if (error !== null && !(error instanceof AnchorError)) return;
  const isOracleAtFault = error !== null && ORACLE_ERRORS.has(error.errorName);
  cache.setOracleOk(!isOracleAtFault && cache.fields.internalErr === 0);
  cache.fields.mrgnErr = numberOf(error);
}

/** The program's error, as a value; a stop of the program itself is none. */
function errorOf(check: () => void): InstructionError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof InstructionError && error.reason !== 'ProgramFailedToComplete') return error;
    throw error;
  }
}

function numberOf(error: InstructionError | null): number {
  return error instanceof AnchorError ? error.number : 0;
}

function isNamed(error: InstructionError, name: MarginfiErrorName): boolean {
  return error instanceof AnchorError && error.errorName === name;
}

function noteIsolated(context: InvokeContext, account: AccountState, remaining: readonly InstructionAccount[]): void {
  // Where the list cannot tell, the flag stays.
  errorOf(() => {
    account.hasIsolated = toByte(owesIsolated(context, account, remaining));
  });
}

function noteEquity(account: AccountState, { fields }: HealthCache): void {
  const net = fields.assetValueEquity - fields.liabilityValueEquity;
  account.wasUnderwater = toByte(net < 0n);
  account.hasTrivialBalance = toByte(net > 0n && net < I80F48_ONE);
}

/** The cache goes out as the bytes it is. */
function emitPulse(context: InvokeContext, account: Uint8Array, cache: HealthCache): void {
  emitBytes(context, Buffer.concat([healthPulseEvent.discriminator, account, cache.data]));
}
