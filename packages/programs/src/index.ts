export type { EventLayout } from './event-layout.ts';
export {
  type AccountSlot,
  type AccountsOf,
  decodeArguments,
  defineInstruction,
  encodeInstruction,
  type InstructionLayout,
  isInstructionOf,
} from './instruction-layout.ts';
export {
  type BankVault,
  findBankMetadata,
  findBankVault,
  findBankVaultAuthority,
  findFeeState,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
} from './marginfi/addresses.ts';
export {
  BANK_DISCRIMINATOR,
  BANK_SIZE,
  type Bank,
  type BankArgs,
  getBankCodec,
  getBankDecoder,
  getBankEncoder,
} from './marginfi/bank.ts';
export { BANK_OPERATIONAL_STATES, BANK_ORACLE_SETUPS, BANK_RISK_TIERS } from './marginfi/bank-config.ts';
export {
  BANK_METADATA_DISCRIMINATOR,
  BANK_METADATA_SIZE,
  type BankMetadata,
  type BankMetadataArgs,
  getBankMetadataCodec,
  getBankMetadataDecoder,
  getBankMetadataEncoder,
} from './marginfi/bank-metadata.ts';
export {
  FEE_STATE_DISCRIMINATOR,
  FEE_STATE_SIZE,
  type FeeState,
  type FeeStateArgs,
  getFeeStateCodec,
  getFeeStateDecoder,
  getFeeStateEncoder,
} from './marginfi/fee-state.ts';
export {
  getMarginfiGroupCodec,
  getMarginfiGroupDecoder,
  getMarginfiGroupEncoder,
  MARGINFI_GROUP_DISCRIMINATOR,
  MARGINFI_GROUP_SIZE,
  type MarginfiGroup,
  type MarginfiGroupArgs,
} from './marginfi/group.ts';
export { lendingAccountDeposit } from './marginfi/instructions/lending-account-deposit.ts';
export {
  getMarginfiAccountCodec,
  getMarginfiAccountDecoder,
  getMarginfiAccountEncoder,
  MARGINFI_ACCOUNT_DISCRIMINATOR,
  MARGINFI_ACCOUNT_SIZE,
  MAX_BALANCES,
  type MarginfiAccount,
  type MarginfiAccountArgs,
} from './marginfi/marginfi-account.ts';
export { PYTH_PUSH_ORACLE_PROGRAM, PYTH_RECEIVER_PROGRAM } from './pyth/addresses.ts';
export {
  getPriceUpdateV2Codec,
  getPriceUpdateV2Decoder,
  getPriceUpdateV2Encoder,
  PRICE_UPDATE_V2_DISCRIMINATOR,
  PRICE_UPDATE_V2_SIZE,
  type PriceUpdateV2,
  type PriceUpdateV2Args,
} from './pyth/price-update-v2.ts';
export { SWITCHBOARD_ON_DEMAND_PROGRAM } from './switchboard/addresses.ts';
export {
  getPullFeedCodec,
  getPullFeedDecoder,
  getPullFeedEncoder,
  PULL_FEED_DISCRIMINATOR,
  PULL_FEED_SIZE,
  type PullFeed,
  type PullFeedArgs,
} from './switchboard/pull-feed.ts';
export {
  CLOCK_SIZE,
  CLOCK_SYSVAR,
  type Clock,
  type ClockArgs,
  getClockCodec,
  getClockDecoder,
  getClockEncoder,
  SYSVAR_PROGRAM,
} from './sysvar/clock.ts';
export {
  getTokenAccountCodec,
  getTokenAccountDecoder,
  getTokenAccountEncoder,
  TOKEN_ACCOUNT_SIZE,
  TOKEN_ACCOUNT_STATE,
  type TokenAccount,
  type TokenAccountArgs,
} from './token/account.ts';
export { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './token/addresses.ts';
export type { Coption } from './token/coption.ts';
export {
  getMintCodec,
  getMintDecoder,
  getMintEncoder,
  MINT_SIZE,
  type Mint,
  type MintArgs,
} from './token/mint.ts';
