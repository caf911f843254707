import { hasLiability, I80F48_ONE } from '@lending/domain';
import { healthPulseEvent, lendingAccountPulseHealth } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '../anchor/account-reader.ts';
import { AnchorError } from '../anchor/anchor-error.ts';
import { requireWritable } from '../anchor/constraints.ts';
import { emitBytes } from '../anchor/emit-event.ts';
import { defineProgramInstruction } from '../program-instruction.ts';
import { assertBankrupt, assertInitialHealth, assertLiquidatable } from '../risk/health.ts';
import { type HealthAccounts, readHealthAccounts } from '../risk/health-accounts.ts';
import { ORACLE_ERRORS } from '../risk/oracle-errors.ts';
import { type AccountState, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { HealthCache, PROGRAM_VERSION } from '../state/health-cache-state.ts';
import { ageActivityFlags, syncBalanceFlags, toByte } from '../steps/indexer-flags.ts';

/**
 * Runs all three checks and writes down what each of them says: none of them fails the instruction.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/pulse_health.rs
 */
export const pulseHealth = defineProgramInstruction({
  layout: lendingAccountPulseHealth,
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const remaining = reader.remaining();
    requireWritable(marginfiAccount);

    const account = marginfiAccount.loadMut();
    const accounts = readHealthAccounts(context, account, remaining);
    const cache = new HealthCache();
    cache.fields.timestamp = context.slot.unixTimestamp;
    cache.fields.programVersion = PROGRAM_VERSION;
    pulseInitial(context, account, accounts, cache);
    const liquidationError = errorOf(() => assertLiquidatable(context, account, accounts, { cache }));
    cache.fields.internalLiqErr = liquidationError?.number ?? 0;
    const bankruptcyError = errorOf(() => assertBankrupt(context, account, accounts, cache));
    cache.fields.internalBankruptcyErr = bankruptcyError?.number ?? 0;

    syncBalanceFlags(account);
    ageActivityFlags(account, context.slot.unixTimestamp - account.lastUpdate);
    if (accounts.failure === null) account.hasIsolated = toByte(owesIsolated(accounts));
    if (liquidationError === null) account.wasLiquidatable = 1;
    else if (liquidationError.errorName === 'HealthyAccount') account.wasLiquidatable = 0;
    if (bankruptcyError === null || bankruptcyError.errorName === 'AccountNotBankrupt') noteEquity(account, cache);
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
  const isOracleAtFault = error !== null && ORACLE_ERRORS.has(error.errorName);
  cache.setOracleOk(!isOracleAtFault && cache.fields.internalErr === 0);
  cache.setEngineOk(error === null || error.errorName === 'RiskEngineInitRejected');
  cache.fields.mrgnErr = error?.number ?? 0;
}

/** The program's error, as a value; a stop of the program itself is none. */
function errorOf(check: () => void): AnchorError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AnchorError) return error;
    throw error;
  }
}

function owesIsolated({ positions }: HealthAccounts): boolean {
  return positions.some(({ balance }) => hasLiability(balance) && balance.bank.riskTier === 'Isolated');
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
