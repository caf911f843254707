import type { AccountState } from '@lending/localnet';
import type { Address } from '@solana/kit';
import type { Chain } from '../real-program/chain.ts';

/** The accounts that two chains hold differently, with the first byte that differs. */
export function accountDifferences(elf: Chain, model: Chain): readonly string[] {
  const left = elf.state.accounts;
  const right = model.state.accounts;
  const addresses = new Set<Address>([...left.keys(), ...right.keys()]);
  return [...addresses].flatMap((address) => {
    const difference = differenceOf(left.get(address), right.get(address));
    return difference === null ? [] : [`${address}: ${difference}`];
  });
}

function differenceOf(elf: AccountState | undefined, model: AccountState | undefined): string | null {
  if (elf === model) return null;
  if (elf === undefined || model === undefined) return `only the ${elf === undefined ? 'model' : 'ELF'} has it`;
  if (elf.owner !== model.owner) return `the ELF gives it to ${elf.owner}, the model to ${model.owner}`;
  if (elf.lamports !== model.lamports) return `${elf.lamports} lamports by the ELF, ${model.lamports} by the model`;
  if (elf.data.length !== model.data.length)
    return `${elf.data.length} bytes by the ELF, ${model.data.length} by the model`;
  const at = elf.data.findIndex((byte, index) => byte !== model.data[index]);
  if (at < 0) return null;
  const show = (data: Uint8Array) => Buffer.from(data.subarray(at, at + 32)).toString('hex');
  return `from byte ${at} ${show(elf.data)} by the ELF, ${show(model.data)} by the model`;
}
