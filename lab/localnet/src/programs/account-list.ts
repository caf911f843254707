import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';

/** The account at this position. @throws InstructionError `NotEnoughAccountKeys` */
export function accountAt(accounts: readonly InstructionAccount[], index: number): InstructionAccount {
  const account = accounts[index];
  if (account === undefined) throw new InstructionError('NotEnoughAccountKeys');
  return account;
}

/**
 * The first `count` accounts, none missing.
 * @throws InstructionError compiled programs say `NotEnoughAccountKeys`, the runtime's own `MissingAccount`
 */
export function takeAccounts<const TCount extends number>(
  accounts: readonly InstructionAccount[],
  count: TCount,
  missing: 'MissingAccount' | 'NotEnoughAccountKeys' = 'NotEnoughAccountKeys',
): Accounts<TCount> {
  if (accounts.length < count) throw new InstructionError(missing);
  return accounts.slice(0, count) as unknown as Accounts<TCount>;
}

type Accounts<
  TCount extends number,
  TTaken extends readonly InstructionAccount[] = [],
> = TTaken['length'] extends TCount ? TTaken : Accounts<TCount, readonly [...TTaken, InstructionAccount]>;
