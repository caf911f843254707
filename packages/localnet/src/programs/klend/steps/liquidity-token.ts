import { TOKEN_PROGRAM } from '@lending/programs';
import { isZeroed, readU16 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { findExtension, listExtensions } from '../../token-2022/extended-state.ts';
import { EXTENSION } from '../../token-2022/extension-type.ts';
import { check } from '../klend-error.ts';

const OF_MINTS: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeConfig,
  EXTENSION.confidentialTransferMint,
  EXTENSION.mintCloseAuthority,
  EXTENSION.metadataPointer,
  EXTENSION.permanentDelegate,
  EXTENSION.transferFeeConfig,
  EXTENSION.tokenMetadata,
  EXTENSION.transferHook,
  EXTENSION.defaultAccountState,
  EXTENSION.scaledUiAmount,
  EXTENSION.pausable,
]);
const OF_ACCOUNTS: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeAmount,
  EXTENSION.confidentialTransferAccount,
  EXTENSION.transferFeeAmount,
  EXTENSION.transferHookAccount,
  EXTENSION.pausableAccount,
  EXTENSION.immutableOwner,
]);
/** Where the older and the newer fee of a mint hold their basis points, and a hook its program. */
const [OLDER_FEE, NEWER_FEE] = [88, 106];
const HOOK_PROGRAM = 32;
/** Where a pausable mint says that it stands still. */
const PAUSED = 32;

/**
 * Tokens that are not simply moved stay outside: fees, hooks, and extensions klend has not heard of. What confidential transfers and
 * default states may be is not looked at here, for the chain's tokens have none.
 * @throws AnchorError UnsupportedTokenExtension
 * @see klend programs/klend/src/utils/constraints.rs `token_2022`
 */
export function assertPlainToken(mint: NamedAccount, holder: NamedAccount): void {
  const plain = isPlain(mint.account, OF_MINTS) && isPlain(holder.account, OF_ACCOUNTS) && movesFreely(mint.account);
  check(plain, 'UnsupportedTokenExtension');
}

function isPlain({ owner, data }: InstructionAccount, known: ReadonlySet<number>): boolean {
  return owner === TOKEN_PROGRAM || listExtensions(data).every((type) => known.has(type));
}

function movesFreely({ owner, data }: InstructionAccount): boolean {
  if (owner === TOKEN_PROGRAM) return true;
  const fee = findExtension(data, EXTENSION.transferFeeConfig);
  if (fee && (readU16(data, fee.start + OLDER_FEE) !== 0 || readU16(data, fee.start + NEWER_FEE) !== 0)) return false;
  const hook = findExtension(data, EXTENSION.transferHook);
  if (hook && !isZeroed(data.subarray(hook.start + HOOK_PROGRAM, hook.end))) return false;
  const pause = findExtension(data, EXTENSION.pausable);
  return pause === undefined || data[pause.start + PAUSED] === 0;
}
