export {
  type AccountContent,
  anyAddress,
  type BankFields,
  bankContent,
  CHAIN_SECONDS,
  FEED,
  GROUP,
  groupContent,
  MINT,
  metadataContent,
  mintContent,
  pythContent,
  switchboardContent,
  VAULT,
  vaultContent,
} from './accounts.ts';
export { createFakeBus, type FakeBus } from './fake-bus.ts';
export { createFakeChain, type FakeChain } from './fake-chain.ts';
export { AUTHORITY, lendingAccountContent, orderContent, rebalanceOrderContent } from './lending-account.ts';
export { createLineLogger, type LogLine } from './line-logger.ts';
