import { defineView, f64, i64, i80f48, u8, u32, type View } from '#programs/anchor/field.ts';
import type { AccountState } from './account-state.ts';

const START = 1840;
const SIZE = 304;
const PRICES = 112;
const HEALTHY = 1;
const ENGINE_OK = 2;
const ORACLE_OK = 4;
/**
 * What this and the two versions before it call themselves.
 * @see marginfi-v2 programs/marginfi/src/constants.rs `PROGRAM_VERSION`
 */
export const PROGRAM_VERSION = 3;

const FIELDS = {
  assetValue: i80f48(0),
  liabilityValue: i80f48(16),
  assetValueMaint: i80f48(32),
  liabilityValueMaint: i80f48(48),
  assetValueEquity: i80f48(64),
  liabilityValueEquity: i80f48(80),
  timestamp: i64(96),
  flags: u32(104),
  mrgnErr: u32(108),
  internalErr: u32(240),
  errIndex: u8(244),
  programVersion: u8(245),
  internalLiqErr: u32(248),
  internalBankruptcyErr: u32(252),
} as const;

const cacheFields = defineView(FIELDS);

/** What a run of the risk engine leaves on the account. Made apart, and written when the instruction gets that far. */
export class HealthCache {
  readonly data = new Uint8Array(SIZE);
  readonly fields: View<typeof FIELDS> = cacheFields(this.data);

  setPrice(index: number, price: number): void {
    f64(PRICES + 8 * index).write(new DataView(this.data.buffer), 0, price);
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

  writeTo(account: AccountState): void {
    account.data.set(this.data, START);
  }

  #setFlag(flag: number, isSet: boolean): void {
    this.fields.flags = isSet ? this.fields.flags | flag : this.fields.flags & ~flag;
  }
}
