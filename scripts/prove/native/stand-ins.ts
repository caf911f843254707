/** A branch of the program: what changed on it since it left that of 0.1.10 is applied. */
interface Branch {
  readonly branch: string;
  readonly commit: string;
  /** Files in which both sides of a conflict are kept, one after the other. In others, what was there before is kept. */
  readonly both?: readonly string[];
  /** File, text that is there once, and what stands there afterwards. */
  readonly edits?: readonly (readonly [string, string | RegExp, string])[];
}

/** What the release of 0.1.10 has and its branch had not. */
const FIXES: readonly Branch[] = [
  { branch: 'cb-fixes-2', commit: '32801e7d91cc3904ffeb9a146fe5a119973d9e98' },
  { branch: 'same-asset-emode-feed-family', commit: '7c691f60f21f465691856aa30ad90de3ee7510a7' },
  { branch: 'withdraw-repay-all-dust-fix', commit: 'd655ee28dcc89ef8c3239a0d1d1fba10225e37ff' },
  { branch: 'fix-wrapped-bank-withdraw-rate-limit-underlying', commit: 'b8cd355f3a408e94d17613b4e726666fbee6e888' },
];

const ERRORS = 'programs/marginfi/src/errors.rs';
const ACCOUNT = 'programs/marginfi/src/state/marginfi_account.rs';
const INSTRUCTIONS = 'programs/marginfi/src/instructions';
const TAG = `${INSTRUCTIONS}/marginfi_account/tag_liquid_record.rs`;
const END_LIQUIDATION = `${INSTRUCTIONS}/marginfi_account/liquidate_end.rs`;
const BANK = 'type-crate/src/types/bank.rs';
/** Of the oracles of 0.1.11, which the branch numbers from 18 on and the release from 19 on: it has Scope before them. */
const ORACLE_SETUPS = ['PythMSOL', 'KaminoMSOL', 'JuplendMSOL', 'PythLST', 'KaminoLST', 'JuplendLST', 'PTSOL'];

/** Development of 0.1.11 and 0.1.12, before the releases. The edits move fields, accounts and numbers to where the releases have them. */
const FEATURES: readonly Branch[] = [
  {
    branch: 'new-oracles',
    commit: 'c922fa02be1e015ffb63d6aa79c673b631093df5',
    edits: [
      ...['MarinadeStateValidationFailed', 'ExponentVaultValidationFailed', 'InvalidPtStartPrice'].flatMap(
        (name, place) => [
          [ERRORS, `${name} = ${700 + place}`, `${name} = ${136 + place}`] as const,
          [ERRORS, `${6700 + place} => MarginfiError::${name}`, `${6136 + place} => MarginfiError::${name}`] as const,
        ],
      ),
      [
        BANK,
        'pub enum OracleSetup {',
        '#[cfg_attr(feature = "anchor", borsh(use_discriminant = true))]\npub enum OracleSetup {',
      ],
      [BANK, /PythMSOL, +\/\/ 18/, 'PythMSOL = 19,'],
      [BANK, '| Self::FixedJuplend => None,', '| Self::FixedJuplend => None,\n            _ => None,'],
      ...ORACLE_SETUPS.map(
        (name, place) =>
          [BANK, `${18 + place} => Some(Self::${name})`, `${19 + place} => Some(Self::${name})`] as const,
      ),
    ],
  },
  {
    branch: 'liquidation-tag',
    commit: 'f8873b9c770ae1a51825180c63d4a9ba0e628325',
    both: [ERRORS],
    // The release keeps the tag in the account, and its error has the number that was vacant.
    edits: [
      [ERRORS, '    Vacated3,\n', '    LiquidationRecordAlreadyTagged,\n'],
      [ERRORS, 'LiquidationRecordAlreadyTagged, // 6605', 'Vacated3 = 605,'],
      [
        'type-crate/src/types/user_account.rs',
        'pub _padding0: [u64; 4],',
        'pub rebalance_execution_seq: u64,\n    pub liquidation_tagged_at: i64,\n    pub _padding0: [u64; 2],',
      ],
      [TAG, 'let marginfi_account = ctx.accounts.marginfi_account.load()?;', ''],
      [TAG, /let mut liq_record = .*;/, 'let mut marginfi_account = ctx.accounts.marginfi_account.load_mut()?;'],
      [TAG, 'liq_record.tagged_at != 0', 'marginfi_account.liquidation_tagged_at != 0'],
      [TAG, 'liq_record.tagged_at == 0', 'marginfi_account.liquidation_tagged_at == 0'],
      [TAG, 'liq_record.tagged_at = 0', 'marginfi_account.liquidation_tagged_at = 0'],
      [TAG, 'liq_record.tagged_at = Clock', 'marginfi_account.liquidation_tagged_at = Clock'],
      [TAG, 'tagged_at: liq_record.tagged_at', 'tagged_at: marginfi_account.liquidation_tagged_at'],
      [TAG, 'has_one = liquidation_record @ MarginfiError::InvalidLiquidationRecord', 'mut'],
      [TAG, /#\[account\(mut\)\]\n.*pub liquidation_record: .*\n/, ''],
      [
        END_LIQUIDATION,
        'let tagged_at = liq_record.tagged_at',
        'let tagged_at = marginfi_account.liquidation_tagged_at',
      ],
      [END_LIQUIDATION, 'liq_record.tagged_at = 0', 'marginfi_account.liquidation_tagged_at = 0'],
      [
        `${INSTRUCTIONS}/marginfi_account/liquidate.rs`,
        /match ctx\.accounts\.liquidatee_liquidation_record[\s\S]*?\n {4}\}\n/,
        'if repaid_value > I80F48::ZERO {\n        liquidatee_marginfi_account.liquidation_tagged_at = 0;\n    }\n',
      ],
      [
        `${INSTRUCTIONS}/marginfi_account/liquidate.rs`,
        /\/\/\/ The liquidatee's liquidation record\.[\s\S]*Option<AccountLoader<'info, LiquidationRecord>>,\n/,
        '',
      ],
    ],
  },
  {
    branch: 'variable-borrow-premium',
    commit: 'd323356093c01bc9b376995818ee5d7c9a559dec',
    both: [ERRORS, BANK],
    // Repaying all is as in the newest copy of that file, the bank is as long as the release's, and bankruptcy takes its accounts.
    edits: [
      [
        ACCOUNT,
        'pub fn repay_all(&mut self, in_receivership: bool) -> MarginfiResult<(u64, I80F48)> {',
        'pub fn repay_all(&mut self, in_receivership: bool, settle_premium: bool) -> MarginfiResult<(u64, I80F48)> {\n' +
          '        self.claim_premium()?;',
      ],
      [
        ACCOUNT,
        'let spl_deposit_amount = current_liability_amount',
        'let premium = if settle_premium { self.settle_premium(I80F48::MAX)? } else { I80F48::ZERO };\n' +
          '        let current_liability_amount = current_liability_amount.checked_add(premium).ok_or_else(math_error!())?;\n' +
          '        let spl_deposit_amount = current_liability_amount',
      ],
      [BANK, 'pub _padding_1: [u64; 2],', ''],
      [
        `${INSTRUCTIONS}/marginfi_group/handle_bankruptcy.rs`,
        /(?<=pub token_program: .*\n)\}/,
        '    /// CHECK: by its address\n    #[account(address = solana_instructions_sysvar::ID)]\n' +
          "    pub instructions_sysvar: UncheckedAccount<'info>,\n}",
      ],
      [BANK, 'pub _padding_1: [u64; 1],', 'pub _padding_1: [[u64; 32]; 8],'],
      [BANK, 'assert_struct_size!(Bank, 1856)', 'assert_struct_size!(Bank, 3904)'],
    ],
  },
  {
    branch: 'auto-rebalance-orders',
    commit: '53e736a0ab1147983e2fe84cdab2e0221860fc84',
    both: [ERRORS],
    // What else of it the release has not is numbered from 6900 on.
    edits: [
      [ERRORS, 'RebalanceVenueUnsupported, // 6605', 'RebalanceVenueUnsupported = 700,'],
      [ERRORS, 'RebalanceUnreferencedBank, // 6617', 'RebalanceUnreferencedBank = 900,'],
      [ERRORS, 'RebalanceForeignAccountLeg, // 6618', 'RebalanceForeignAccountLeg = 712,'],
      [ERRORS, 'RebalanceRecordPending, // 6619', 'RebalanceRecordPending = 901,'],
      [ERRORS, 'RebalanceNoAllowlistPosition, // 6620', 'RebalanceNoAllowlistPosition = 713,'],
      [
        `${INSTRUCTIONS}/marginfi_account/withdraw.rs`,
        'if !marginfi_account.defers',
        'let group = marginfi_group_loader.load()?;\n    if !marginfi_account.defers',
      ],
      [
        `${INSTRUCTIONS}/kamino/withdraw.rs`,
        'get_flag(ACCOUNT_IN_RECEIVERSHIP | ACCOUNT_IN_ORDER_EXECUTION);\n        // Fetch',
        'get_flag(ACCOUNT_IN_RECEIVERSHIP | ACCOUNT_IN_ORDER_EXECUTION | ACCOUNT_IN_REBALANCE);\n        // Fetch',
      ],
      [
        ACCOUNT,
        'ACCOUNT_IN_ORDER_EXECUTION, ACCOUNT_IN_RECEIVERSHIP,\n',
        'ACCOUNT_IN_ORDER_EXECUTION, ACCOUNT_IN_REBALANCE, ACCOUNT_IN_RECEIVERSHIP,\n',
      ],
      [
        ACCOUNT,
        /\) -> MarginfiResult \{(?=\s+check_account_health\([^)]*Initial,)/,
        '    premium_scratch: &mut Option<&mut PremiumScratch>,\n) -> MarginfiResult {',
      ],
      [
        ACCOUNT,
        'RiskEngineInitRejected,\n        health_cache,',
        'RiskEngineInitRejected,\n        health_cache,\n        premium_scratch,',
      ],
      [
        ACCOUNT,
        'WorseHealthPostExecution,\n        health_cache,',
        'WorseHealthPostExecution,\n        health_cache,\n        &mut None,',
      ],
    ],
  },
];

/** The branch of 0.1.10, and what is applied to it. */
export const PROGRAM = 'a22c5560454eca18dd2c0bc9c66435e17f1e7545';

export const STAND_INS: Readonly<Record<string, readonly Branch[]>> = {
  '0.1.10': FIXES,
  '0.1.12': [...FIXES, ...FEATURES],
};
