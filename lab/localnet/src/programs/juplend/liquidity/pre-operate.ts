import { juplendLiquidityPreOperate } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireConstraint, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { LIQUIDITY, SUPPLY_POSITION, store, TOKEN_RESERVE } from '../accounts.ts';
import { requireAssociated, requireKey, requireMintArgument } from '../checks.ts';
import { juplendError, notModelled } from '../juplend-error.ts';

/** As Earn sends it, which has no debts. @see fluid-solana-programs programs/liquidity/src/module/user.rs `pre_operate` */
export const preOperate = defineProgramInstruction({
  layout: juplendLiquidityPreOperate,
  run(context, { mint }) {
    const reader = new AccountReader(context);
    const protocol = reader.signer('protocol');
    const liquidity = reader.account('liquidity', LIQUIDITY);
    const position = reader.loader('user_supply_position', SUPPLY_POSITION);
    if (reader.optional('user_borrow_position') !== null) notModelled('vaults');
    const vault = reader.tokenAccount('vault');
    const tokenReserve = reader.loader('token_reserve', TOKEN_RESERVE);
    const tokenProgram = reader.tokenProgram('token_program');

    requireConstraint(liquidity, !liquidity.load().status, (details) => juplendError('ProtocolLockdown', details));
    requireKey(position, position.load().protocol, protocol);
    requireMintArgument(position, position.load().mint, mint);
    requireAssociated(vault, { mint, authority: liquidity.account.address, tokenProgram });
    requireWritable(tokenReserve);
    requireMintArgument(tokenReserve, tokenReserve.load().mint, mint);
    requireKey(tokenReserve, tokenReserve.load().vault, vault);

    store(tokenReserve, TOKEN_RESERVE, {
      ...tokenReserve.load(),
      interactingProtocol: protocol.account.address,
      interactingTimestamp: context.slot.unixTimestamp,
      interactingBalance: amountOf(vault.account.data),
    });
  },
});
