import type { AccountUpdate, Chain } from '@lending/chain';
import type { Address } from '@solana/kit';
import type { SimulateOptions } from '../simulator.ts';
import { assertReadable } from './assert-readable.ts';
import { codeAddressOf, codeOf, deploySlotOf, PROGRAM_DATA_HEADER_BYTES } from './program-account.ts';
import { IMMUTABLE_LOADERS, UPGRADEABLE_LOADER } from './runtime-addresses.ts';
import type { ProgramCode } from './worker-messages.ts';

/** All programs of a market take some 15 MB. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Programs' code as it was read, by program. It is asked for again when it was deployed again. */
export class ProgramCodes {
  readonly #chain: Pick<Chain, 'fetchAccounts' | 'rpc'>;
  readonly #codes = new Map<Address, ProgramCode & { readonly programData: Address | null }>();

  constructor(chain: Pick<Chain, 'fetchAccounts' | 'rpc'>) {
    this.#chain = chain;
  }

  /** When the code of those programs that are known was last deployed. Goes along with reading a transaction's accounts. */
  async fetchDeploySlots(
    addresses: readonly Address[],
    { signal }: Pick<SimulateOptions, 'signal'>,
  ): Promise<ReadonlyMap<Address, bigint | null>> {
    const known = addresses.flatMap((address) => {
      const programData = this.#codes.get(address)?.programData ?? null;
      return programData === null ? [] : [{ address, programData }];
    });
    if (known.length === 0) return new Map();
    const { value } = await this.#chain.rpc
      .getMultipleAccounts(
        known.map(({ programData }) => programData),
        { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER_BYTES } },
      )
      .send(signal === undefined ? {} : { abortSignal: signal });
    return new Map(
      known.map(({ address }, index) => {
        const header = value[index]?.data[0];
        return [address, header === undefined ? null : deploySlotOf(Buffer.from(header, 'base64'))];
      }),
    );
  }

  /** The code of the programs among the accounts, read where it is not known or was deployed again. Without code on the chain: left out. */
  async fetchCodes(
    programs: readonly AccountUpdate[],
    deploySlots: ReadonlyMap<Address, bigint | null>,
    options: SimulateOptions,
  ): Promise<readonly ProgramCode[]> {
    const unknown: { readonly program: AccountUpdate; readonly programData: Address }[] = [];
    for (const program of programs) {
      const programData = codeAddressOf(program);
      const known = this.#codes.get(program.address);
      if (programData === null) this.#rememberImmutable(program);
      else if (known?.programData !== programData || known.key !== keyOf(programData, deploySlots.get(program.address)))
        unknown.push({ program, programData });
    }
    if (options.isForeign && unknown.length > 0)
      await assertReadable(
        this.#chain,
        unknown.map(({ programData }) => programData),
        options,
      );
    await Promise.all(unknown.map(({ program, programData }) => this.#fetch(program.address, programData, options)));
    const codes = programs.flatMap(({ address }) => this.#codes.get(address) ?? []);
    this.#forget(new Set(codes.map(({ address }) => address)));
    return codes.map(({ address, key, loader, elf }) => ({ address, key, loader, elf }));
  }

  async #fetch(address: Address, programData: Address, { signal }: SimulateOptions): Promise<void> {
    this.#codes.delete(address);
    const [batch] = await this.#chain.fetchAccounts([programData], signal === undefined ? {} : { signal });
    const data = batch?.accounts[0]?.data;
    const slot = data === undefined ? null : deploySlotOf(data);
    if (data === undefined || slot === null) return;
    const key = keyOf(programData, slot);
    this.#codes.set(address, { address, key, loader: UPGRADEABLE_LOADER, elf: shared(codeOf(data)), programData });
  }

  #rememberImmutable({ address, owner, data }: AccountUpdate): void {
    if (!IMMUTABLE_LOADERS.includes(owner) || data.length === 0 || this.#codes.has(address)) return;
    this.#codes.set(address, { address, key: address, loader: owner, elf: shared(data), programData: null });
  }

  /** Drops what was not asked for longest, but for what is needed now. */
  #forget(needed: ReadonlySet<Address>): void {
    for (const address of needed) {
      const code = this.#codes.get(address);
      this.#codes.delete(address);
      if (code !== undefined) this.#codes.set(address, code);
    }
    let bytes = [...this.#codes.values()].reduce((sum, { elf }) => sum + elf.length, 0);
    for (const [address, { elf }] of this.#codes) {
      if (bytes <= MAX_BYTES || needed.has(address)) break;
      this.#codes.delete(address);
      bytes -= elf.length;
    }
  }
}

function keyOf(programData: Address, slot: bigint | null | undefined): string {
  return `${programData} ${slot}`;
}

/** A copy that any thread reads without another one. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
