export * from './derived-address.ts';
export * from './drift/addresses.ts';
export * from './drift/refresh.ts';
export * from './drift/spot-market.ts';
export * from './drift/state.ts';
export * from './drift/user.ts';
export * from './exponent/addresses.ts';
export * from './exponent/vault.ts';
export { getAddressBytes, readAddress } from './fixed-offset/address-codec.ts';
export * from './jito/tip-accounts.ts';
export * from './juplend/accounts.ts';
export * from './juplend/addresses.ts';
export * from './juplend/errors.ts';
export * from './juplend/instructions.ts';
export * from './kamino-farms/farm-state.ts';
export * from './klend/addresses.ts';
export * from './klend/errors.ts';
export * from './klend/instructions.ts';
export * from './klend/lending-market.ts';
export * from './klend/obligation.ts';
export * from './klend/reserve.ts';
export * from './klend/user-metadata.ts';
export { account } from './layout/account.ts';
export { decodeEvent, type EventLayout, encodeEvent, event, isEventOf } from './layout/event.ts';
export {
  type AnyType,
  type ArgsOf,
  array,
  bool,
  bytes,
  f64,
  i16,
  i32,
  i64,
  i80f48,
  i128,
  option,
  pubkey,
  u8,
  u16,
  u32,
  u64,
  u128,
  type ValueOf,
  vec,
} from './layout/field-types.ts';
export {
  type AccountSlot,
  type AccountsOf,
  decodeArguments,
  encodeInstruction,
  type InstructionLayout,
  instruction,
  isInstructionOf,
  slotsOf,
} from './layout/instruction.ts';
export { type Listed, readList } from './layout/list.ts';
export { placeOf } from './layout/place-of.ts';
export { struct } from './layout/struct.ts';
export * from './lookup-table/lookup-table.ts';
export * from './marginfi/addresses.ts';
export * from './marginfi/bank.ts';
export * from './marginfi/bank-metadata.ts';
export * from './marginfi/errors.ts';
export * from './marginfi/events.ts';
export * from './marginfi/execute-order-record.ts';
export * from './marginfi/fee-state.ts';
export * from './marginfi/first-account-events.ts';
export * from './marginfi/group.ts';
export * from './marginfi/instruction-names.ts';
export * from './marginfi/instructions/pool.ts';
export * from './marginfi/instructions/user.ts';
export * from './marginfi/instructions/venue.ts';
export * from './marginfi/liquidation-record.ts';
export * from './marginfi/lookup-tables.ts';
export * from './marginfi/marginfi-account.ts';
export * from './marginfi/order.ts';
export * from './marginfi/rebalance-order.ts';
export * from './marginfi/staked-settings.ts';
export * from './marginfi/versions.ts';
export * from './marinade/addresses.ts';
export * from './marinade/state.ts';
export * from './no-key.ts';
export * from './program-metadata/program-metadata.ts';
export * from './pyth/addresses.ts';
export * from './pyth/price-update-v2.ts';
export * from './scope/addresses.ts';
export * from './scope/oracle-prices.ts';
export * from './secp256k1/signature-instruction.ts';
export * from './solend/addresses.ts';
export * from './solend/instructions.ts';
export * from './solend/lending-market.ts';
export * from './solend/obligation.ts';
export * from './solend/reserve.ts';
export * from './stake/addresses.ts';
export * from './stake/stake-account.ts';
export * from './stake-pool/addresses.ts';
export * from './stake-pool/stake-pool.ts';
export * from './swap/addresses.ts';
export * from './swap/dflow-terms.ts';
export * from './swap/jupiter-terms.ts';
export * from './swap/swap-terms.ts';
export * from './switchboard/addresses.ts';
export * from './switchboard/errors.ts';
export * from './switchboard/instructions.ts';
export * from './switchboard/oracle.ts';
export * from './switchboard/oracle-stats.ts';
export * from './switchboard/pull-feed.ts';
export * from './switchboard/queue.ts';
export * from './switchboard/state.ts';
export * from './system/addresses.ts';
export * from './sysvar/addresses.ts';
export * from './sysvar/clock.ts';
export * from './token/account.ts';
export * from './token/addresses.ts';
export * from './token/coption.ts';
export * from './token/mint.ts';
export * from './token/mint-extensions.ts';
export * from './token/token-metadata.ts';
