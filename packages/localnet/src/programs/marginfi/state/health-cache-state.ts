import { healthCache, marginfiAccountLayout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';
import type { AccountState } from './account-state.ts';

const START = placeOf(marginfiAccountLayout, 'healthCache').offset;
const HEALTHY = 1;
const ENGINE_OK = 2;
const ORACLE_OK = 4;
const EMODE_BOOSTED = 8;
/**
 * What this and the two versions before it call themselves.
 * @see marginfi-v2 programs/marginfi/src/constants.rs `PROGRAM_VERSION`
 */
export const PROGRAM_VERSION = 3;

const cacheFields = defineView(
  healthCache,
  `
    assetValue, liabilityValue, assetValueMaint, liabilityValueMaint, assetValueEquity, liabilityValueEquity, timestamp,
    flags, mrgnErr, internalErr, errIndex, programVersion, internalLiqErr, internalBankruptcyErr
  `,
);

/** Whether emode raised all collateral when the risk engine last wrote down what it found. */
export function isEmodeBoosted(account: AccountState): boolean {
  return (cacheFields(account.data, START).flags & EMODE_BOOSTED) !== 0;
}

/** What a run of the risk engine leaves on the account. Made apart, and written when the instruction gets that far. */
export class HealthCache {
  readonly data = new Uint8Array(healthCache.fixedSize);
  readonly fields = cacheFields(this.data);

  setPrice(index: number, price: number): void {
    new DataView(this.data.buffer).setFloat64(placeOf(healthCache, `prices.${index}`).offset, price, true);
  }

  setHealthy(isHealthy: boolean): void {
    this.#setFlag(HEALTHY, isHealthy);
  }

  setEngineOk(isOk: boolean): void {
    this.#setFlag(ENGINE_OK, isOk);
  }

  setOracleOk(isOk: boolean): void {
    this.#setFlag(ORACLE_OK, isOk);
  }

  setEmodeBoosted(isBoosted: boolean): void {
    this.#setFlag(EMODE_BOOSTED, isBoosted);
  }

  writeTo(account: AccountState): void {
    account.data.set(this.data, START);
  }

  #setFlag(flag: number, isSet: boolean): void {
    this.fields.flags = isSet ? this.fields.flags | flag : this.fields.flags & ~flag;
  }
}
