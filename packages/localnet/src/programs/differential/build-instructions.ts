import type { AccountRole, Address } from '@solana/kit';
import { readAddress } from '#engine/address-bytes.ts';
import { readU64 } from '#engine/bytes.ts';
import { COMPUTE_BUDGET_PROGRAM, RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../associated-token/associated-token-program.ts';
import { ACCOUNT, MINT, MULTISIG, STATE } from '../token/token-state.ts';
import { UNSUPPORTED_TOKEN_2022_INSTRUCTIONS } from '../token-2022/token-2022-program.ts';
import {
  concat,
  createAccount,
  instruction,
  key,
  type Meta,
  option,
  text,
  u16,
  u32,
  u64,
} from './instruction-bytes.ts';
import type { Operation } from './random-operation.ts';
import type { TwinChains } from './twin-chains.ts';
import {
  type AnyInstruction,
  associatedAddress,
  EVERYTHING,
  PAYER,
  SEEDS,
  SIDES,
  SLOTS,
  seededAddress,
  TOKEN,
  TOKEN_2022,
  type TokenSide,
  WALLETS,
} from './world.ts';

const MUTATION_RATE = 15;
const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Sizes a Token-2022 mint may be given: plain, with fees, one key, both, no value, a pointer; and odd ones. */
const MINT_SIZES = [82, 278, 202, 314, 170, 234, 202, 234, 166, 165, 100];
const ACCOUNT_SIZES = [165, 178, 170, 182, 166, 200, 174];

class Builder {
  readonly #operation: Operation;
  readonly #chains: TwinChains;
  readonly #side: TokenSide;

  constructor(operation: Operation, chains: TwinChains) {
    this.#operation = operation;
    this.#chains = chains;
    this.#side = SIDES[operation.side % SIDES.length] ?? TOKEN;
  }

  build(): AnyInstruction[] {
    const isSystem = this.#operation.kind % 100 < 14;
    const kinds = isSystem ? this.#systemKinds() : this.#tokenKinds();
    const chosen = kinds[Math.floor(this.#operation.kind / 100) % kinds.length];
    const instructions = chosen?.() ?? [];
    return instructions.map((built) => {
      const mutated = this.#mutate(built);
      return isModelled(mutated) ? mutated : built;
    });
  }

  #systemKinds(): (() => AnyInstruction[])[] {
    const slot = choose(SLOTS, this.#pick(0));
    const wallet = choose(WALLETS, this.#pick(1));
    const owner = choose([SYSTEM_PROGRAM, TOKEN.program, TOKEN_2022.program, slot], this.#pick(2));
    const seed = choose(SEEDS, this.#pick(3));
    const seeded = seededAddress(wallet, seed, owner);
    const space = choose([0n, 1n, 82n, 165n, 355n, 20_000n, 0n, 165n, 10_485_761n], this.#operation.flag);
    const rent = this.#chains.context.minimumBalance(Number(space > 20_000n ? 0n : space));
    const lamports = choose([rent, rent, rent + 5n, rent - 1n, 0n, 10n ** 18n, 1n], this.#operation.amount);
    const sent = choose([rent, 1_000_000n, 890_880n, 890_879n, 0n, 10n ** 18n, U64_MAX], this.#operation.amount);
    const to = choose([slot, wallet, ...WALLETS, PAYER, ...this.#side.accounts, seeded], this.#pick(2));
    const system = (metas: readonly Meta[], ...data: readonly (Uint8Array | number)[]) => [
      instruction(SYSTEM_PROGRAM, metas, ...data),
    ];
    return [
      () =>
        system(
          [
            ['ws', wallet],
            ['w', to],
          ],
          u32(2),
          u64(sent),
        ),
      () =>
        system(
          [
            ['ws', slot],
            ['w', to],
          ],
          u32(2),
          u64(sent),
        ),
      () => [createAccount(wallet, slot, lamports, space, owner)],
      () => system([['ws', slot]], u32(1), key(owner)),
      () => system([['ws', slot]], u32(8), u64(space)),
      () =>
        system(
          [
            ['ws', wallet],
            ['w', seeded],
            ['s', wallet],
          ],
          u32(3),
          key(wallet),
          text(seed),
          u64(lamports),
          u64(space),
          key(owner),
        ),
      () =>
        system(
          [
            ['w', seeded],
            ['s', wallet],
          ],
          u32(9),
          key(wallet),
          text(seed),
          u64(space),
          key(owner),
        ),
      () =>
        system(
          [
            ['w', seeded],
            ['s', wallet],
          ],
          u32(10),
          key(wallet),
          text(seed),
          key(owner),
        ),
      () =>
        system(
          [
            ['w', seeded],
            ['s', wallet],
            ['w', to],
          ],
          u32(11),
          u64(sent),
          text(seed),
          key(owner),
        ),
      () =>
        system(
          [
            ['ws', slot],
            ['ws', wallet],
          ],
          u32(13),
          u64(lamports),
          u64(space),
          key(owner),
        ),
      () =>
        system(
          [
            ['ws', wallet],
            ['w', seeded],
          ],
          u32(2),
          u64(sent),
        ),
      () => [
        instruction(COMPUTE_BUDGET_PROGRAM, [], 2, u32(1_000_000)),
        instruction(COMPUTE_BUDGET_PROGRAM, [], 3, u64(sent % 90_000n)),
      ],
    ];
  }

  #tokenKinds(): (() => AnyInstruction[])[] {
    const plain = [
      () => this.#transfer(),
      () => this.#transfer(),
      () => this.#transfer(),
      () => this.#transfer(),
      () => this.#approve(),
      () => this.#approve(),
      () => this.#spendSimple(5, []),
      () => this.#setAuthority(),
      () => this.#setAuthority(),
      () => this.#mintTo(),
      () => this.#mintTo(),
      () => this.#burn(),
      () => this.#close(),
      () => this.#close(),
      () => this.#toggleFrozen(10),
      () => this.#toggleFrozen(11),
      () => this.#toggleFrozen(11),
      () => this.#syncNative(),
      () => this.#queries(),
      () => this.#lamportMoves(),
      () => this.#initializeMint(),
      () => this.#initializeAccount(),
      () => this.#initializeMultisig(),
      () => this.#createMint(),
      () => this.#createAccount(),
      () => this.#createAccount(),
      () => this.#associated(),
      () => this.#associated(),
      () => this.#associated(),
      () => this.#wrap(),
    ];
    if (this.#side === TOKEN) return [...plain, () => this.#batch()];
    return [
      ...plain,
      () => this.#transferWithFee(),
      () => this.#transferWithFee(),
      () => this.#transferWithFee(),
      () => this.#setFee(),
      () => this.#setFee(),
      () => this.#withdrawWithheld(),
      () => this.#withdrawWithheld(),
      () => this.#harvest(),
      () => this.#harvest(),
      () => this.#mintExtension(),
    ];
  }

  #transfer(): AnyInstruction[] {
    const [source, destination] = this.#twoAccounts();
    const isChecked = this.#operation.flag % 4 !== 0;
    const amount = u64(this.#amountOf(source));
    const authority = this.#authorityOf(source, ACCOUNT.owner);
    if (!isChecked) return [this.#token([['w', source], ['w', destination], ...authority], 3, amount)];
    const mint = this.#mintOf(source);
    return [
      this.#token([['w', source], ['r', mint], ['w', destination], ...authority], 12, amount, this.#decimalsOf(mint)),
    ];
  }

  #transferWithFee(): AnyInstruction[] {
    const [source, destination] = this.#twoAccounts();
    const mint = this.#mintOf(source);
    const amount = this.#amountOf(source);
    const fee = this.#feeOf(mint, amount);
    const metas: Meta[] = [['w', source], ['r', mint], ['w', destination], ...this.#authorityOf(source, ACCOUNT.owner)];
    return [this.#token(metas, 26, 1, u64(amount), this.#decimalsOf(mint), u64(fee))];
  }

  #approve(): AnyInstruction[] {
    const source = this.#account(0);
    const delegate = choose([...WALLETS, this.#side.multisig, source], this.#pick(1));
    const amount = u64(this.#amountOf(source));
    const authority = this.#authorityOf(source, ACCOUNT.owner);
    if (this.#operation.flag % 2 === 0) return [this.#token([['w', source], ['r', delegate], ...authority], 4, amount)];
    const mint = this.#mintOf(source);
    return [
      this.#token([['w', source], ['r', mint], ['r', delegate], ...authority], 13, amount, this.#decimalsOf(mint)),
    ];
  }

  #spendSimple(tag: number, data: readonly Uint8Array[]): AnyInstruction[] {
    const source = this.#account(0);
    return [this.#token([['w', source], ...this.#authorityOf(source, ACCOUNT.owner)], tag, ...data)];
  }

  #setAuthority(): AnyInstruction[] {
    const isMint = this.#operation.flag % 2 === 0;
    const next = choose([...WALLETS, null, this.#side.multisig, SYSTEM_PROGRAM, RENT_SYSVAR], this.#pick(1));
    const target = isMint ? this.#mint(0) : this.#account(0);
    const kind = choose(isMint ? [0, 1, 0, 1, 4, 5, 6, 2, 8, 12] : [2, 3, 3, 2, 0, 99], this.#pick(2));
    const offset = isMint ? (kind === 0 ? MINT.authority + 4 : MINT.freezeAuthority + 4) : ACCOUNT.owner;
    return [this.#token([['w', target], ...this.#authorityOf(target, offset)], 6, kind, option(next))];
  }

  #mintTo(): AnyInstruction[] {
    const destination = this.#account(0);
    const mint = this.#mintOf(destination);
    const metas: Meta[] = [['w', mint], ['w', destination], ...this.#authorityOf(mint, MINT.authority + 4)];
    const amount = u64(this.#amountOf(destination));
    if (this.#operation.flag % 2 === 0) return [this.#token(metas, 7, amount)];
    return [this.#token(metas, 14, amount, this.#decimalsOf(mint))];
  }

  #burn(): AnyInstruction[] {
    const source = this.#account(0);
    const mint = this.#mintOf(source);
    const metas: Meta[] = [['w', source], ['w', mint], ...this.#authorityOf(source, ACCOUNT.owner)];
    const amount = u64(this.#amountOf(source));
    if (this.#operation.flag % 2 === 0) return [this.#token(metas, 8, amount)];
    return [this.#token(metas, 15, amount, this.#decimalsOf(mint))];
  }

  #close(): AnyInstruction[] {
    const isMint = this.#operation.flag % 5 === 1;
    const target = isMint ? this.#mint(0) : this.#account(0);
    const destination = choose([...WALLETS, PAYER, target, ...this.#side.accounts], this.#pick(1));
    return [this.#token([['w', target], ['w', destination], ...this.#authorityOf(target, ACCOUNT.owner)], 9)];
  }

  #toggleFrozen(tag: number): AnyInstruction[] {
    const frozen = this.#side.accounts.filter((candidate) => this.#data(candidate)[ACCOUNT.state] === STATE.frozen);
    const account = tag === 11 && frozen.length > 0 ? choose(frozen, this.#pick(0)) : this.#account(0);
    const mint = this.#mintOf(account);
    return [this.#token([['w', account], ['r', mint], ...this.#authorityOf(mint, MINT.freezeAuthority + 4)], tag)];
  }

  #syncNative(): AnyInstruction[] {
    const account = choose([this.#side.accounts[3] ?? PAYER, this.#account(0)], this.#pick(1));
    const metas: Meta[] = [['w', account]];
    if (this.#operation.flag % 3 === 0) metas.push(['r', RENT_SYSVAR]);
    return [this.#token(metas, 17)];
  }

  /** Lamports sent to a wrapped SOL account and counted. */
  #wrap(): AnyInstruction[] {
    const account = this.#side.accounts[3] ?? PAYER;
    const wallet = choose(WALLETS, this.#pick(1));
    const amount = u64(choose([1n, 5_000_000n, 0n], this.#operation.amount));
    return [
      instruction(
        SYSTEM_PROGRAM,
        [
          ['ws', wallet],
          ['w', account],
        ],
        u32(2),
        amount,
      ),
      this.#token([['w', account]], 17),
    ];
  }

  #queries(): AnyInstruction[] {
    const mint = this.#mint(0);
    const ui = choose(
      ['1', '1.5', '0.000001', '.5', '', '1.0000000', 'x', '-1', '+3', '18446744073709551616'],
      this.#pick(1),
    );
    const data = choose(
      [
        concat(21),
        concat(21, u16(7)),
        concat(21, u16(2), u16(7)),
        concat(21, u16(1)),
        concat(21, u16(15), 9),
        concat(23, u64(this.#plainAmount())),
        concat(24, new TextEncoder().encode(ui)),
      ],
      this.#pick(2),
    );
    return [this.#token([['r', mint]], data)];
  }

  #lamportMoves(): AnyInstruction[] {
    const source = choose([...this.#side.accounts, ...this.#side.mints, this.#side.multisig], this.#pick(0));
    const destination = choose([...WALLETS, ...this.#side.accounts], this.#pick(1));
    const isMint = this.#side.mints.includes(source);
    const authority = this.#authorityOf(source, isMint ? MINT.authority + 4 : ACCOUNT.owner);
    const metas: Meta[] = [['w', source], ['w', destination], ...authority];
    if (this.#operation.flag % 2 === 0) return [this.#token(metas, 38)];
    const amount = this.#operation.flag % 3 === 0 ? Uint8Array.of(0) : concat(1, u64(this.#amountOf(source)));
    return [this.#token(metas, 45, amount)];
  }

  #initializeMint(mint = this.#unusedMint()): AnyInstruction[] {
    const authority = choose(WALLETS, this.#pick(1));
    const freeze = choose([...WALLETS, null], this.#pick(2));
    const fields = concat(choose([6, 0, 9, 2], this.#pick(3)), key(authority), option(freeze));
    if (this.#operation.flag % 3 !== 0) return [this.#token([['w', mint]], 20, fields)];
    return [
      this.#token(
        [
          ['w', mint],
          ['r', RENT_SYSVAR],
        ],
        0,
        fields,
      ),
    ];
  }

  #initializeAccount(account = this.#unusedAccount()): AnyInstruction[] {
    const mint = this.#mint(1);
    const owner = choose([...WALLETS, this.#side.multisig, SYSTEM_PROGRAM], this.#pick(2));
    switch (this.#operation.flag % 4) {
      case 0:
        return [
          this.#token(
            [
              ['w', account],
              ['r', mint],
              ['r', owner],
              ['r', RENT_SYSVAR],
            ],
            1,
          ),
        ];
      case 1:
        return [
          this.#token(
            [
              ['w', account],
              ['r', mint],
              ['r', RENT_SYSVAR],
            ],
            16,
            key(owner),
          ),
        ];
      case 2:
        return [
          this.#token([['w', account]], 22),
          this.#token(
            [
              ['w', account],
              ['r', mint],
            ],
            18,
            key(owner),
          ),
        ];
      default:
        return [
          this.#token(
            [
              ['w', account],
              ['r', mint],
            ],
            18,
            key(owner),
          ),
        ];
    }
  }

  #initializeMultisig(): AnyInstruction[] {
    const target = choose([this.#side.multisig, choose(SLOTS, this.#pick(1))], this.#operation.flag);
    const signers = WALLETS.slice(0, this.#pick(2) % 4).map((wallet): Meta => ['r', wallet]);
    const required = choose([1, 2, 3, 0, 12], this.#pick(3));
    const tail = this.#token([['w', target], ...signers], 19, required);
    if (this.#operation.flag % 2 === 0) return [tail];
    const rent = this.#chains.context.minimumBalance(MULTISIG.size);
    return [createAccount(PAYER, target, rent, BigInt(MULTISIG.size), this.#side.program), tail];
  }

  #createMint(): AnyInstruction[] {
    const mint = this.#unusedMint();
    const size = this.#side === TOKEN ? MINT.size : choose(MINT_SIZES, this.#operation.flag);
    const create = createAccount(
      PAYER,
      mint,
      this.#chains.context.minimumBalance(size),
      BigInt(size),
      this.#side.program,
    );
    const extensions: AnyInstruction[] = [];
    if (size === 278 || size === 314) extensions.push(...this.#initializeFee(mint));
    const wallet = choose(WALLETS, this.#pick(2));
    const isDelegate = size === 202 && this.#pick(1) % 2 === 0;
    if (isDelegate) extensions.push(this.#token([['w', mint]], 35, key(wallet)));
    else if (size === 202 || size === 314) extensions.push(this.#token([['w', mint]], 25, option(wallet)));
    const pointer = choose([36, 39, 40, 41], this.#pick(1));
    if (size === 234) extensions.push(this.#token([['w', mint]], pointer, 0, key(wallet), key(SYSTEM_PROGRAM)));
    if (size === 170) extensions.push(this.#token([['w', mint]], 32));
    return [create, ...extensions, ...this.#initializeMint(mint)];
  }

  #initializeFee(mint: Address): AnyInstruction[] {
    const configAuthority = choose([...WALLETS, null], this.#pick(2));
    const withdrawAuthority = choose([...WALLETS, null], this.#pick(3));
    const rate = concat(u16(choose(RATES, this.#operation.amount)), u64(choose(MAXIMUM_FEES, this.#pick(1))));
    return [this.#token([['w', mint]], 26, 0, option(configAuthority), option(withdrawAuthority), rate)];
  }

  #createAccount(): AnyInstruction[] {
    const account = this.#unusedAccount();
    const size = this.#side === TOKEN ? ACCOUNT.size : choose(ACCOUNT_SIZES, this.#pick(3));
    const rent = this.#chains.context.minimumBalance(size) + choose([0n, 0n, 7n], this.#operation.amount);
    return [createAccount(PAYER, account, rent, BigInt(size), this.#side.program), ...this.#initializeAccount(account)];
  }

  #mintExtension(): AnyInstruction[] {
    const mint = this.#mint(0);
    const wallet = choose(WALLETS, this.#pick(1));
    switch (this.#operation.flag % 6) {
      case 0:
        return [this.#token([['w', mint]], 25, option(choose([wallet, null, SYSTEM_PROGRAM], this.#pick(2))))];
      case 1:
        return [this.#token([['w', mint]], 35, key(wallet))];
      case 2:
        return [this.#token([['w', mint]], 32)];
      case 3:
        return [this.#token([['w', mint]], 39, 0, key(wallet), key(choose([mint, SYSTEM_PROGRAM], this.#pick(2))))];
      case 4:
        return [this.#token([['w', mint]], 36, 0, key(wallet), key(SYSTEM_PROGRAM))];
      default:
        return this.#initializeFee(mint);
    }
  }

  #setFee(): AnyInstruction[] {
    const mint = choose([this.#side.mints[2] ?? PAYER, this.#mint(0)], this.#pick(3));
    const rate = concat(u16(choose(RATES, this.#operation.amount)), u64(choose(MAXIMUM_FEES, this.#pick(1))));
    return [this.#token([['w', mint], ...this.#signedBy(choose(WALLETS, this.#pick(2)))], 26, 5, rate)];
  }

  #withdrawWithheld(): AnyInstruction[] {
    const destination = this.#account(0);
    const mint = this.#mintOf(destination);
    const authority = this.#signedBy(choose([WALLETS[1], ...WALLETS], this.#pick(2)));
    if (this.#operation.flag % 2 === 0) return [this.#token([['w', mint], ['w', destination], ...authority], 26, 2)];
    const sources = this.#someAccounts();
    const metas: Meta[] = [['w', mint], ['w', destination], ...authority, ...sources];
    return [this.#token(metas, 26, 3, sources.length)];
  }

  #harvest(): AnyInstruction[] {
    const mint = this.#mintOf(this.#account(0));
    return [this.#token([['w', mint], ...this.#someAccounts()], 26, 4)];
  }

  #associated(): AnyInstruction[] {
    const wallet = choose([...WALLETS, this.#side.accounts[0] ?? PAYER], this.#pick(0));
    const mint = this.#mint(1);
    const account = associatedAddress(wallet, mint, this.#side.program);
    const funder = choose([PAYER, ...WALLETS], this.#pick(2));
    const metas: Meta[] = [
      ['ws', funder],
      ['w', account],
      ['r', wallet],
      ['r', mint],
      ['r', SYSTEM_PROGRAM],
      ['r', this.#side.program],
    ];
    const create = (...data: readonly number[]) => instruction(ASSOCIATED_TOKEN_PROGRAM, metas, ...data);
    switch (this.#operation.flag % 5) {
      case 0:
        return [create()];
      case 1:
        return [create(0)];
      case 2:
        return [
          instruction(
            SYSTEM_PROGRAM,
            [
              ['ws', PAYER],
              ['w', account],
            ],
            u32(2),
            u64(1_000_000n),
          ),
          create(1),
        ];
      case 3:
        return this.#recoverNested(wallet, mint);
      default:
        return [create(1)];
    }
  }

  /** Makes the accounts it takes first, so that it has something to recover. */
  #recoverNested(wallet: Address, mint: Address): AnyInstruction[] {
    const { program } = this.#side;
    const owned = associatedAddress(wallet, mint, program);
    const nestedMint = this.#mint(3);
    const nested = associatedAddress(owned, nestedMint, program);
    const destination = associatedAddress(wallet, nestedMint, program);
    const create = (account: Address, owner: Address, of: Address) =>
      instruction(
        ASSOCIATED_TOKEN_PROGRAM,
        [
          ['ws', PAYER],
          ['w', account],
          ['r', owner],
          ['r', of],
          ['r', SYSTEM_PROGRAM],
          ['r', program],
        ],
        1,
      );
    const authority = this.#authorityOf(nestedMint, MINT.authority + 4);
    const recover = instruction(
      ASSOCIATED_TOKEN_PROGRAM,
      [
        ['w', nested],
        ['r', nestedMint],
        ['w', destination],
        ['r', owned],
        ['r', mint],
        ['ws', wallet],
        ['r', program],
      ],
      2,
    );
    const made = [
      create(owned, wallet, mint),
      create(nested, owned, nestedMint),
      create(destination, wallet, nestedMint),
    ];
    if (this.#operation.amount % 3 === 0) return [...made, recover];
    return [...made, this.#token([['w', nestedMint], ['w', nested], ...authority], 7, u64(44n)), recover];
  }

  #batch(): AnyInstruction[] {
    const parts = [...this.#transfer(), ...this.#burn()].slice(0, 1 + (this.#pick(3) % 2));
    const data = parts.map((part) => concat(part.accounts.length, part.data.length, new Uint8Array(part.data)));
    return [
      { programAddress: TOKEN.program, accounts: parts.flatMap((part) => part.accounts), data: concat(255, ...data) },
    ];
  }

  #token(metas: readonly Meta[], ...data: readonly (Uint8Array | number)[]): AnyInstruction {
    return instruction(this.#side.program, metas, ...data);
  }

  #pick(index: 0 | 1 | 2 | 3): number {
    return this.#operation.picks[index];
  }

  #account(index: 0 | 1 | 2 | 3): Address {
    const { accounts, mints, program } = this.#side;
    const associated = WALLETS.flatMap((wallet) => mints.map((mint) => associatedAddress(wallet, mint, program)));
    const all = [...accounts, ...accounts, ...associated];
    return choose(
      this.#preferLive(all, (data) => data.length >= ACCOUNT.size && data[ACCOUNT.state] !== 0),
      this.#pick(index),
    );
  }

  /** Mostly accounts that are in use, unless there are none or the dice say otherwise. */
  #preferLive(addresses: readonly Address[], isLive: (data: Uint8Array) => boolean): readonly Address[] {
    const live = addresses.filter((address) => isLive(this.#data(address)));
    return live.length === 0 || this.#operation.flag % 7 === 0 ? addresses : live;
  }

  #mint(index: 0 | 1 | 2 | 3): Address {
    const all = [...this.#side.mints, ...this.#side.mints, this.#side.nativeMint];
    return choose(
      this.#preferLive(all, (data) => data[MINT.isInitialized] === 1),
      this.#pick(index),
    );
  }

  #unusedMint(): Address {
    const unused = this.#side.mints.filter((mint) => this.#chains.account(mint) === undefined);
    return choose(this.#operation.flag % 4 === 0 || unused.length === 0 ? this.#side.mints : unused, this.#pick(0));
  }

  #unusedAccount(): Address {
    const { accounts } = this.#side;
    const unused = accounts.filter((account) => this.#data(account)[ACCOUNT.state] !== 1);
    return choose(this.#operation.flag % 4 === 3 || unused.length === 0 ? accounts : unused, this.#pick(0));
  }

  /** Mostly two accounts of one mint. */
  #twoAccounts(): [Address, Address] {
    const source = this.#account(0);
    const mint = this.#mintOf(source);
    const { accounts } = this.#side;
    const fitting = accounts.filter((account) => this.#mintOf(account) === mint);
    const others = [...fitting, ...fitting, ...fitting, source, ...accounts];
    return [source, choose(others, this.#pick(1))];
  }

  #someAccounts(): Meta[] {
    const count = this.#operation.flag % 4;
    const { accounts } = this.#side;
    return Array.from({ length: count }, (_, index): Meta => ['w', choose(accounts, this.#pick(3) + index * 5)]);
  }

  #data(address: Address): Uint8Array {
    return this.#chains.account(address)?.data ?? new Uint8Array();
  }

  #mintOf(account: Address): Address {
    const data = this.#data(account);
    const isPlausible = data.length >= ACCOUNT.size && data[ACCOUNT.state] !== 0;
    return isPlausible ? readAddress(data, ACCOUNT.mint) : this.#mint(2);
  }

  #decimalsOf(mint: Address): number {
    const decimals = this.#data(mint)[MINT.decimals] ?? 0;
    return this.#operation.flag % 23 === 0 ? (decimals + 1) % 256 : decimals;
  }

  #plainAmount(): bigint {
    return choose([0n, 1n, 2n, 10n, 999n, 1_000n, 12_345n, 1_000_000n, U64_MAX, 1n << 63n], this.#operation.amount);
  }

  #amountOf(account: Address): bigint {
    const data = this.#data(account);
    const balance = data.length >= ACCOUNT.size ? readU64(data, ACCOUNT.amount) : 0n;
    const third = balance / 3n;
    const choices = [third, third, third, balance, balance / 2n + 1n, (balance + 1n) % U64_MAX, this.#plainAmount()];
    return choose(choices, Math.floor(this.#operation.amount / 10));
  }

  /** The fee of the newer rate, which is often the one in force. */
  #feeOf(mint: Address, amount: bigint): bigint {
    const data = this.#data(mint);
    if (data.length < 278 || this.#operation.flag % 11 === 0) return 0n;
    const older = 170 + 72;
    const newer = 170 + 90;
    const start = readU64(data, newer) <= this.#chains.context.epoch ? newer : older;
    const rate = BigInt((data[start + 16] ?? 0) + 256 * (data[start + 17] ?? 0));
    const fee = (amount * rate + 9_999n) / 10_000n;
    const maximum = readU64(data, start + 8);
    return fee < maximum ? fee : maximum;
  }

  /** Metas of the authority that stands at `offset` of the target, mostly; sometimes of somebody else. */
  #authorityOf(target: Address, offset: number): Meta[] {
    const data = this.#data(target);
    const mode = this.#operation.authority;
    const isDelegated = data.length >= ACCOUNT.size && data[ACCOUNT.delegate] === 1;
    if (isDelegated && mode < 25) return this.#signedBy(readAddress(data, ACCOUNT.delegate + 4));
    if (data.length >= offset + 32 && mode < 85) return this.#signedBy(readAddress(data, offset));
    return this.#signedBy(choose([...WALLETS, this.#side.multisig, target], mode));
  }

  #signedBy(authority: Address): Meta[] {
    const isUnsigned = this.#operation.authority % 17 === 16;
    if (this.#side.multisig !== authority) return [[isUnsigned ? 'r' : 's', authority]];
    const signers = WALLETS.slice(0, 1 + (this.#operation.authority % 3));
    return [['r', authority], ...signers.map((wallet): Meta => [isUnsigned ? 'r' : 's', wallet])];
  }

  #mutate(built: AnyInstruction): AnyInstruction {
    const { mutation, mutationPicks } = this.#operation;
    if (mutation >= MUTATION_RATE) return built;
    const [position, value] = mutationPicks;
    const index = built.accounts.length === 0 ? 0 : position % built.accounts.length;
    const account = built.accounts[index];
    const replace = (change: Partial<{ address: Address; role: AccountRole }>) => ({
      ...built,
      accounts: built.accounts.map((meta, at) => (at === index ? { ...meta, ...change } : meta)) as never,
    });
    switch (mutation % 8) {
      case 0:
        return replace({ address: choose(EVERYTHING, value) });
      case 1:
        return account === undefined ? built : replace({ role: (account.role ^ 1) as AccountRole });
      case 2:
        return account === undefined ? built : replace({ role: (account.role ^ 2) as AccountRole });
      case 3:
        return { ...built, accounts: built.accounts.filter((_, at) => at !== index) };
      case 4:
        return { ...built, data: built.data.slice(0, value % (built.data.length + 1)) };
      case 5:
        return { ...built, data: spoil(new Uint8Array(built.data), position, value) };
      case 6:
        return replace({ address: built.accounts[value % built.accounts.length]?.address ?? PAYER });
      default:
        return { ...built, data: concat(new Uint8Array(built.data), value % 256) };
    }
  }
}

const RATES = [0, 1, 50, 250, 9_999, 10_000, 10_001];
const MAXIMUM_FEES = [0n, 1n, 5_000n, U64_MAX, 1_000n];

/** The instructions an operation means in the state it meets. */
export function buildInstructions(operation: Operation, chains: TwinChains): AnyInstruction[] {
  return new Builder(operation, chains).build();
}

/** Whether the model has this instruction at all. */
function isModelled({ programAddress, data }: AnyInstruction): boolean {
  const tag = data[0] ?? 0;
  if (programAddress === SYSTEM_PROGRAM) return !((tag >= 4 && tag <= 7) || tag === 12);
  if (programAddress !== TOKEN_2022.program) return true;
  const isPointerUpdate = [36, 39, 40, 41].includes(tag) && data[1] === 1;
  return !UNSUPPORTED_TOKEN_2022_INSTRUCTIONS.has(tag) && !isPointerUpdate;
}

function spoil(data: Uint8Array, position: number, value: number): Uint8Array {
  if (data.length > 0) data[position % data.length] = value % 256;
  return data;
}

function choose<T>(options: readonly T[], pick: number): T {
  return options[pick % options.length] as T;
}
