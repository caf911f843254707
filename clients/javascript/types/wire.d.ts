/** What goes over the wire, written by `npm run client:types` from the service's own description. Not edited by hand. */

export type Absent = null | "";

export type AccountHealth = {
  /** By health_ratio, as svc_get_health; unknown where a price is stale: never safe */
  status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
  /** 1 no debt, 0 the liquidation line; a collateral with a stale price counts 0 */
  health_factor: number;
  /** Assets ÷ debt at maintenance weights, 1 the line; null without debt */
  health_ratio: number | null;
  /** Assets − debt at maintenance weights, USD */
  health_usd: number | null;
  /** Weighted assets, USD */
  assets_usd_maint: number | null;
  /** Weighted debt, USD */
  liabilities_usd_maint: number | null;
  /** What may still be borrowed against, USD */
  free_collateral_usd: number | null;
};

export type Activity = {
  /** signature:instruction_index[:inner_index], unique and stable */
  id: string;
  signature: string;
  slot: number;
  /** ISO-8601 UTC, of the block */
  time: string;
  /** confirmed can still be dropped with its fork */
  finality: "confirmed" | "finalized";
  kind: "create_account" | "deposit" | "withdraw" | "borrow" | "repay" | "liquidation" | "loop" | "close_position" | "transfer" | "emissions_claim" | "order" | "bankruptcy";
  /** Ties what happened inside one flash loan or receivership together */
  group_id: string | null;
  account: string;
  authority: string;
  /** Who signed; another than authority when somebody else acted, such as a liquidator */
  actor: string;
  legs: Array<ActivityLeg>;
  /** Network and priority fee of the whole transaction, SOL */
  fee_sol: number | null;
  /** Paid to block builders in the transaction, SOL */
  tip_sol: number | null;
  liquidation: {
    /** The wallet that liquidated */
    liquidator: string;
    asset_bank: string | null;
    liability_bank: string | null;
    /** Collateral taken, UI tokens */
    seized_ui: number | null;
    /** Debt repaid, UI tokens */
    repaid_ui: number | null;
    /** Worth of what was seized − of what was repaid, at the prices of that time, USD */
    penalty_usd: number | null;
  } | null;
  /** Of executions of orders to rebalance, and of settlements of their tips */
  rebalance: {
    order: string;
    /** The wallet that moved it */
    executor: string;
    /** UI tokens that an execution moved; null in a settlement of its tip */
    moved_ui: number | null;
    /** Set aside for the executor; null in a settlement */
    tip_sol: number | null;
    /** What of it the executor was paid; null until that is settled */
    tip_paid_sol: number | null;
    /** Whether the move paid; null until that is settled, and always without a tip */
    realized: boolean | null;
  } | null;
};

export type ActivityLeg = {
  bank: string;
  symbol: string | null;
  mint: string;
  venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | null;
  /** Side of the account that it changed */
  side: "lend" | "borrow";
  /** seize: collateral taken by a liquidator; write_off: debt cancelled in a bankruptcy */
  action: "deposit" | "withdraw" | "borrow" | "repay" | "seize" | "write_off";
  /** UI tokens of the mint that moved; null where the transaction does not tell, or where receipts moved whose worth was not recorded */
  amount_ui: number | null;
  /** The same in base units, exact */
  amount_raw: string | null;
  /** At price_usd, USD */
  amount_usd: number | null;
  /** Price of one token at that time, as recorded here; null where nothing was recorded then, USD */
  price_usd: number | null;
  /** The balance was closed by it */
  close_side: boolean;
  /** What of the amount paid premium, UI tokens; null where the program says nothing */
  premium_settled_ui: number | null;
  /** Premium given up besides the amount, UI tokens */
  premium_written_off_ui: number | null;
};

export type AddressCoverage = {
  /** False: something is missing, as reason says; the answer holds what there is */
  complete: boolean;
  /** Why it is not complete; null when it is */
  reason: string | null;
  /** Banks in the answer that could not be read or valued */
  banks_skipped: Array<{
    bank: string;
    reason: string;
  }>;
};

export type AsOf = {
  /** Chain slot of the oldest input used */
  slot: number | null;
  /** ISO-8601 UTC: the chain's time at that slot */
  time: string;
  /** Seconds between that time and the moment of answering */
  age_seconds: number;
  /** True when the data is older than its limit (rates: RATES_STALE_AFTER_MS, 120 s unless the operator set another); false where no rate is in the answer */
  stale: boolean;
  /** Where the data was read; localnet is the built-in test chain, not Solana */
  source: "chain" | "indexer" | "venue_api" | "localnet" | "fixture";
};

export type BankReserve = {
  /** The venue's pool: reserve, spot market or Earn account */
  address: string;
  market: string;
  /** Text of the chain */
  market_name: string | null;
  /** restricted: some of it not, as status_reasons say; closed: no deposits; suspended and unknown: not usable */
  status: "active" | "restricted" | "closed" | "suspended" | "unknown";
  /** Why it is not simply active */
  status_reasons: Array<string>;
  /** Tokens that one whole receipt is worth, exact decimal text */
  exchange_rate: string | null;
  /** All deposits of the reserve, UI tokens */
  deposits: number | null;
  /** What can leave the reserve now, before its caps, UI tokens */
  available_liquidity: number | null;
  /** The reserve's own cap, UI tokens; null = no cap */
  deposit_limit: number | null;
  /** Room under it, UI tokens; null = no cap */
  deposit_room: number | null;
  /** What withdrawals can take now, after caps, queues and windows, UI tokens */
  withdraw_room: number | null;
  /** Debt ÷ deposits of the reserve, % */
  utilization_pct: number | null;
  /** Paid by the venue's own borrowers, % a year, compounded */
  borrow_apy_pct: number | null;
};

export type Blockhash = {
  value: string;
  last_valid_block_height: number;
  expires_in_seconds: number;
};

export type Coverage = {
  /** Venues whose rates in the answer are current */
  venues_covered: Array<"P0" | "Kamino" | "Drift" | "Solend" | "JupLend">;
  /** Venues that were not read lately, or never: the last values stand, or nulls */
  venues_missing: Array<{
    venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
    reason: string;
    /** ISO-8601 UTC: the newest rates there are; null when there never were any */
    since: string | null;
  }>;
  /** Banks that could not be read, or not in every part */
  banks_skipped: Array<{
    bank: string;
    /** account_gone, owner_mismatch, discriminator_mismatch, account_malformed, value_out_of_range or unreadable; a sentence where something else is missing */
    reason: string;
  }>;
  /** True when nothing is missing or skipped */
  complete: boolean;
};

export type Envelope = {
  /** The lending account, also before it exists */
  account: string;
  /** In the order they are sent */
  transactions: Array<{
    /** The unsigned transaction, its signatures zero bytes; null only with preview_only */
    base64: string | null;
    type: "CREATE_ACCOUNT" | "SETUP" | "CRANK" | "DEPOSIT" | "WITHDRAW" | "BORROW" | "REPAY" | "LOOP" | "CLOSE_POSITION";
    /** A person's words for it */
    label: string;
    bytes: number;
    /** Units it took in the simulation */
    compute_units: number;
    signers: Array<string>;
    /** Programs its own instructions call */
    programs: Array<string>;
    /** Accounts it can change */
    writable_count: number;
  }>;
  action_tx_index: number;
  /** sequential: one after the other, each confirmed; bundle: all at once, all or none */
  submit: "sequential" | "bundle";
  blockhash: Blockhash;
  simulation: {
    success: true;
    post_health: AccountHealth;
    /** What to know before using the answer */
    warnings: Array<Warning>;
    pre_health: AccountHealth;
    /** What the wallet's holdings change by */
    token_changes: Array<TokenChange>;
    /** Of the bank, the deposit bank of two, with the action in it; null without a bank */
    rates_after: {
      bank: string;
      deposit_apy_pct: number | null;
      borrow_apy_pct: number | null;
    } | null;
    /** What debts bear besides interest, % of the principal a year, 0 without the debt; absent: no debt bears one */
    premiums?: Array<{
      bank: string;
      before_apr_pct: number;
      after_apr_pct: number;
    }> | undefined;
    slot: number;
    compute_units: number;
  };
  fees: {
    network_sol: number;
    priority_sol: number;
    tip_sol: number;
    /** Kept by accounts that are created */
    rent_sol: number;
    swap_fee_usd: number | null;
  };
  /** One sentence to show before signing */
  summary: string;
  plan_id: string;
  /** The blockhash of the first answer to this idempotency_key ran out: built and simulated again */
  rebuilt?: true | undefined;
  /** What to do next, at most 3 */
  next_actions: Array<NextAction>;
  /** How old the answer is */
  as_of: AsOf;
};

export type Error = {
  /** What was wrong — what is allowed — the next call */
  error: string;
  /** Stable code; its HTTP status is fixed */
  code: string;
  /** Code-specific facts */
  details: Record<string, unknown>;
  /** True when the same call may succeed later */
  retryable: boolean;
  /** Seconds to wait before it */
  retry_after_s?: number | undefined;
  /** Page about the code: a URL; over MCP a resource */
  docs: string;
};

export type Health = {
  /** By health_ratio: healthy ≥ 2 or no debt, moderate ≥ 1.25, warning ≥ 1.1, critical > 1, liquidatable ≤ 1; unknown: could not be valued, never safe */
  status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
  /** 1 − debt ÷ assets at maintenance weights: 1 no debt, 0 the liquidation line, below 0 liquidatable, never below −1 */
  health_factor: number | null;
  /** Assets ÷ debt at maintenance weights: 1 is the liquidation line; null without debt */
  health_ratio: number | null;
  /** Assets − debt at maintenance weights, USD */
  health_usd: number | null;
  /** Weighted assets at maintenance, USD */
  assets_usd_maint: number | null;
  /** Weighted debt at maintenance, USD */
  liabilities_usd_maint: number | null;
  /** Weighted assets at the initial requirement, which new debt must meet, USD */
  assets_usd_init: number | null;
  /** Weighted debt at the initial requirement, USD */
  liabilities_usd_init: number | null;
  /** What may still be borrowed against, at initial weights, USD */
  free_collateral_usd: number | null;
  /** The price that needs the smallest move to reach the line, of known dollars only where no other does; null where none does */
  weakest: {
    bank: string;
    symbol: string | null;
    /** Price of one token at which the account reaches the line, other prices held, USD */
    liquidation_price_usd: number | null;
    /** Change from the price now, % */
    price_change_pct: number;
  } | null;
  /** ISO-8601 UTC since when what a liquidator may take grows; null: not tagged as unhealthy on chain */
  liquidation_tagged_at: string | null;
  /** Banks of the account whose price is stale or too uncertain: a stale price is not bad health */
  oracle_issues: Array<{
    bank: string;
    symbol: string | null;
    side: "lend" | "borrow";
    /** The program's own name of the error, such as PythPushStalePrice */
    reason: string;
    /** ISO-8601 UTC: when the newest price was published */
    price_time: string | null;
  }>;
};

export type LeverageEnvelope = {
  /** The lending account, also before it exists */
  account: string;
  /** In the order they are sent */
  transactions: Array<{
    /** The unsigned transaction, its signatures zero bytes; null only with preview_only */
    base64: string | null;
    type: "CREATE_ACCOUNT" | "SETUP" | "CRANK" | "DEPOSIT" | "WITHDRAW" | "BORROW" | "REPAY" | "LOOP" | "CLOSE_POSITION";
    /** A person's words for it */
    label: string;
    bytes: number;
    /** Units it took in the simulation */
    compute_units: number;
    signers: Array<string>;
    /** Programs its own instructions call */
    programs: Array<string>;
    /** Accounts it can change */
    writable_count: number;
  }>;
  action_tx_index: number;
  /** sequential: one after the other, each confirmed; bundle: all at once, all or none */
  submit: "sequential" | "bundle";
  blockhash: Blockhash;
  simulation: {
    success: true;
    post_health: AccountHealth;
    /** What to know before using the answer */
    warnings: Array<Warning>;
    pre_health: AccountHealth;
    /** What the wallet's holdings change by */
    token_changes: Array<TokenChange>;
    /** Of the bank, the deposit bank of two, with the action in it; null without a bank */
    rates_after: {
      bank: string;
      deposit_apy_pct: number | null;
      borrow_apy_pct: number | null;
    } | null;
    /** What debts bear besides interest, % of the principal a year, 0 without the debt; absent: no debt bears one */
    premiums?: Array<{
      bank: string;
      before_apr_pct: number;
      after_apr_pct: number;
    }> | undefined;
    slot: number;
    compute_units: number;
    position: {
      deposit_bank: string;
      deposit_delta_ui: number;
      deposit_delta_raw: string;
      borrow_bank: string;
      /** All that a close of several debts repays, borrow_bank the last */
      borrow_banks?: Array<string> | undefined;
      borrow_delta_ui: number;
      borrow_delta_raw: string;
      /** Assets ÷ equity of the account afterwards; null without equity */
      leverage: number | null;
      /** The pair's; null on a close */
      max_leverage: number | null;
      /** Of the deposit token, other prices held; null: none */
      liquidation_price_usd: number | null;
      price_change_to_liquidation_pct: number | null;
      borrow_rates_after: {
        bank: string;
        deposit_apy_pct: number | null;
        borrow_apy_pct: number | null;
      };
    };
  };
  fees: {
    network_sol: number;
    priority_sol: number;
    tip_sol: number;
    /** Kept by accounts that are created */
    rent_sol: number;
    swap_fee_usd: number | null;
  };
  /** One sentence to show before signing */
  summary: string;
  plan_id: string;
  /** The blockhash of the first answer to this idempotency_key ran out: built and simulated again */
  rebuilt?: true | undefined;
  /** What to do next, at most 3 */
  next_actions: Array<NextAction>;
  /** How old the answer is */
  as_of: AsOf;
  /** Null where both banks have one mint */
  swap: {
    aggregator: "jupiter" | "dflow";
    in_mint: string;
    in_ui: number;
    in_raw: string;
    out_mint: string;
    /** Quoted, fees taken */
    out_ui: number;
    out_raw: string;
    /** Less than this and all of it fails */
    min_out_ui: number;
    min_out_raw: string;
    price_impact_pct: number | null;
    slippage_bps: number;
    /** Below the worth of what is given at oracle prices; negative: above */
    oracle_deviation_pct: number;
    /** The aggregator's, in out already */
    fee: {
      mint: string;
      raw: string;
    } | null;
    tried: Array<{
      aggregator: "jupiter" | "dflow";
      outcome: "chosen" | "beaten" | "refused" | "failed";
      /** The check that refused it, or what failed */
      reason: string | null;
      in_ui: number | null;
      out_ui: number | null;
    }>;
  } | null;
  /** Of a close of several debts: all, in the order of the transactions; swap is the last */
  swaps?: Array<{
    aggregator: "jupiter" | "dflow";
    in_mint: string;
    in_ui: number;
    in_raw: string;
    out_mint: string;
    /** Quoted, fees taken */
    out_ui: number;
    out_raw: string;
    /** Less than this and all of it fails */
    min_out_ui: number;
    min_out_raw: string;
    price_impact_pct: number | null;
    slippage_bps: number;
    /** Below the worth of what is given at oracle prices; negative: above */
    oracle_deviation_pct: number;
    /** The aggregator's, in out already */
    fee: {
      mint: string;
      raw: string;
    } | null;
    tried: Array<{
      aggregator: "jupiter" | "dflow";
      outcome: "chosen" | "beaten" | "refused" | "failed";
      /** The check that refused it, or what failed */
      reason: string | null;
      in_ui: number | null;
      out_ui: number | null;
    }>;
  }> | undefined;
};

export type Limits = {
  /** ISO-8601 UTC: from then on, as far as was seen */
  time: string;
  slot: number;
  /** True of what was seen first: it held before, nobody here knows how long */
  first_seen: boolean;
  /** Cap on all deposits, UI units of deposit_limit_unit; null = no cap */
  deposit_limit: number | null;
  /** The same in base units, exact */
  deposit_limit_raw: string | null;
  /** Cap on all debts, UI tokens; null = no cap */
  borrow_limit: number | null;
  /** The same in base units, exact */
  borrow_limit_raw: string | null;
  /** USD above which the bank counts as less collateral; null = none, and on reserves */
  value_limit_usd: number | null;
};

export type ListedAccount = {
  address: string;
  authority: string | null;
  group: string | null;
  balance_slots_used: number;
  balance_slots_max: number;
  health: {
    /** By health_ratio: healthy ≥ 2 or no debt, moderate ≥ 1.25, warning ≥ 1.1, critical > 1, liquidatable ≤ 1; unknown: could not be valued, never safe */
    status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
    /** 1 − debt ÷ assets at maintenance weights: 1 no debt, 0 the liquidation line, below 0 liquidatable, never below −1 */
    health_factor: number | null;
    /** Assets ÷ debt at maintenance weights: 1 is the liquidation line; null without debt */
    health_ratio: number | null;
    /** Assets − debt at maintenance weights, USD */
    health_usd: number | null;
    /** Weighted assets at maintenance, USD */
    assets_usd_maint?: number | null | undefined;
    /** Weighted debt at maintenance, USD */
    liabilities_usd_maint?: number | null | undefined;
    /** Weighted assets at the initial requirement, which new debt must meet, USD */
    assets_usd_init?: number | null | undefined;
    /** Weighted debt at the initial requirement, USD */
    liabilities_usd_init?: number | null | undefined;
    /** What may still be borrowed against, at initial weights, USD */
    free_collateral_usd?: number | null | undefined;
    /** The price that needs the smallest move to reach the line, of known dollars only where no other does; null where none does */
    weakest?: {
      bank: string;
      symbol: string | null;
      /** Price of one token at which the account reaches the line, other prices held, USD */
      liquidation_price_usd: number | null;
      /** Change from the price now, % */
      price_change_pct: number;
    } | null | undefined;
    /** ISO-8601 UTC since when what a liquidator may take grows; null: not tagged as unhealthy on chain */
    liquidation_tagged_at?: string | null | undefined;
    /** Banks of the account whose price is stale or too uncertain: a stale price is not bad health */
    oracle_issues?: Array<{
      bank: string;
      symbol: string | null;
      side: "lend" | "borrow";
      /** The program's own name of the error, such as PythPushStalePrice */
      reason: string;
      /** ISO-8601 UTC: when the newest price was published */
      price_time: string | null;
    }> | undefined;
  };
  /** assets − liabilities, without weights, USD */
  equity_usd: number | null;
  /** All deposits, USD */
  assets_usd: number | null;
  /** All debts, USD */
  liabilities_usd: number | null;
  /** Assets ÷ equity */
  leverage: number | null;
  /** What the account earns on its equity, % a year, at the rates now */
  net_apy_pct: number | null;
  positions: Array<{
    bank: string;
    symbol: string | null;
    mint?: string | null | undefined;
    venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | null | undefined;
    side: "lend" | "borrow";
    /** UI tokens of the mint, on venue banks too; null where what a share is worth is not known */
    amount_ui: number | null;
    /** The same in base units, exact */
    amount_raw: string | null;
    /** At the price now, without weight, USD */
    amount_usd: number | null;
    /** Without premium, which amount_ui includes */
    principal_ui?: number | null | undefined;
    principal_raw?: string | null | undefined;
    /** Premium taken at the last touch, unpaid */
    premium_outstanding_ui?: number | null | undefined;
    premium_outstanding_raw?: string | null | undefined;
    /** Accrued since then */
    premium_accruing_ui?: number | null | undefined;
    /** Debts: % of principal a year above the bank’s rate, as of the last refresh */
    premium_apr_pct?: number | null | undefined;
    /** What each collateral would add now */
    premium_parts?: Array<{
      bank: string;
      symbol: string | null;
      rate_pct: number;
    }> | undefined;
    /** Earned, or paid on a debt, % a year, all in */
    apy_pct?: number | null | undefined;
    /** What maintenance counts of it, after emode: a factor */
    weight_maint?: number | null | undefined;
    /** What maintenance counts, with the careful edge of the price, USD */
    weighted_usd?: number | null | undefined;
    /** The most that can be withdrawn now, UI tokens; 0 on debts, null where it is not known */
    max_withdraw_ui?: number | null | undefined;
    /** What stops more; balance: all of it may leave */
    max_withdraw_limited_by?: "health" | "liquidity" | "deposit_cap" | "borrow_cap" | "rate_limit" | "swap_depth" | "tag" | "slots" | "balance" | "state" | "circuit_breaker" | null | undefined;
    /** Price of one token that brings the account to the line, other prices held; null: none does, USD */
    liquidation_price_usd?: number | null | undefined;
    /** Change from the price now to that, % */
    price_change_to_liquidation_pct?: number | null | undefined;
  }>;
  /** Each alone; concise: the ten largest by USD; null where the account cannot be valued */
  max_borrow: Array<MaxBorrow> | null;
  /** Standing stop-loss and take-profit orders on chain, read only */
  orders: Array<{
    address: string;
    trigger: "stop_loss" | "take_profit" | "both" | "unknown" | null;
    /** Acts when its collateral less its debt falls to so many USD; null without */
    stop_loss: number | null;
    /** Acts when that rises to so many USD; null without */
    take_profit: number | null;
    max_slippage_pct: number | null;
    /** Banks of the balances it is about */
    banks: Array<string>;
  }>;
  /** Standing orders on chain to move a deposit to the bank that pays most, read only */
  rebalance_orders: Array<{
    address: string;
    mint: string;
    /** Banks among which it keeps the deposit where it earns most */
    banks: Array<string>;
    /** By how much another bank must pay more, percentage points a year */
    min_improvement_pct: number | null;
    /** Between two executions at least, s */
    cooldown_seconds: number | null;
    /** Base units that one execution moves at most; null: all */
    max_amount_raw: string | null;
    /** Paid for moving all of that, out of the pool */
    keeper_tip_sol: number | null;
    /** What the account's pool for tips holds, SOL, its rent included */
    fee_pool_sol: number | null;
    /** ISO-8601 UTC; null: never */
    last_executed_at: string | null;
    /** The newest five since it was placed, newest first */
    executions: Array<{
      /** The wallet that moved it */
      executor: string;
      /** UI tokens that an execution moved; null in a settlement of its tip */
      moved_ui: number | null;
      /** Set aside for the executor; null in a settlement */
      tip_sol: number | null;
      /** What of it the executor was paid; null until that is settled */
      tip_paid_sol: number | null;
      /** Whether the move paid; null until that is settled, and always without a tip */
      realized: boolean | null;
      /** Of its activity */
      id: string;
      time: string;
      /** From which and into which */
      banks: Array<string>;
    }>;
  }>;
};

export type ListedBank = {
  /** Bank address, base58 */
  address: string;
  symbol?: string | null | undefined;
  mint?: string | undefined;
  venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | undefined;
  decimals?: number | undefined;
  token_program?: "spl" | "token_2022" | null | undefined;
  /** Oracle price of one token, USD */
  price_usd?: number | null | undefined;
  /** Lower edge of its confidence interval, USD */
  price_low_usd?: number | null | undefined;
  /** Upper edge of its confidence interval, USD */
  price_high_usd?: number | null | undefined;
  /** Unknown is never usable; Suspended: the venue behind the bank is */
  operational_state?: "Paused" | "Operational" | "ReduceOnly" | "KilledByBankruptcy" | "Uninitialized" | "ReduceOnlyWithBorrowingPower" | "CircuitBroken" | "Suspended" | "Unknown" | undefined;
  /** Isolated deposits count for no debt */
  risk_tier?: "Collateral" | "Isolated" | undefined;
  /** Staked banks share an account with Staked and SOL only */
  asset_tag?: "Default" | "SOL" | "Staked" | "Kamino" | "Drift" | "Solend" | "JupLend" | "Unknown" | undefined;
  /** Whether the bank lends out at all; false on every venue but P0 */
  borrowable?: boolean | undefined;
  /** What would be accepted now, after state, caps, liquidity and oracle; what is not known is left out */
  actions_allowed?: Array<"deposit" | "withdraw" | "borrow" | "repay" | "loop"> | undefined;
  rates?: {
    /** Earned on a deposit: the sum of those parts below that are not null, % a year, compounded */
    total_deposit_apy_pct?: number | null | undefined;
    /** Paid on a debt: the sum of those parts below that are not null; null where nobody borrows, % a year, compounded */
    total_borrow_apy_pct?: number | null | undefined;
    /** Lending interest earned, % a year, compounded */
    interest_deposit_apy_pct?: number | null | undefined;
    /** Lending interest paid, program fees included, % a year, compounded */
    interest_borrow_apy_pct?: number | null | undefined;
    /** The token's own yield (staking), 0 for a token without one; null while it is not measured, % a year, compounded */
    native_apy_pct?: number | null | undefined;
    /** Rewards that the pool itself pays on deposits, % a year, compounded */
    emissions_deposit_apy_pct?: number | null | undefined;
    /** Rewards that the pool itself pays on debts, negative because they lower the cost, % a year, compounded */
    emissions_borrow_apy_pct?: number | null | undefined;
    /** Lending interest earned, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
    deposit_apy_7d_pct?: number | null | undefined;
    /** Lending interest earned, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
    deposit_apy_30d_pct?: number | null | undefined;
    /** Lending interest paid, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
    borrow_apy_7d_pct?: number | null | undefined;
    /** Lending interest paid, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
    borrow_apy_30d_pct?: number | null | undefined;
    /** From the growth of share value × exchange rate over 30 days: what was paid, not advertised, % a year, compounded */
    realized_deposit_apy_30d_pct?: number | null | undefined;
    /** Debt ÷ deposits of the pool that lends, %: the bank, or the reserve behind it */
    utilization_pct?: number | null | undefined;
    /** How the venue's APR becomes an APY */
    basis?: "apr_compounded_hourly" | "apr_compounded_63072000_a_year" | "apr_compounded_continuously" | "apy_equals_apr" | undefined;
    /** Slot time that went into the rate, ms; null where none does */
    slot_ms?: number | null | undefined;
  } | undefined;
  size?: {
    /** All deposits, USD */
    deposits_usd?: number | null | undefined;
    /** All debts, USD */
    borrows_usd?: number | null | undefined;
    /** What can be withdrawn or borrowed now, USD */
    available_liquidity_usd?: number | null | undefined;
    /** All deposits, UI tokens */
    deposits?: number | null | undefined;
    /** All debts, UI tokens */
    borrows?: number | null | undefined;
    /** What can be withdrawn or borrowed now, UI tokens */
    available_liquidity?: number | null | undefined;
    /** The bank's cap on all deposits; null = no cap (or no price), USD */
    deposit_limit_usd?: number | null | undefined;
    /** Cap on all debts; null = no cap (or no price), USD */
    borrow_limit_usd?: number | null | undefined;
    /** The lesser of the room under the bank's cap and under its reserve's; null = no cap (or no price), USD */
    deposit_capacity_remaining_usd?: number | null | undefined;
    /** Room under the borrow cap; null = no cap (or no price), USD */
    borrow_capacity_remaining_usd?: number | null | undefined;
  } | undefined;
  weights?: {
    /** Share of a deposit that counts for new debt */
    asset_weight_init?: number | undefined;
    /** Share of a deposit that counts against liquidation */
    asset_weight_maint?: number | undefined;
    /** Factor on a debt when opening it; null where nobody borrows from P0 */
    liability_weight_init?: number | null | undefined;
    /** Factor on a debt against liquidation; null where nobody borrows from P0 */
    liability_weight_maint?: number | null | undefined;
  } | undefined;
  /** Better weights for collateral of these tags while this bank is the debt; null when the bank has none */
  emode?: {
    /** What this bank is as collateral */
    tag: number;
    entries: Array<{
      collateral_tag: number;
      asset_weight_init: number;
      asset_weight_maint: number;
    }>;
  } | null | undefined;
  oracle?: {
    /** The bank's oracle setup, such as PythPushOracle */
    type?: string | undefined;
    /** ISO-8601 UTC: when the price was published */
    price_time?: string | null | undefined;
    /** Age of the price by the chain's clock at the newest reading, s */
    age_seconds?: number | null | undefined;
    /** Age the bank accepts, s */
    max_age_seconds?: number | undefined;
    /** True when the price is older; null when it cannot be read here */
    stale?: boolean | null | undefined;
  } | undefined;
  /** The program watches the price and halts the bank where it jumps; null when the bank has no breaker */
  circuit_breaker?: {
    /** True: nothing is borrowed here, nor withdrawn by accounts that owe; null while it is not read */
    halted: boolean | null;
    /** ISO-8601 UTC; null when not halted, or until an admin ends it */
    halted_until: string | null;
    /** Of the last halt, 1 to 3; 0 once it is forgotten */
    tier: number | null;
    /** False: as halted, though repayments and deposits pass; null where it cannot be said */
    price_in_range: boolean | null;
    /** Range of one token, before its confidence interval is allowed for */
    price_min_usd: number | null;
    price_max_usd: number | null;
  } | null | undefined;
  /** Detailed replies only; null on another venue's banks */
  rate_curve?: {
    points: Array<{
      utilization_pct: number;
      /** Base rate before fees, % a year, not compounded */
      base_apr_pct: number;
    }>;
  } | null | undefined;
  /** Detailed replies only: what a debt here pays on top of interest, by the collateral behind it; null while not measured, and on another venue */
  premium?: {
    /** What this bank is on both sides of a pair; 0: in none */
    tag: number;
    /** Whether debts here accrue premium; where false they owe none */
    active: boolean;
    /** ISO-8601 UTC: premium is charged from then on; null where it never was */
    since: string | null;
    rates: Array<{
      /** Tag of the bank of the collateral */
      collateral_tag: number;
      /** % of the debt a year, not compounded, weighted by the value of that collateral */
      rate_pct: number;
    }>;
  } | null | undefined;
  reserve?: {
    /** The venue's pool: reserve, spot market or Earn account */
    address?: string | undefined;
    market?: string | undefined;
    /** Text of the chain */
    market_name?: string | null | undefined;
    /** restricted: some of it not, as status_reasons say; closed: no deposits; suspended and unknown: not usable */
    status?: "active" | "restricted" | "closed" | "suspended" | "unknown" | undefined;
    /** Why it is not simply active */
    status_reasons?: Array<string> | undefined;
    /** Tokens that one whole receipt is worth, exact decimal text */
    exchange_rate?: string | null | undefined;
    /** All deposits of the reserve, UI tokens */
    deposits?: number | null | undefined;
    /** What can leave the reserve now, before its caps, UI tokens */
    available_liquidity?: number | null | undefined;
    /** The reserve's own cap, UI tokens; null = no cap */
    deposit_limit?: number | null | undefined;
    /** Room under it, UI tokens; null = no cap */
    deposit_room?: number | null | undefined;
    /** What withdrawals can take now, after caps, queues and windows, UI tokens */
    withdraw_room?: number | null | undefined;
    /** Debt ÷ deposits of the reserve, % */
    utilization_pct?: number | null | undefined;
    /** Paid by the venue's own borrowers, % a year, compounded */
    borrow_apy_pct?: number | null | undefined;
  } | null | undefined;
  /** One array per field, one entry per day; null where no sample was */
  history?: {
    interval: "1d";
    /** Start of each day, UTC */
    time: Array<string>;
    deposit_apy_pct: Array<number | null>;
    borrow_apy_pct: Array<number | null>;
    utilization_pct: Array<number | null>;
  } | undefined;
};

export type ListedReserve = {
  /** The venue's pool, base58: reserve, spot market or Earn account */
  address: string;
  venue?: "Kamino" | "Drift" | "Solend" | "JupLend" | undefined;
  /** Market the reserve belongs to */
  market?: string | undefined;
  /** Text of the chain */
  market_name?: string | null | undefined;
  mint?: string | undefined;
  /** Token that a deposit gives, which exchange_rate is about; null where there is none, or it is not read yet */
  receipt_mint?: string | null | undefined;
  /** Of the mint where it is well known, else text of the chain */
  symbol?: string | null | undefined;
  decimals?: number | undefined;
  /** restricted: some of it not, as status_reasons say; closed: no deposits; suspended and unknown: not usable */
  status?: "active" | "restricted" | "closed" | "suspended" | "unknown" | undefined;
  /** Why it is not simply active */
  status_reasons?: Array<string> | undefined;
  /** Price of one token, USD */
  price_usd?: number | null | undefined;
  /** venue: the price in the venue's own account (see price_time: it may be old); bank: of a P0 bank of the same mint, where the venue's is not fresh */
  price_source?: "venue" | "bank" | null | undefined;
  /** ISO-8601 UTC: when it was published; null where nobody says */
  price_time?: string | null | undefined;
  rates?: {
    /** Earned on a deposit: the sum of those parts below that are not null, % a year, compounded */
    total_deposit_apy_pct?: number | null | undefined;
    /** Paid on a debt: the sum of those parts below that are not null; null where nobody borrows, % a year, compounded */
    total_borrow_apy_pct?: number | null | undefined;
    /** Lending interest earned, % a year, compounded */
    interest_deposit_apy_pct?: number | null | undefined;
    /** Lending interest paid, program fees included, % a year, compounded */
    interest_borrow_apy_pct?: number | null | undefined;
    /** The token's own yield (staking), 0 for a token without one; null while it is not measured, % a year, compounded */
    native_apy_pct?: number | null | undefined;
    /** Rewards that the pool itself pays on deposits, % a year, compounded */
    emissions_deposit_apy_pct?: number | null | undefined;
    /** Rewards that the pool itself pays on debts, negative because they lower the cost, % a year, compounded */
    emissions_borrow_apy_pct?: number | null | undefined;
    /** Lending interest earned, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
    deposit_apy_7d_pct?: number | null | undefined;
    /** Lending interest earned, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
    deposit_apy_30d_pct?: number | null | undefined;
    /** Lending interest paid, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
    borrow_apy_7d_pct?: number | null | undefined;
    /** Lending interest paid, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
    borrow_apy_30d_pct?: number | null | undefined;
    /** From the growth of share value × exchange rate over 30 days: what was paid, not advertised, % a year, compounded */
    realized_deposit_apy_30d_pct?: number | null | undefined;
    /** Debt ÷ deposits of the pool that lends, %: the bank, or the reserve behind it */
    utilization_pct?: number | null | undefined;
    /** How the venue's APR becomes an APY */
    basis?: "apr_compounded_hourly" | "apr_compounded_63072000_a_year" | "apr_compounded_continuously" | "apy_equals_apr" | undefined;
    /** Slot time that went into the rate, ms; null where none does */
    slot_ms?: number | null | undefined;
  } | undefined;
  /** Rewards in other tokens for who deposits or borrows at the venue itself: not in rates, and P0's depositors do not get them */
  incentives?: Array<{
    side: "deposit" | "borrow";
    /** Token the reward is paid in */
    mint: string;
    symbol: string | null;
    /** For the whole side, UI tokens */
    amount_per_year: number | null;
    /** The same; null without a price of the reward, USD */
    usd_per_year: number | null;
    /** % a year of that side, not compounded; null without both prices */
    apr_pct: number | null;
  }> | undefined;
  size?: {
    /** All deposits, USD */
    deposits_usd?: number | null | undefined;
    /** All debts, USD */
    borrows_usd?: number | null | undefined;
    /** What can be withdrawn or borrowed now, before caps, USD */
    available_liquidity_usd?: number | null | undefined;
    /** All deposits, UI tokens */
    deposits?: number | null | undefined;
    /** All debts, UI tokens */
    borrows?: number | null | undefined;
    /** What can be withdrawn or borrowed now, before caps, UI tokens */
    available_liquidity?: number | null | undefined;
  } | undefined;
  limits?: {
    /** Cap on all deposits; null = no cap, UI tokens */
    deposit_limit?: number | null | undefined;
    /** Room under it; null = no cap, UI tokens */
    deposit_room?: number | null | undefined;
    /** Cap on all debts; null = no cap, UI tokens */
    borrow_limit?: number | null | undefined;
    /** What can be borrowed under all caps; null = no cap, UI tokens */
    borrow_room?: number | null | undefined;
    /** What withdrawals can take now, after caps, queues and windows, UI tokens */
    withdraw_room?: number | null | undefined;
  } | undefined;
  /** Tokens that one whole receipt is worth, exact decimal text */
  exchange_rate?: string | null | undefined;
  /** P0 banks that reach the reserve; [] is none */
  banks?: Array<{
    address: string;
    operational_state: "Paused" | "Operational" | "ReduceOnly" | "KilledByBankruptcy" | "Uninitialized" | "ReduceOnlyWithBorrowingPower" | "CircuitBroken" | "Suspended" | "Unknown";
  }> | undefined;
};

export type ListedStrategy = {
  supply: {
    /** Bank address: deposit_bank or borrow_bank of svc_loop */
    bank: string;
    symbol?: string | null | undefined;
    mint?: string | undefined;
    venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | undefined;
  };
  borrow: {
    /** Bank address: deposit_bank or borrow_bank of svc_loop */
    bank: string;
    symbol?: string | null | undefined;
    mint?: string | undefined;
    venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | undefined;
  };
  /** loop swaps what is borrowed; rate_arbitrage borrows the same token. svc_loop executes both */
  type?: "loop" | "rate_arbitrage" | undefined;
  /** What its worth depends on */
  kind?: "stable" | "sol_lst" | "rate_arbitrage" | "directional_long" | "directional_short" | "other" | undefined;
  rates?: {
    /** Interest on the supply, % a year, compounded */
    lend_apy_pct?: number | undefined;
    /** The supply's own yield (staking); counted as 0 while unknown, % a year, compounded */
    native_apy_pct?: number | null | undefined;
    /** Rewards that the pool pays on the supply; counted as 0 while unknown, % a year, compounded */
    emissions_apy_pct?: number | null | undefined;
    /** Interest on the debt, less what the pool pays its borrowers, % a year, compounded */
    borrow_apy_pct?: number | undefined;
    /** The debt's own yield, by which it grows in worth, % a year, compounded */
    borrow_native_apy_pct?: number | undefined;
    /** At leverage 1: supplying alone, % a year, compounded */
    net_apy_base_pct?: number | undefined;
    /** At max_leverage, % a year, compounded */
    net_apy_at_max_leverage_pct?: number | undefined;
    /** At recommended_leverage, % a year, compounded */
    net_apy_at_recommended_leverage_pct?: number | undefined;
    /** At recommended_leverage with the mean rates of 7 days, % a year, compounded */
    net_apy_7d_pct?: number | null | undefined;
    /** At recommended_leverage with the mean rates of 30 days, % a year, compounded */
    net_apy_30d_pct?: number | null | undefined;
  } | undefined;
  /** Most that svc_loop accepts for the pair, whatever prices are; hundredths, rounded down */
  max_leverage?: number | undefined;
  /** 1 ÷ (1 − asset weight ÷ liability weight); null where weights set no bound */
  theoretical_max_leverage?: number | null | undefined;
  /** The lower of 0.9 × max_leverage and what leaves a health ratio of 1.10; hundredths, rounded down */
  recommended_leverage?: number | undefined;
  /** Own capital that fits at recommended_leverage now, USD, rounded down */
  available_strategy_size_usd?: number | undefined;
  /** What stops more than that */
  binding_constraint?: "health" | "liquidity" | "deposit_cap" | "borrow_cap" | "rate_limit" | "swap_depth" | "tag" | "slots" | "balance" | "state" | "circuit_breaker" | undefined;
  /** True where the debt's e-mode raises the supply's weight */
  emode_applied?: boolean | undefined;
  liquidation?: {
    /** At recommended_leverage when opened; 1 is liquidation */
    health_ratio?: number | null | undefined;
    /** Fall of the supply's price in the debt's that liquidates at recommended_leverage, %; null without debt */
    price_ratio_drop_pct?: number | null | undefined;
  } | undefined;
  cost?: {
    /** Swap and fees of getting in at recommended_leverage, basis points of own capital; null while the swap was not quoted */
    entry_bps?: number | null | undefined;
    /** Days until the net yield has paid for it; null where it never does */
    break_even_days?: number | null | undefined;
    /** Of what is borrowed, basis points */
    origination_fee_bps?: number | undefined;
    /** Of what is swapped, at oracle prices when quoted; null without a swap or a quote */
    swap_bps?: number | null | undefined;
    /** Size the swap was quoted at, USD */
    swap_size_usd?: number | null | undefined;
    /** ISO-8601 UTC */
    swap_quoted_at?: string | null | undefined;
  } | undefined;
  /** Default order: carry, stability, capacity and liquidity, less the penalty */
  score?: number | undefined;
  score_parts?: {
    /** Net yield at recommended leverage, from 0 to 1 */
    carry?: number | undefined;
    /** Distance to liquidation and steadiness of the yield, from 0 to 1 */
    stability?: number | undefined;
    /** Size room, from 0 to 1 */
    capacity?: number | undefined;
    /** Ease of getting out, from 0 to 1 */
    liquidity?: number | undefined;
    /** Taken off for what is unknown, stands in the way or a bad month takes, from 0 to 1 */
    penalty?: number | undefined;
    /** Fall of the supply's price in the debt's in a bad month of it, % */
    bad_month_pct?: number | undefined;
    /** True: of the kind, not of past prices */
    bad_month_assumed?: boolean | undefined;
  } | undefined;
  /** Grows when the formula changes */
  score_version?: number | undefined;
  /** At target_leverage (or recommended), where target_leverage or amount was given */
  at_target?: {
    /** The leverage asked about */
    leverage: number;
    /** L × supply − (L − 1) × borrow, % a year, compounded */
    net_apy_pct: number;
    /** Assets ÷ debts at maintenance weights when opened; 1 is liquidation */
    health_ratio: number | null;
    /** Fall of the supply's price in the debt's that liquidates, % */
    price_ratio_drop_pct: number | null;
    /** Swap and fees, basis points of own capital; null while the swap was not quoted */
    entry_bps: number | null;
    /** Days until the net yield has paid for it; null where it never does */
    break_even_days: number | null;
    /** Supplied in all for the amount asked about, UI tokens of the supply */
    deposit_ui: number | null;
    /** Borrowed for it at oracle prices, UI tokens of the debt */
    borrow_ui: number | null;
    /** Net of interest for the amount asked about, USD a year */
    earned_usd_per_year: number | null;
    /** Whether the amount asked about fits at that leverage now */
    fits: boolean | null;
  } | undefined;
};

export type MaxBorrow = {
  bank: string;
  symbol: string | null;
  /** The most that can be borrowed now, alone, UI tokens */
  amount_ui: number | null;
  /** Of that, USD */
  amount_usd: number | null;
  /** What stops more */
  limited_by: "health" | "liquidity" | "deposit_cap" | "borrow_cap" | "rate_limit" | "swap_depth" | "tag" | "slots" | "balance" | "state" | "circuit_breaker" | null;
};

export type NextAction = {
  tool: string;
  why: string;
  /** Ready to be passed to the tool */
  args: Record<string, string | number | boolean | Record<string, number>>;
} | {
  /** No tool: the user's wallet does it */
  step: "sign" | "submit";
  why: string;
  args: Record<string, string | number | boolean | Record<string, number>>;
};

export type Rates = {
  /** Earned on a deposit: the sum of those parts below that are not null, % a year, compounded */
  total_deposit_apy_pct: number | null;
  /** Paid on a debt: the sum of those parts below that are not null; null where nobody borrows, % a year, compounded */
  total_borrow_apy_pct: number | null;
  /** Lending interest earned, % a year, compounded */
  interest_deposit_apy_pct: number | null;
  /** Lending interest paid, program fees included, % a year, compounded */
  interest_borrow_apy_pct: number | null;
  /** The token's own yield (staking), 0 for a token without one; null while it is not measured, % a year, compounded */
  native_apy_pct: number | null;
  /** Rewards that the pool itself pays on deposits, % a year, compounded */
  emissions_deposit_apy_pct: number | null;
  /** Rewards that the pool itself pays on debts, negative because they lower the cost, % a year, compounded */
  emissions_borrow_apy_pct: number | null;
  /** Lending interest earned, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
  deposit_apy_7d_pct: number | null;
  /** Lending interest earned, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
  deposit_apy_30d_pct: number | null;
  /** Lending interest paid, time-weighted over 7 days; null below half a window of samples, % a year, compounded */
  borrow_apy_7d_pct: number | null;
  /** Lending interest paid, time-weighted over 30 days; null below half a window of samples, % a year, compounded */
  borrow_apy_30d_pct: number | null;
  /** From the growth of share value × exchange rate over 30 days: what was paid, not advertised, % a year, compounded */
  realized_deposit_apy_30d_pct: number | null;
  /** Debt ÷ deposits of the pool that lends, %: the bank, or the reserve behind it */
  utilization_pct: number | null;
  /** How the venue's APR becomes an APY */
  basis: "apr_compounded_hourly" | "apr_compounded_63072000_a_year" | "apr_compounded_continuously" | "apy_equals_apr";
  /** Slot time that went into the rate, ms; null where none does */
  slot_ms: number | null;
};

export type ReserveCoverage = {
  /** Venues whose rates in the answer are current */
  venues_covered: Array<"P0" | "Kamino" | "Drift" | "Solend" | "JupLend">;
  /** Venues that were not read lately, or never: the last values stand, or nulls */
  venues_missing: Array<{
    venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
    reason: string;
    /** ISO-8601 UTC: the newest rates there are; null when there never were any */
    since: string | null;
  }>;
  /** Reserves that could not be read */
  reserves_skipped: Array<{
    reserve: string;
    reason: string;
  }>;
  /** True when nothing is missing or skipped */
  complete: boolean;
};

export type Stress = {
  /** Fall of the prices, % */
  shock_pct: number;
  /** Symbols whose price falls: all but known dollars */
  applies_to: Array<string>;
  health_ratio: number | null;
  status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
};

export type TokenChange = {
  mint: string;
  symbol: string | null;
  /** UI tokens, negative where they leave the wallet */
  delta_ui: number;
  /** Base units, exact */
  delta_raw: string;
  /** Of that, USD */
  delta_usd: number | null;
  /** The wallet's own SOL, fees and rents in it */
  is_native_sol: boolean;
};

export type Warning = {
  level: "info" | "warning" | "error";
  /** Stable code */
  code: string;
  message: string;
  /** Address of the bank it is about */
  bank?: string | undefined;
};

export interface Operations {
  /** Lending banks */
  svc_get_banks: {
    query: {
      /** Token symbol, whole, any case, such as USDC; several banks may share one */
      symbol?: string | undefined;
      /** Only this venue; save means Solend */
      venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | unknown | undefined;
      /** Only banks of this token mint */
      mint?: string | undefined;
      /** Only the bank at this address */
      bank?: string | undefined;
      /** lend: banks that operate and take deposits; borrow: banks that lend out (P0 only) */
      side?: "lend" | "borrow" | unknown | undefined;
      /** Only banks with at least this much liquidity to withdraw or borrow now, USD */
      min_available_usd?: number | undefined;
      /** Order: largest first, but cheapest first by total_borrow_apy_pct and A first by symbol; unknown last. Default deposits_usd */
      sort?: "deposits_usd" | "available_liquidity_usd" | "total_deposit_apy_pct" | "total_borrow_apy_pct" | "utilization_pct" | "symbol" | unknown | undefined;
      /** Banks a page. Default 500, over MCP what fits 3,000 tokens */
      limit?: number | undefined;
      /** next_cursor of the page before, with the same filters and sort */
      cursor?: string | undefined;
      /** Only these fields of each bank, such as symbol, rates, rates.utilization_pct, size.deposits_usd */
      fields?: Array<"address" | "symbol" | "mint" | "venue" | "decimals" | "token_program" | "price_usd" | "price_low_usd" | "price_high_usd" | "operational_state" | "risk_tier" | "asset_tag" | "borrowable" | "actions_allowed" | "rates" | "size" | "weights" | "emode" | "oracle" | "circuit_breaker" | "rate_curve" | "premium" | "reserve" | "rates.total_deposit_apy_pct" | "rates.total_borrow_apy_pct" | "rates.interest_deposit_apy_pct" | "rates.interest_borrow_apy_pct" | "rates.native_apy_pct" | "rates.emissions_deposit_apy_pct" | "rates.emissions_borrow_apy_pct" | "rates.deposit_apy_7d_pct" | "rates.deposit_apy_30d_pct" | "rates.borrow_apy_7d_pct" | "rates.borrow_apy_30d_pct" | "rates.realized_deposit_apy_30d_pct" | "rates.utilization_pct" | "rates.basis" | "rates.slot_ms" | "size.deposits_usd" | "size.borrows_usd" | "size.available_liquidity_usd" | "size.deposits" | "size.borrows" | "size.available_liquidity" | "size.deposit_limit_usd" | "size.borrow_limit_usd" | "size.deposit_capacity_remaining_usd" | "size.borrow_capacity_remaining_usd" | "weights.asset_weight_init" | "weights.asset_weight_maint" | "weights.liability_weight_init" | "weights.liability_weight_maint" | "oracle.type" | "oracle.price_time" | "oracle.age_seconds" | "oracle.max_age_seconds" | "oracle.stale" | "reserve.address" | "reserve.market" | "reserve.market_name" | "reserve.status" | "reserve.status_reasons" | "reserve.exchange_rate" | "reserve.deposits" | "reserve.available_liquidity" | "reserve.deposit_limit" | "reserve.deposit_room" | "reserve.withdraw_room" | "reserve.utilization_pct" | "reserve.borrow_apy_pct"> | undefined;
      /** concise: what is needed to choose a bank, numbers to 5 digits (default over MCP); detailed: the whole record (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
      /** Daily rates of each bank over this time, one array per field. Default none */
      history?: "none" | "7d" | "30d" | unknown | undefined;
    };
    body: never;
    answer: {
      banks: Array<ListedBank>;
      /** Banks in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: Coverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why no bank is listed */
      empty_reason?: string | undefined;
    };
  };

  /** Ranked strategies */
  svc_get_strategies: {
    query: {
      /** What its worth depends on: stable is two dollars, sol_lst SOL and staked SOL, rate_arbitrage one token */
      kind?: "stable" | "sol_lst" | "rate_arbitrage" | "directional_long" | "directional_short" | "other" | unknown | undefined;
      /** Token supplied, whole symbol, any case */
      supply_symbol?: string | undefined;
      /** Token borrowed, the same */
      borrow_symbol?: string | undefined;
      /** This venue on either side; every debt is at P0 */
      venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | unknown | undefined;
      /** Own capital that has to fit now, USD */
      min_size_usd?: number | undefined;
      /** Only pairs that allow no more */
      max_leverage?: number | undefined;
      /** Only pairs that reach it, with figures at it in at_target */
      target_leverage?: string | undefined;
      /** Own capital in tokens of supply_symbol, which it needs: at_target then tells what it comes to */
      amount?: string | undefined;
      /** Largest first, break_even_days smallest first; unknown last. Default score */
      sort?: "score" | "net_apy_at_recommended_leverage_pct" | "net_apy_at_max_leverage_pct" | "net_apy_7d_pct" | "net_apy_30d_pct" | "available_strategy_size_usd" | "max_leverage" | "break_even_days" | unknown | undefined;
      /** Default 20, over MCP as many of them as fit 3,000 tokens */
      limit?: number | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
      /** Only these fields besides the banks, such as score, rates.net_apy_7d_pct */
      fields?: Array<"supply" | "borrow" | "type" | "kind" | "rates" | "max_leverage" | "theoretical_max_leverage" | "recommended_leverage" | "available_strategy_size_usd" | "binding_constraint" | "emode_applied" | "liquidation" | "cost" | "score" | "score_parts" | "score_version" | "at_target" | "supply.bank" | "supply.symbol" | "supply.mint" | "supply.venue" | "borrow.bank" | "borrow.symbol" | "borrow.mint" | "borrow.venue" | "rates.lend_apy_pct" | "rates.native_apy_pct" | "rates.emissions_apy_pct" | "rates.borrow_apy_pct" | "rates.borrow_native_apy_pct" | "rates.net_apy_base_pct" | "rates.net_apy_at_max_leverage_pct" | "rates.net_apy_at_recommended_leverage_pct" | "rates.net_apy_7d_pct" | "rates.net_apy_30d_pct" | "liquidation.health_ratio" | "liquidation.price_ratio_drop_pct" | "cost.entry_bps" | "cost.break_even_days" | "cost.origination_fee_bps" | "cost.swap_bps" | "cost.swap_size_usd" | "cost.swap_quoted_at" | "score_parts.carry" | "score_parts.stability" | "score_parts.capacity" | "score_parts.liquidity" | "score_parts.penalty" | "score_parts.bad_month_pct" | "score_parts.bad_month_assumed"> | undefined;
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
    };
    body: never;
    answer: {
      strategies: Array<ListedStrategy>;
      /** Strategies in this page */
      count: number;
      /** Strategies that match, on all pages */
      total: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: Coverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why no strategy is listed */
      empty_reason?: string | undefined;
    };
  };

  /** Wallet */
  svc_get_wallet: {
    query: {
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
      /** next_cursor of the page before, with the same address */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      address: string;
      /** Of all tokens that have a price; null where none has, 0 where there are none, USD */
      total_value_usd: number | null;
      /** Tokens with a price */
      priced_count: number;
      /** Tokens without: their worth is not in the total */
      unpriced_count: number;
      /** SOL to leave in the wallet for fees and rent */
      sol_reserve: number;
      /** Most valuable first, unpriced last; empty token accounts are left out */
      tokens: Array<{
        mint: string;
        /** Text of the chain where the mint is not well known */
        symbol: string | null;
        /** Text of the chain */
        name?: string | null | undefined;
        decimals?: number | undefined;
        /** Null for native SOL */
        token_program?: "spl" | "token_2022" | null | undefined;
        /** UI tokens, over all token accounts of the mint */
        amount_ui: number;
        /** Base units, exact */
        amount_raw: string;
        /** Of this very mint; null where neither a bank nor a trusted reserve has a price for it, USD */
        price_usd?: number | null | undefined;
        /** bank: oracle of a P0 bank; venue: a venue's own price; receipt: what a venue pays for its receipt, by the price of the token. A fresh one goes first, in this order */
        price_source?: "bank" | "venue" | "receipt" | null | undefined;
        /** Detailed only. That bank or reserve */
        priced_by?: string | null | undefined;
        /** Detailed only. ISO-8601 UTC: when it was published; null where it has no time */
        price_time?: string | null | undefined;
        /** True: too old, and no other is fresh; null: its age is not known, or there is no price. Concise: left out when false */
        price_stale?: boolean | null | undefined;
        /** Null without a price, never 0, USD */
        value_usd: number | null;
        /** Native and wrapped SOL are separate lines */
        is_native_sol: boolean;
        /** Some of it cannot be moved */
        is_frozen?: boolean | undefined;
        /** Banks that take deposits of it now, best rate first */
        banks?: Array<{
          bank: string;
          venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
          /** Earned on a deposit now, all in, % a year */
          deposit_apy_pct: number | null;
          /** What the bank still takes; null = no cap, USD */
          room_usd: number | null;
        }> | undefined;
        /** Detailed only. Forgone a year at the best safe rate: of banks that count as collateral at a fresh price and have room for all of it, the lesser of the rate now and over 7 days, without what the token earns by itself, USD */
        idle_usd_per_year?: number | null | undefined;
      }>;
      /** Tokens in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: AddressCoverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why no token is listed */
      empty_reason?: string | undefined;
    };
  };

  /** Positions */
  svc_get_positions: {
    query: {
      /** concise (default over MCP) or detailed (default over REST) */
      detail?: "concise" | "detailed" | unknown | undefined;
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
      /** next_cursor of the page before, with the same address */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      /** The wallet that owns the accounts; null when none was found */
      authority: string | null;
      accounts: Array<ListedAccount>;
      /** Accounts in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: AddressCoverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why no account is listed */
      empty_reason?: string | undefined;
    };
  };

  /** Health */
  svc_get_health: {
    query: {
      /** Or the wallet, where it owns one account only */
      authority?: string | undefined;
      /** Adds repair: what brings the account to this health_ratio, such as 1.25 */
      target_health_ratio?: number | undefined;
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
    };
    body: never;
    answer: {
      account: string;
      authority: string | null;
      /** By health_ratio: healthy ≥ 2 or no debt, moderate ≥ 1.25, warning ≥ 1.1, critical > 1, liquidatable ≤ 1; unknown: could not be valued, never safe */
      status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
      /** 1 − debt ÷ assets at maintenance weights: 1 no debt, 0 the liquidation line, below 0 liquidatable, never below −1 */
      health_factor: number | null;
      /** Assets ÷ debt at maintenance weights: 1 is the liquidation line; null without debt */
      health_ratio: number | null;
      /** Assets − debt at maintenance weights, USD */
      health_usd: number | null;
      /** Weighted assets at maintenance, USD */
      assets_usd_maint: number | null;
      /** Weighted debt at maintenance, USD */
      liabilities_usd_maint: number | null;
      /** Weighted assets at the initial requirement, which new debt must meet, USD */
      assets_usd_init: number | null;
      /** Weighted debt at the initial requirement, USD */
      liabilities_usd_init: number | null;
      /** What may still be borrowed against, at initial weights, USD */
      free_collateral_usd: number | null;
      /** The price that needs the smallest move to reach the line, of known dollars only where no other does; null where none does */
      weakest: {
        bank: string;
        symbol: string | null;
        /** Price of one token at which the account reaches the line, other prices held, USD */
        liquidation_price_usd: number | null;
        /** Change from the price now, % */
        price_change_pct: number;
      } | null;
      /** ISO-8601 UTC since when what a liquidator may take grows; null: not tagged as unhealthy on chain */
      liquidation_tagged_at: string | null;
      /** Banks of the account whose price is stale or too uncertain: a stale price is not bad health */
      oracle_issues: Array<{
        bank: string;
        symbol: string | null;
        side: "lend" | "borrow";
        /** The program's own name of the error, such as PythPushStalePrice */
        reason: string;
        /** ISO-8601 UTC: when the newest price was published */
        price_time: string | null;
      }>;
      /** Health after a fall of the market by 5, 10, 20 and 30 % */
      stress: Array<Stress>;
      /** With target_health_ratio: each alone reaches it, cheapest first; [] nothing to do or nothing does, null not known */
      repair?: Array<{
        action: "repay" | "deposit";
        bank: string;
        symbol: string | null;
        /** UI tokens; the smallest that reaches the target */
        amount_ui: number | null;
        /** Base units, exact */
        amount_raw: string | null;
        /** Of that, USD */
        amount_usd: number | null;
      }> | null | undefined;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Health */
  svc_get_health_by_query: {
    query: {
      /** The lending account */
      account?: string | undefined;
      /** Or the wallet, where it owns one account only */
      authority?: string | undefined;
      /** Adds repair: what brings the account to this health_ratio, such as 1.25 */
      target_health_ratio?: number | undefined;
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
    };
    body: never;
    answer: {
      account: string;
      authority: string | null;
      /** By health_ratio: healthy ≥ 2 or no debt, moderate ≥ 1.25, warning ≥ 1.1, critical > 1, liquidatable ≤ 1; unknown: could not be valued, never safe */
      status: "healthy" | "moderate" | "warning" | "critical" | "liquidatable" | "unknown";
      /** 1 − debt ÷ assets at maintenance weights: 1 no debt, 0 the liquidation line, below 0 liquidatable, never below −1 */
      health_factor: number | null;
      /** Assets ÷ debt at maintenance weights: 1 is the liquidation line; null without debt */
      health_ratio: number | null;
      /** Assets − debt at maintenance weights, USD */
      health_usd: number | null;
      /** Weighted assets at maintenance, USD */
      assets_usd_maint: number | null;
      /** Weighted debt at maintenance, USD */
      liabilities_usd_maint: number | null;
      /** Weighted assets at the initial requirement, which new debt must meet, USD */
      assets_usd_init: number | null;
      /** Weighted debt at the initial requirement, USD */
      liabilities_usd_init: number | null;
      /** What may still be borrowed against, at initial weights, USD */
      free_collateral_usd: number | null;
      /** The price that needs the smallest move to reach the line, of known dollars only where no other does; null where none does */
      weakest: {
        bank: string;
        symbol: string | null;
        /** Price of one token at which the account reaches the line, other prices held, USD */
        liquidation_price_usd: number | null;
        /** Change from the price now, % */
        price_change_pct: number;
      } | null;
      /** ISO-8601 UTC since when what a liquidator may take grows; null: not tagged as unhealthy on chain */
      liquidation_tagged_at: string | null;
      /** Banks of the account whose price is stale or too uncertain: a stale price is not bad health */
      oracle_issues: Array<{
        bank: string;
        symbol: string | null;
        side: "lend" | "borrow";
        /** The program's own name of the error, such as PythPushStalePrice */
        reason: string;
        /** ISO-8601 UTC: when the newest price was published */
        price_time: string | null;
      }>;
      /** Health after a fall of the market by 5, 10, 20 and 30 % */
      stress: Array<Stress>;
      /** With target_health_ratio: each alone reaches it, cheapest first; [] nothing to do or nothing does, null not known */
      repair?: Array<{
        action: "repay" | "deposit";
        bank: string;
        symbol: string | null;
        /** UI tokens; the smallest that reaches the target */
        amount_ui: number | null;
        /** Base units, exact */
        amount_raw: string | null;
        /** Of that, USD */
        amount_usd: number | null;
      }> | null | undefined;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Activity */
  svc_get_activity: {
    query: {
      /** Only this kind */
      kind?: "create_account" | "deposit" | "withdraw" | "borrow" | "repay" | "liquidation" | "loop" | "close_position" | "transfer" | "emissions_claim" | "order" | "bankruptcy" | unknown | undefined;
      /** From then on, inclusive, ISO-8601 */
      since?: unknown | Date | undefined;
      /** Up to then, exclusive, ISO-8601, later than since */
      until?: unknown | Date | undefined;
      /** Activities a page. Default 20 */
      limit?: number | undefined;
      /** next_cursor of the page before, with the same address, kind, since and until */
      cursor?: string | undefined;
      /** json (default), or csv: a line per leg; over REST as text/csv with next_cursor in the header x-next-cursor */
      format?: "json" | "csv" | unknown | undefined;
      /** concise (default over MCP) or detailed (default over REST) */
      response_format?: "concise" | "detailed" | unknown | undefined;
    };
    body: never;
    answer: {
      /** format=json: newest first */
      activity?: Array<{
        /** signature:instruction_index[:inner_index], unique and stable */
        id: string;
        signature?: string | undefined;
        slot: number;
        /** ISO-8601 UTC, of the block */
        time: string;
        /** confirmed can still be dropped with its fork */
        finality: "confirmed" | "finalized";
        kind: "create_account" | "deposit" | "withdraw" | "borrow" | "repay" | "liquidation" | "loop" | "close_position" | "transfer" | "emissions_claim" | "order" | "bankruptcy";
        /** Ties what happened inside one flash loan or receivership together */
        group_id?: string | null | undefined;
        account: string;
        authority?: string | undefined;
        /** Who signed; another than authority when somebody else acted, such as a liquidator */
        actor?: string | undefined;
        legs: Array<{
          bank: string;
          symbol: string | null;
          mint?: string | undefined;
          venue?: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend" | null | undefined;
          /** Side of the account that it changed */
          side?: "lend" | "borrow" | undefined;
          /** seize: collateral taken by a liquidator; write_off: debt cancelled in a bankruptcy */
          action: "deposit" | "withdraw" | "borrow" | "repay" | "seize" | "write_off";
          /** UI tokens of the mint that moved; null where the transaction does not tell, or where receipts moved whose worth was not recorded */
          amount_ui: number | null;
          /** The same in base units, exact */
          amount_raw?: string | null | undefined;
          /** At price_usd, USD */
          amount_usd?: number | null | undefined;
          /** Price of one token at that time, as recorded here; null where nothing was recorded then, USD */
          price_usd?: number | null | undefined;
          /** The balance was closed by it */
          close_side?: boolean | undefined;
          /** What of the amount paid premium, UI tokens; null where the program says nothing */
          premium_settled_ui?: number | null | undefined;
          /** Premium given up besides the amount, UI tokens */
          premium_written_off_ui?: number | null | undefined;
        }>;
        /** Network and priority fee of the whole transaction, SOL */
        fee_sol?: number | null | undefined;
        /** Paid to block builders in the transaction, SOL */
        tip_sol?: number | null | undefined;
        liquidation?: {
          /** The wallet that liquidated */
          liquidator: string;
          asset_bank: string | null;
          liability_bank: string | null;
          /** Collateral taken, UI tokens */
          seized_ui: number | null;
          /** Debt repaid, UI tokens */
          repaid_ui: number | null;
          /** Worth of what was seized − of what was repaid, at the prices of that time, USD */
          penalty_usd: number | null;
        } | null | undefined;
        /** Of executions of orders to rebalance, and of settlements of their tips */
        rebalance?: {
          order: string;
          /** The wallet that moved it */
          executor: string;
          /** UI tokens that an execution moved; null in a settlement of its tip */
          moved_ui: number | null;
          /** Set aside for the executor; null in a settlement */
          tip_sol: number | null;
          /** What of it the executor was paid; null until that is settled */
          tip_paid_sol: number | null;
          /** Whether the move paid; null until that is settled, and always without a tip */
          realized: boolean | null;
        } | null | undefined;
      }> | undefined;
      /** First page: newest changes of the bank or group asked for, or of the liquidation tags of its accounts */
      changes?: Array<{
        /** signature:instruction_index[:inner_index]#event; of a tag account:slot[:write] */
        id: string;
        slot: number;
        /** ISO-8601 UTC, of the block */
        time: string;
        /** confirmed can still be dropped with its fork; null of tags, which are read from the account */
        finality: "confirmed" | "finalized" | null;
        kind: "liquidation_tag" | "premium_sweep" | "premium_rate" | "premium_tag" | "breaker_trip" | "breaker_clear" | "breaker_break" | "governance_admin";
        /** The bank or account; the group where it is of all banks, or the program names no bank */
        address: string;
        /** Of the bank */
        symbol?: string | null | undefined;
        /** Who signed as the one who may, else who paid for the transaction; not there of tags */
        actor?: string | undefined;
        /** liquidation_tag: ISO-8601 UTC since when; null: not tagged any more */
        tagged_at?: string | null | undefined;
        /** premium_sweep: UI tokens that went to the wallet for them */
        amount_ui?: number | null | undefined;
        /** premium_rate */
        collateral_tag?: number | undefined;
        /** premium_rate */
        liability_tag?: number | undefined;
        /** premium_rate: what debts of the one pay for collateral of the other from then on, % a year */
        rate_pct?: number | undefined;
        /** premium_rate */
        rate_before_pct?: number | undefined;
        /** premium_tag: the bank has it from then on */
        premium_tag?: number | undefined;
        /** premium_tag: whether debts of the bank accrue premium from then on */
        premium_active?: boolean | undefined;
        /** breaker_trip, breaker_clear: 1 to 3 */
        tier?: number | undefined;
        /** breaker_trip: of the price from its reference */
        deviation_pct?: number | undefined;
        /** breaker_trip: ISO-8601 UTC */
        halted_until?: string | null | undefined;
        /** breaker_clear: by an admin, else because its time was over */
        by_admin?: boolean | undefined;
        /** governance_admin: from then on */
        admin?: string | null | undefined;
        /** governance_admin */
        admin_before?: string | null | undefined;
      }> | undefined;
      /** format=csv over MCP: a header, then a line per leg, newest first */
      csv?: string | undefined;
      /** Activities in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: AddressCoverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why nothing is listed */
      empty_reason?: string | undefined;
    };
  };

  /** Search the docs */
  svc_search_docs: {
    query: {
      /** Words to look for */
      query?: string | undefined;
      /** Pages found at most, default 5 */
      limit?: number | undefined;
    };
    body: never;
    answer: {
      /** Best first; without query in the order of the contents */
      docs: Array<{
        /** Pass to svc_get_doc */
        slug: string;
        title: string;
        /** The heading it was found under; null: at the top, or not searched for */
        section: string | null;
        /** Text around what was found; without query what the page is about */
        snippet: string;
        /** Higher is better, within this answer only; null without query */
        score: number | null;
      }>;
      count: number;
      /** Always null: what was found comes at once */
      next_cursor: null;
      /** Why nothing was found */
      empty_reason?: string | undefined;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Read one doc */
  svc_get_doc: {
    query: {};
    body: never;
    answer: {
      slug: string;
      title: string;
      /** The whole page */
      markdown: string;
    };
  };

  /** Create account */
  svc_create_account: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: Envelope;
  };

  /** Deposit */
  svc_deposit: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Address of the bank */
      bank: string;
      /** UI tokens, 1.5 or "1.5" */
      amount: number | string;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: Envelope;
  };

  /** Withdraw */
  svc_withdraw: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Address of the bank */
      bank: string;
      /** UI tokens, 1.5 or "1.5" */
      amount?: number | string | Absent | undefined;
      /** Instead of amount */
      withdraw_all?: boolean | "true" | "false" | Absent | undefined;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: Envelope;
  };

  /** Borrow */
  svc_borrow: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Address of the bank */
      bank: string;
      /** UI tokens, 1.5 or "1.5" */
      amount: number | string;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: Envelope;
  };

  /** Repay */
  svc_repay: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Address of the bank */
      bank: string;
      /** UI tokens, 1.5 or "1.5" */
      amount?: number | string | Absent | undefined;
      /** Instead of amount */
      repay_all?: boolean | "true" | "false" | Absent | undefined;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: Envelope;
  };

  /** Loop */
  svc_loop: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Bank to supply */
      deposit_bank: string;
      /** P0 bank to borrow from */
      borrow_bank: string;
      /** Deposit tokens in the wallet, 1.5 or "1.5" */
      amount: number | string;
      /** Above 1, at most the strategy's max_leverage */
      leverage: number | string;
      /** An account of its own */
      create_new_account?: boolean | "true" | "false" | Absent | undefined;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: LeverageEnvelope;
  };

  /** Close position */
  svc_close_position: {
    query: {};
    body: {
      /** The wallet that signs and pays */
      authority: string;
      /** Instead of amount */
      repay_all?: boolean | "true" | "false" | Absent | undefined;
      /** Debt tokens to repay, 1.5 or "1.5" */
      amount?: number | string | Absent | undefined;
      /** Collateral to sell; left out: the only one */
      deposit_bank?: string | Absent | undefined;
      /** Debt to repay; left out: the only one, or all */
      borrow_bank?: string | Absent | undefined;
      /** Lending account; default: the only one */
      account?: string | Absent | undefined;
      /** wallet (default) or redeposit */
      surplus?: "wallet" | "redeposit" | unknown | Absent | undefined;
      /** Limits of your own */
      policy?: {
        /** Refuse below this health_ratio */
        min_health_ratio_after?: number | string | Absent | undefined;
        /** Swaps only */
        max_slippage_bps?: number | string | Absent | undefined;
        /** Swaps only */
        max_price_impact_pct?: number | string | Absent | undefined;
      } | Absent | undefined;
      /** Default low; or micro-lamports per unit */
      priority_fee?: "low" | "medium" | "high" | unknown | number | string | Absent | undefined;
      /** 0 (default), or 1 if the wallet signs it */
      transaction_version?: 0 | 1 | "0" | "1" | Absent | undefined;
      /** Everything but the bytes */
      preview_only?: boolean | "true" | "false" | Absent | undefined;
      /** Repeat it to retry: same plan for 24 h */
      idempotency_key?: string | Absent | undefined;
    };
    answer: LeverageEnvelope;
  };

  /** One bank */
  get_bank: {
    query: {};
    body: never;
    answer: {
      /** Bank address, base58 */
      address: string;
      symbol: string | null;
      mint: string;
      venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
      decimals: number;
      token_program: "spl" | "token_2022" | null;
      /** Oracle price of one token, USD */
      price_usd: number | null;
      /** Lower edge of its confidence interval, USD */
      price_low_usd: number | null;
      /** Upper edge of its confidence interval, USD */
      price_high_usd: number | null;
      /** Unknown is never usable; Suspended: the venue behind the bank is */
      operational_state: "Paused" | "Operational" | "ReduceOnly" | "KilledByBankruptcy" | "Uninitialized" | "ReduceOnlyWithBorrowingPower" | "CircuitBroken" | "Suspended" | "Unknown";
      /** Isolated deposits count for no debt */
      risk_tier: "Collateral" | "Isolated";
      /** Staked banks share an account with Staked and SOL only */
      asset_tag: "Default" | "SOL" | "Staked" | "Kamino" | "Drift" | "Solend" | "JupLend" | "Unknown";
      /** Whether the bank lends out at all; false on every venue but P0 */
      borrowable: boolean;
      /** What would be accepted now, after state, caps, liquidity and oracle; what is not known is left out */
      actions_allowed: Array<"deposit" | "withdraw" | "borrow" | "repay" | "loop">;
      rates: Rates;
      size: {
        /** All deposits, USD */
        deposits_usd: number | null;
        /** All debts, USD */
        borrows_usd: number | null;
        /** What can be withdrawn or borrowed now, USD */
        available_liquidity_usd: number | null;
        /** All deposits, UI tokens */
        deposits: number | null;
        /** All debts, UI tokens */
        borrows: number | null;
        /** What can be withdrawn or borrowed now, UI tokens */
        available_liquidity: number | null;
        /** The bank's cap on all deposits; null = no cap (or no price), USD */
        deposit_limit_usd: number | null;
        /** Cap on all debts; null = no cap (or no price), USD */
        borrow_limit_usd: number | null;
        /** The lesser of the room under the bank's cap and under its reserve's; null = no cap (or no price), USD */
        deposit_capacity_remaining_usd: number | null;
        /** Room under the borrow cap; null = no cap (or no price), USD */
        borrow_capacity_remaining_usd: number | null;
      };
      /** Factors, not percent */
      weights: {
        /** Share of a deposit that counts for new debt */
        asset_weight_init: number;
        /** Share of a deposit that counts against liquidation */
        asset_weight_maint: number;
        /** Factor on a debt when opening it; null where nobody borrows from P0 */
        liability_weight_init: number | null;
        /** Factor on a debt against liquidation; null where nobody borrows from P0 */
        liability_weight_maint: number | null;
      };
      /** Better weights for collateral of these tags while this bank is the debt; null when the bank has none */
      emode: {
        /** What this bank is as collateral */
        tag: number;
        entries: Array<{
          collateral_tag: number;
          asset_weight_init: number;
          asset_weight_maint: number;
        }>;
      } | null;
      oracle: {
        /** The bank's oracle setup, such as PythPushOracle */
        type: string;
        /** ISO-8601 UTC: when the price was published */
        price_time: string | null;
        /** Age of the price by the chain's clock at the newest reading, s */
        age_seconds: number | null;
        /** Age the bank accepts, s */
        max_age_seconds: number;
        /** True when the price is older; null when it cannot be read here */
        stale: boolean | null;
      };
      /** The program watches the price and halts the bank where it jumps; null when the bank has no breaker */
      circuit_breaker: {
        /** True: nothing is borrowed here, nor withdrawn by accounts that owe; null while it is not read */
        halted: boolean | null;
        /** ISO-8601 UTC; null when not halted, or until an admin ends it */
        halted_until: string | null;
        /** Of the last halt, 1 to 3; 0 once it is forgotten */
        tier: number | null;
        /** False: as halted, though repayments and deposits pass; null where it cannot be said */
        price_in_range: boolean | null;
        /** Range of one token, before its confidence interval is allowed for */
        price_min_usd: number | null;
        price_max_usd: number | null;
      } | null;
      /** Detailed replies only; null on another venue's banks */
      rate_curve?: {
        points: Array<{
          utilization_pct: number;
          /** Base rate before fees, % a year, not compounded */
          base_apr_pct: number;
        }>;
      } | null | undefined;
      /** Detailed replies only: what a debt here pays on top of interest, by the collateral behind it; null while not measured, and on another venue */
      premium?: {
        /** What this bank is on both sides of a pair; 0: in none */
        tag: number;
        /** Whether debts here accrue premium; where false they owe none */
        active: boolean;
        /** ISO-8601 UTC: premium is charged from then on; null where it never was */
        since: string | null;
        rates: Array<{
          /** Tag of the bank of the collateral */
          collateral_tag: number;
          /** % of the debt a year, not compounded, weighted by the value of that collateral */
          rate_pct: number;
        }>;
      } | null | undefined;
      reserve?: BankReserve | null | undefined;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Rate history of a bank */
  get_bank_history: {
    query: {
      /** First bucket, inclusive, ISO-8601, not in the future. Default: 1 hour (1m), 7 days (1h), 90 days (1d) before end */
      start?: unknown | Date | undefined;
      /** Up to here, exclusive, ISO-8601, later than start. Default: the newest data */
      end?: unknown | Date | undefined;
      /** Bucket length. At most 24 hours of 1m and 90 days of 1h a call; the rest by next_cursor. Default 1h */
      interval?: "1m" | "1h" | "1d" | unknown | undefined;
      /** Only these fields of each point; time is always there */
      fields?: Array<"time" | "slot_first" | "slot_last" | "samples" | "deposit_apy_pct" | "borrow_apy_pct" | "native_apy_pct" | "emissions_apy_pct" | "deposit_apy_close_pct" | "deposit_apy_min_pct" | "deposit_apy_max_pct" | "utilization_pct" | "deposits" | "borrows" | "deposits_usd" | "borrows_usd" | "price_usd" | "asset_share_value" | "liability_share_value" | "exchange_rate" | "source" | "gap"> | undefined;
      /** json: an object per point; columns: an array per field; csv: text, next_cursor in the header x-next-cursor. Default json */
      format?: "json" | "columns" | "csv" | unknown | undefined;
      /** next_cursor of the page before, with the same start, end and interval */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      bank: string;
      venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
      symbol: string | null;
      interval: "1m" | "1h" | "1d";
      /** Points in this page */
      count: number;
      /** format=json: oldest first */
      points?: Array<{
        /** Start of the bucket, ISO-8601 UTC */
        time?: string | undefined;
        /** Null in a gap, and where the bucket was not polled here */
        slot_first?: number | null | undefined;
        slot_last?: number | null | undefined;
        /** Samples seen in the bucket; 0 where it was filled from elsewhere, as source says */
        samples?: number | undefined;
        /** Lending interest earned, % a year, compounded; time-weighted mean of the bucket */
        deposit_apy_pct?: number | null | undefined;
        /** Lending interest paid; null for banks that nobody borrows from, % a year, compounded; time-weighted mean of the bucket */
        borrow_apy_pct?: number | null | undefined;
        /** The token's own yield, % a year, 0 for a token without one; time-weighted mean; null while it was not measured */
        native_apy_pct?: number | null | undefined;
        /** Rewards that the pool itself pays on deposits, % a year, compounded; time-weighted mean of the bucket */
        emissions_apy_pct?: number | null | undefined;
        /** deposit_apy_pct of the last sample */
        deposit_apy_close_pct?: number | null | undefined;
        /** Lowest in the bucket */
        deposit_apy_min_pct?: number | null | undefined;
        /** Highest in the bucket */
        deposit_apy_max_pct?: number | null | undefined;
        /** Debt ÷ deposits, %; time-weighted mean */
        utilization_pct?: number | null | undefined;
        /** UI tokens, at the last sample */
        deposits?: number | null | undefined;
        /** UI tokens, at the last sample */
        borrows?: number | null | undefined;
        /** USD, at the last sample */
        deposits_usd?: number | null | undefined;
        /** USD, at the last sample */
        borrows_usd?: number | null | undefined;
        /** USD, at the last sample */
        price_usd?: number | null | undefined;
        /** Exact decimal text, at the last sample */
        asset_share_value?: string | null | undefined;
        /** Exact decimal text, at the last sample */
        liability_share_value?: string | null | undefined;
        /** Tokens that one whole receipt of the venue is worth, exact decimal text; null on P0's own banks */
        exchange_rate?: string | null | undefined;
        /** poller: seen here on the chain; backfill_venue_api: as the venue itself publishes it */
        source?: "poller" | "backfill_venue_api" | "backfill_account_changes" | null | undefined;
        /** True when nothing is known of the bucket: numbers are null, nothing is carried forward */
        gap?: boolean | undefined;
      }> | undefined;
      /** format=columns: one array per field, oldest first */
      columns?: {
        time?: Array<string> | undefined;
        slot_first?: Array<number | null> | undefined;
        slot_last?: Array<number | null> | undefined;
        samples?: Array<number> | undefined;
        deposit_apy_pct?: Array<number | null> | undefined;
        borrow_apy_pct?: Array<number | null> | undefined;
        native_apy_pct?: Array<number | null> | undefined;
        emissions_apy_pct?: Array<number | null> | undefined;
        deposit_apy_close_pct?: Array<number | null> | undefined;
        deposit_apy_min_pct?: Array<number | null> | undefined;
        deposit_apy_max_pct?: Array<number | null> | undefined;
        utilization_pct?: Array<number | null> | undefined;
        deposits?: Array<number | null> | undefined;
        borrows?: Array<number | null> | undefined;
        deposits_usd?: Array<number | null> | undefined;
        borrows_usd?: Array<number | null> | undefined;
        price_usd?: Array<number | null> | undefined;
        asset_share_value?: Array<string | null> | undefined;
        liability_share_value?: Array<string | null> | undefined;
        exchange_rate?: Array<string | null> | undefined;
        source?: Array<"poller" | "backfill_venue_api" | "backfill_account_changes" | null> | undefined;
        gap?: Array<boolean> | undefined;
      } | undefined;
      /** Start of what there is at this interval; earlier points do not exist */
      first_available: string | null;
      /** Time of the newest sample */
      last_available: string | null;
      /** Points of this page of which nothing is known */
      gap_count: number;
      /** What the oldest point of the page is made from: samples (raw), or hours or days that were stored. Newer points that are not rolled up yet are made from samples whatever this says */
      rolled_from: "raw" | "hour" | "day";
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Limit history of a bank */
  get_bank_limits: {
    query: {
      /** Entries a page. Default 20 */
      limit?: number | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      bank: string;
      venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
      symbol: string | null;
      /** receipt: the program counts the venue's receipts; one is worth reserve.exchange_rate tokens */
      deposit_limit_unit: "token" | "receipt";
      /** Newest first */
      limits: Array<Limits>;
      /** Entries in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** The venues' pools */
  get_reserves: {
    query: {
      /** Only this venue; save means Solend, P0 has none */
      venue?: "Kamino" | "Drift" | "Solend" | "JupLend" | unknown | undefined;
      /** Only reserves of this token mint */
      mint?: string | undefined;
      /** Token symbol, whole, any case; several reserves may share one */
      symbol?: string | undefined;
      /** Only reserves of this market */
      market?: string | undefined;
      /** true: only reserves that a P0 bank lends through; false: only those that none does */
      reached?: boolean | undefined;
      /** Order: largest first, but cheapest first by total_borrow_apy_pct and A first by symbol; unknown last. Default deposits_usd */
      sort?: "deposits_usd" | "available_liquidity_usd" | "total_deposit_apy_pct" | "total_borrow_apy_pct" | "utilization_pct" | "symbol" | unknown | undefined;
      /** Reserves a page. Default 500 */
      limit?: number | undefined;
      /** next_cursor of the page before, with the same filters and sort */
      cursor?: string | undefined;
      /** Only these fields of each reserve, such as symbol, rates, rates.utilization_pct, size.deposits_usd */
      fields?: Array<"address" | "venue" | "market" | "market_name" | "mint" | "receipt_mint" | "symbol" | "decimals" | "status" | "status_reasons" | "price_usd" | "price_source" | "price_time" | "rates" | "incentives" | "size" | "limits" | "exchange_rate" | "banks" | "rates.total_deposit_apy_pct" | "rates.total_borrow_apy_pct" | "rates.interest_deposit_apy_pct" | "rates.interest_borrow_apy_pct" | "rates.native_apy_pct" | "rates.emissions_deposit_apy_pct" | "rates.emissions_borrow_apy_pct" | "rates.deposit_apy_7d_pct" | "rates.deposit_apy_30d_pct" | "rates.borrow_apy_7d_pct" | "rates.borrow_apy_30d_pct" | "rates.realized_deposit_apy_30d_pct" | "rates.utilization_pct" | "rates.basis" | "rates.slot_ms" | "size.deposits_usd" | "size.borrows_usd" | "size.available_liquidity_usd" | "size.deposits" | "size.borrows" | "size.available_liquidity" | "limits.deposit_limit" | "limits.deposit_room" | "limits.borrow_limit" | "limits.borrow_room" | "limits.withdraw_room"> | undefined;
    };
    body: never;
    answer: {
      reserves: Array<ListedReserve>;
      /** Reserves in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What the answer covers */
      coverage: ReserveCoverage;
      /** What to know before using the answer */
      warnings: Array<Warning>;
      /** Why no reserve is listed */
      empty_reason?: string | undefined;
    };
  };

  /** One of the venues' pools */
  get_reserve: {
    query: {};
    body: never;
    answer: {
      /** The venue's pool, base58: reserve, spot market or Earn account */
      address: string;
      venue: "Kamino" | "Drift" | "Solend" | "JupLend";
      /** Market the reserve belongs to */
      market: string;
      /** Text of the chain */
      market_name: string | null;
      mint: string;
      /** Token that a deposit gives, which exchange_rate is about; null where there is none, or it is not read yet */
      receipt_mint: string | null;
      /** Of the mint where it is well known, else text of the chain */
      symbol: string | null;
      decimals: number;
      /** restricted: some of it not, as status_reasons say; closed: no deposits; suspended and unknown: not usable */
      status: "active" | "restricted" | "closed" | "suspended" | "unknown";
      /** Why it is not simply active */
      status_reasons: Array<string>;
      /** Price of one token, USD */
      price_usd: number | null;
      /** venue: the price in the venue's own account (see price_time: it may be old); bank: of a P0 bank of the same mint, where the venue's is not fresh */
      price_source: "venue" | "bank" | null;
      /** ISO-8601 UTC: when it was published; null where nobody says */
      price_time: string | null;
      rates: Rates;
      /** Rewards in other tokens for who deposits or borrows at the venue itself: not in rates, and P0's depositors do not get them */
      incentives: Array<{
        side: "deposit" | "borrow";
        /** Token the reward is paid in */
        mint: string;
        symbol: string | null;
        /** For the whole side, UI tokens */
        amount_per_year: number | null;
        /** The same; null without a price of the reward, USD */
        usd_per_year: number | null;
        /** % a year of that side, not compounded; null without both prices */
        apr_pct: number | null;
      }>;
      size: {
        /** All deposits, USD */
        deposits_usd: number | null;
        /** All debts, USD */
        borrows_usd: number | null;
        /** What can be withdrawn or borrowed now, before caps, USD */
        available_liquidity_usd: number | null;
        /** All deposits, UI tokens */
        deposits: number | null;
        /** All debts, UI tokens */
        borrows: number | null;
        /** What can be withdrawn or borrowed now, before caps, UI tokens */
        available_liquidity: number | null;
      };
      limits: {
        /** Cap on all deposits; null = no cap, UI tokens */
        deposit_limit: number | null;
        /** Room under it; null = no cap, UI tokens */
        deposit_room: number | null;
        /** Cap on all debts; null = no cap, UI tokens */
        borrow_limit: number | null;
        /** What can be borrowed under all caps; null = no cap, UI tokens */
        borrow_room: number | null;
        /** What withdrawals can take now, after caps, queues and windows, UI tokens */
        withdraw_room: number | null;
      };
      /** Tokens that one whole receipt is worth, exact decimal text */
      exchange_rate: string | null;
      /** P0 banks that reach the reserve; [] is none */
      banks: Array<{
        address: string;
        operational_state: "Paused" | "Operational" | "ReduceOnly" | "KilledByBankruptcy" | "Uninitialized" | "ReduceOnlyWithBorrowingPower" | "CircuitBroken" | "Suspended" | "Unknown";
      }>;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Rate history of a reserve */
  get_reserve_history: {
    query: {
      /** First bucket, inclusive, ISO-8601, not in the future. Default: 1 hour (1m), 7 days (1h), 90 days (1d) before end */
      start?: unknown | Date | undefined;
      /** Up to here, exclusive, ISO-8601, later than start. Default: the newest data */
      end?: unknown | Date | undefined;
      /** Bucket length. At most 24 hours of 1m and 90 days of 1h a call; the rest by next_cursor. Default 1h */
      interval?: "1m" | "1h" | "1d" | unknown | undefined;
      /** Only these fields of each point; time is always there */
      fields?: Array<"time" | "slot_first" | "slot_last" | "samples" | "deposit_apy_pct" | "borrow_apy_pct" | "native_apy_pct" | "emissions_apy_pct" | "deposit_apy_close_pct" | "deposit_apy_min_pct" | "deposit_apy_max_pct" | "utilization_pct" | "deposits" | "borrows" | "deposits_usd" | "borrows_usd" | "price_usd" | "asset_share_value" | "liability_share_value" | "exchange_rate" | "source" | "gap"> | undefined;
      /** json: an object per point; columns: an array per field; csv: text, next_cursor in the header x-next-cursor. Default json */
      format?: "json" | "columns" | "csv" | unknown | undefined;
      /** next_cursor of the page before, with the same start, end and interval */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      reserve: string;
      venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
      symbol: string | null;
      interval: "1m" | "1h" | "1d";
      /** Points in this page */
      count: number;
      /** format=json: oldest first */
      points?: Array<{
        /** Start of the bucket, ISO-8601 UTC */
        time?: string | undefined;
        /** Null in a gap, and where the bucket was not polled here */
        slot_first?: number | null | undefined;
        slot_last?: number | null | undefined;
        /** Samples seen in the bucket; 0 where it was filled from elsewhere, as source says */
        samples?: number | undefined;
        /** Lending interest earned, % a year, compounded; time-weighted mean of the bucket */
        deposit_apy_pct?: number | null | undefined;
        /** Lending interest paid; null for banks that nobody borrows from, % a year, compounded; time-weighted mean of the bucket */
        borrow_apy_pct?: number | null | undefined;
        /** The token's own yield, % a year, 0 for a token without one; time-weighted mean; null while it was not measured */
        native_apy_pct?: number | null | undefined;
        /** Rewards that the pool itself pays on deposits, % a year, compounded; time-weighted mean of the bucket */
        emissions_apy_pct?: number | null | undefined;
        /** deposit_apy_pct of the last sample */
        deposit_apy_close_pct?: number | null | undefined;
        /** Lowest in the bucket */
        deposit_apy_min_pct?: number | null | undefined;
        /** Highest in the bucket */
        deposit_apy_max_pct?: number | null | undefined;
        /** Debt ÷ deposits, %; time-weighted mean */
        utilization_pct?: number | null | undefined;
        /** UI tokens, at the last sample */
        deposits?: number | null | undefined;
        /** UI tokens, at the last sample */
        borrows?: number | null | undefined;
        /** USD, at the last sample */
        deposits_usd?: number | null | undefined;
        /** USD, at the last sample */
        borrows_usd?: number | null | undefined;
        /** USD, at the last sample */
        price_usd?: number | null | undefined;
        /** Exact decimal text, at the last sample */
        asset_share_value?: string | null | undefined;
        /** Exact decimal text, at the last sample */
        liability_share_value?: string | null | undefined;
        /** Tokens that one whole receipt of the venue is worth, exact decimal text; null on P0's own banks */
        exchange_rate?: string | null | undefined;
        /** poller: seen here on the chain; backfill_venue_api: as the venue itself publishes it */
        source?: "poller" | "backfill_venue_api" | "backfill_account_changes" | null | undefined;
        /** True when nothing is known of the bucket: numbers are null, nothing is carried forward */
        gap?: boolean | undefined;
      }> | undefined;
      /** format=columns: one array per field, oldest first */
      columns?: {
        time?: Array<string> | undefined;
        slot_first?: Array<number | null> | undefined;
        slot_last?: Array<number | null> | undefined;
        samples?: Array<number> | undefined;
        deposit_apy_pct?: Array<number | null> | undefined;
        borrow_apy_pct?: Array<number | null> | undefined;
        native_apy_pct?: Array<number | null> | undefined;
        emissions_apy_pct?: Array<number | null> | undefined;
        deposit_apy_close_pct?: Array<number | null> | undefined;
        deposit_apy_min_pct?: Array<number | null> | undefined;
        deposit_apy_max_pct?: Array<number | null> | undefined;
        utilization_pct?: Array<number | null> | undefined;
        deposits?: Array<number | null> | undefined;
        borrows?: Array<number | null> | undefined;
        deposits_usd?: Array<number | null> | undefined;
        borrows_usd?: Array<number | null> | undefined;
        price_usd?: Array<number | null> | undefined;
        asset_share_value?: Array<string | null> | undefined;
        liability_share_value?: Array<string | null> | undefined;
        exchange_rate?: Array<string | null> | undefined;
        source?: Array<"poller" | "backfill_venue_api" | "backfill_account_changes" | null> | undefined;
        gap?: Array<boolean> | undefined;
      } | undefined;
      /** Start of what there is at this interval; earlier points do not exist */
      first_available: string | null;
      /** Time of the newest sample */
      last_available: string | null;
      /** Points of this page of which nothing is known */
      gap_count: number;
      /** What the oldest point of the page is made from: samples (raw), or hours or days that were stored. Newer points that are not rolled up yet are made from samples whatever this says */
      rolled_from: "raw" | "hour" | "day";
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Limit history of a reserve */
  get_reserve_limits: {
    query: {
      /** Entries a page. Default 20 */
      limit?: number | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      reserve: string;
      venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
      symbol: string | null;
      /** receipt: the program counts the venue's receipts; one is worth reserve.exchange_rate tokens */
      deposit_limit_unit: "token" | "receipt";
      /** Newest first */
      limits: Array<Limits>;
      /** Entries in this page */
      count: number;
      /** Pass as cursor for the next page; null on the last */
      next_cursor: string | null;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Service status */
  get_status: {
    query: {};
    body: never;
    answer: {
      /** What /readyz answers: true is 200, false is 503 */
      ready: boolean;
      version: string;
      /** The lending program as it runs; null before it was read */
      program: {
        /** Of the lending program that transactions are built for; null while it is not known */
        version: string | null;
        /** When it was last deployed */
        deploy_slot: number | null;
        /** known: the slot says it; inferred: lengths of accounts and a simulation agree; upgrading: accounts are not as long yet as it takes them to be; unknown: anything else. Builders build for the first two */
        standing: "known" | "inferred" | "upgrading" | "unknown";
        /** Why nothing is built; null where it is */
        reason: string | null;
      } | null;
      /** Which run of first contact stands for the program as it runs; null where none does, or the program was deployed again since: an operator runs npm run smoke -- --rpc URL */
      verified_on_chain: {
        /** local_chain: the built-in test chain, which nobody need verify; run: a run of npm run smoke has passed */
        kind: "local_chain" | "run";
        /** ISO-8601 UTC: when that run ended; null on the local chain, as all below */
        at: string | null;
        /** What the run found; exceptions say for what it is not trusted, or why */
        verdict: "trusted" | "trusted_except" | "not_trusted" | null;
        exceptions: Array<string> | null;
        /** Slot in which the program it ran against was deployed */
        deploy_slot: number | null;
      } | null;
      /** How figures of ours compare with those that the program left on the chain; null without a database */
      audit: {
        /** Comparisons since the first ever, of all banks */
        compared: number;
        /** How many of them differed beyond their bound */
        differed: number;
        /** Banks of which a figure is not trusted at present */
        unverified: number;
        /** Every bank that was ever compared; those that are not trusted first */
        banks: Array<{
          bank: string;
          symbol: string | null;
          /** False: borrow, loop, and withdrawals that leave debt are refused with BANK_UNVERIFIED */
          verified: boolean;
          /** ISO-8601 UTC: until then an operator has it built for all the same; null where none does */
          overruled_until: string | null;
          figures: Array<{
            /** rates, interest, price, health or premium; later versions may have others */
            figure: string;
            compared: number;
            /** Comparisons that differed beyond their bound */
            differed: number;
            /** The largest difference, in raw units of the field, as the program stores it */
            largest_units: string;
            /** The newest difference: ours less the program’s */
            last_units: string;
            /** Of the newest comparison */
            slot: number;
            /** Slot of the difference since which the figure is not trusted; null: it is */
            unverified_since: number | null;
            /** The newest difference beyond its bound */
            last_difference: {
              field: string;
              ours: string;
              theirs: string;
              /** What the two may differ by */
              bound: string;
              /** Whose figure it was; null: the bank’s own */
              account: string | null;
              slot: number;
            } | null;
          }>;
        }>;
      } | null;
      components: Array<{
        name: string;
        ready: boolean;
        /** Why it is not ready; null when it is */
        reason: string | null;
        /** ISO-8601 UTC: when this was found or began */
        since: string;
      }>;
      /** The newest data of any bank; null before there is any */
      chain: AsOf | null;
      /** Banks known; null without a database */
      banks: number | null;
      /** Every venue that has banks or reserves; null without a database */
      venues: Array<{
        venue: "P0" | "Kamino" | "Drift" | "Solend" | "JupLend";
        banks: number;
        reserves: number;
        /** The newest sample of any of them; null before the first */
        newest: {
          slot: number;
          time: string;
          age_seconds: number;
        } | null;
        /** True when it is older than the limit, or there is none */
        stale: boolean;
        /** How often it is sampled; null before a poller said so */
        beat_seconds: number | null;
        /** How much older than a beat the newest sample is; null before the first, or while the beat is unknown */
        lag_seconds: number | null;
        /** Slots from the newest sample to the newest slot that anybody knows of; null while either is unknown */
        slots_behind: number | null;
        /** Of the last 24 whole hours, how long nothing of the venue was sampled; null before its first hour is over */
        gap_seconds_24h: number | null;
        /** Readings of the last 24 hours that were not believed, and are served nowhere */
        quarantined_24h: number;
        last_quarantined: {
          address: string;
          reason: string;
          detail: string;
          time: string;
        } | null;
      }> | null;
      /** How far accounts and activity were followed; null without a database */
      indexer: {
        /** Everything up to here is in the tables or on its way; null before the first */
        tip: AsOf | null;
        /** What is up to here can no longer be dropped */
        root_slot: number | null;
        /** Slots between the two */
        unfinal_slots: number | null;
        /** All accounts there are were read; false: those that were asked for */
        accounts_complete: boolean;
        /** Parts of the past that are still being read */
        open_tasks: number;
        /** The newest 20 of them */
        tasks: Array<{
          task: string;
          kind: "accounts" | "activity";
          address: string | null;
          /** Accounts or transactions read */
          done: number;
          /** Of how many; null where nobody knows */
          total: number | null;
          /** Since the call before; null on the first */
          rate_per_second: number | null;
          /** Down to here */
          at_slot: number | null;
          /** Goes down to here */
          until_slot: number;
          updated_at: string;
        }>;
        followed: {
          /** Addresses that are followed because somebody asked for them */
          count: number;
          /** Of these not read from the chain yet */
          unanswered: number;
          limit: number;
        };
      } | null;
      /** How far the tables followed each topic */
      consumers: Array<{
        group: string;
        topic: string;
        partitions: number;
        /** Next offset to read, summed over the partitions: grows while messages are handled, is no count of them */
        position: string;
        updated_at: string;
      }>;
      /** What waits in each topic; null without a database */
      topics: Array<{
        topic: string;
        group: string;
        partitions: number;
        /** Messages between where the tables are and the end of the topic */
        behind: number | null;
        /** The partition with the most of them; null when there are none */
        worst_partition: {
          partition: number;
          behind: number;
        } | null;
        /** How long the oldest of them had waited when that was measured, to some five seconds; 0 when none did */
        lag_seconds: number | null;
        /** Over the last minute */
        handled_per_second: number | null;
        /** Messages that could not be handled and lie on its dead topic */
        dead: number | null;
        /** ISO-8601 UTC: when an indexer looked last */
        measured_at: string;
        /** The same where that is over 30 s ago: then no indexer looks, and the figures are null */
        unknown_since: string | null;
      }> | null;
      /** What every process hears from that told of it within 30 s; of the api, the process that answers; null without a database */
      sources: Array<{
        /** Which service: rate-poller, indexer or api, or embedded where one process is all */
        role: string;
        /** Which process of it */
        instance: string;
        kind: "rpc" | "pubsub" | "polling" | "yellowstone" | "aggregator";
        /** Host and port alone */
        host: string;
        /** unknown: not asked yet; lagging: behind the others, which are asked first; resting: it failed and is left alone for a while; refused: of another cluster */
        state: "unknown" | "serving" | "lagging" | "resting" | "refused";
        /** Asked first, or heard */
        in_use: boolean;
        /** The newest confirmed slot it showed; null where it showed none */
        newest_slot: number | null;
        /** Behind the source that is furthest, at the moment of its last slot; null while unknown */
        slots_behind: number | null;
        /** How long ago it answered last; null before the first time */
        last_answer_seconds: number | null;
        /** Code of its last failure; null since it answers again */
        error: string | null;
      }> | null;
    };
  };

  /** Simulate again */
  svc_simulate_transactions: {
    query: {};
    body: {
      /** plan_id of an envelope */
      plan_id?: string | Absent | undefined;
      /** Or the transactions as base64, signed or not, in their order */
      transactions?: Array<string> | Absent | undefined;
    };
    answer: {
      /** The simulation passes and the blockhash still lives */
      would_land: boolean;
      /** Why the simulation fails, as a builder would have answered; null where it passes */
      error: Error | null;
      simulation: {
        success: boolean;
        slot: number;
        /** Of each transaction that ran to its end */
        compute_units: Array<number>;
        simulated_by: "node" | "node_bundle" | "in_process";
        /** As post_health, before */
        pre_health: AccountHealth | null;
        /** The plan's account afterwards; null where it fails, and where only the bytes are known */
        post_health: AccountHealth | null;
        /** As in an envelope; null likewise */
        token_changes: Array<TokenChange> | null;
      };
      blockhash: {
        /** Of the first transaction */
        value: string;
        /** One of the transactions can no longer land: build again */
        expired: boolean;
        /** Blocks until then; null where only the bytes are known */
        blocks_left: number | null;
        expires_in_seconds: number | null;
      };
      plan_id: string | null;
      /** What to do next, at most 3 */
      next_actions: Array<NextAction>;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Verify */
  svc_verify_landing: {
    query: {
      /** plan_id of an envelope */
      plan_id?: string | undefined;
    };
    body: never;
    answer: {
      signature: string;
      /** True: it ran in a block, also where it failed; null: not yet; false: it can no longer land, also where a block has it and it did not run */
      landed: boolean | null;
      /** False: it ran in a block, and failed; null while not landed */
      success: boolean | null;
      confirmation: "processed" | "confirmed" | "finalized" | null;
      slot: number | null;
      /** ISO-8601 UTC of its block */
      time: string | null;
      /** Why it failed */
      error: Error | null;
      fee_sol: number | null;
      /** What moved in the signer's wallet */
      token_changes: Array<TokenChange> | null;
      /** What it did to lending accounts */
      activity: Array<{
        kind: string;
        account: string;
        bank: string | null;
        symbol: string | null;
        amount_ui: number | null;
        /** Base units, exact; null where the transaction does not tell */
        amount_raw: string | null;
      }> | null;
      plan: {
        plan_id: string;
        /** Which of the plan's transactions it is; null: none, byte by byte */
        transaction_index: number | null;
        /** What this one transaction can be held to */
        compared: Array<"activity" | "token_changes">;
        /** No difference above 0.1 %; null where nothing is compared */
        matches: boolean | null;
        differences: Array<{
          field: string;
          promised: string;
          actual: string;
        }>;
      } | null;
      /** What to do now */
      advice: string;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** Verify a plan */
  svc_verify_plan: {
    query: {
      /** plan_id of an envelope */
      plan_id: string;
    };
    body: never;
    answer: {
      /** Of the plan's action; null: it is in no block */
      signature: string | null;
      /** True: it ran in a block, also where it failed; null: not yet; false: it can no longer land, also where a block has it and it did not run */
      landed: boolean | null;
      /** False: it ran in a block, and failed; null while not landed */
      success: boolean | null;
      confirmation: "processed" | "confirmed" | "finalized" | null;
      slot: number | null;
      /** ISO-8601 UTC of its block */
      time: string | null;
      /** Why it failed */
      error: Error | null;
      fee_sol: number | null;
      /** What moved in the signer's wallet */
      token_changes: Array<TokenChange> | null;
      /** What it did to lending accounts */
      activity: Array<{
        kind: string;
        account: string;
        bank: string | null;
        symbol: string | null;
        amount_ui: number | null;
        /** Base units, exact; null where the transaction does not tell */
        amount_raw: string | null;
      }> | null;
      plan: {
        plan_id: string;
        /** Which of the plan's transactions it is; null: none, byte by byte */
        transaction_index: number | null;
        /** What this one transaction can be held to */
        compared: Array<"activity" | "token_changes">;
        /** No difference above 0.1 %; null where nothing is compared */
        matches: boolean | null;
        differences: Array<{
          field: string;
          promised: string;
          actual: string;
        }>;
      } | null;
      /** What to do now */
      advice: string;
      /** How old the answer is */
      as_of: AsOf;
      /** What to know before using the answer */
      warnings: Array<Warning>;
    };
  };

  /** List conversations */
  list_conversations: {
    query: {
      /** How many a page. Default 10 */
      limit?: number | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      data: Array<{
        /** Pass it as x-conversation-id, or over MCP as conversation_id in _meta, to go on with this one */
        id: string;
        /** As it was given, else made from the first call; null while there was neither */
        title: string | null;
        /** ISO-8601 UTC */
        created_at: string;
        /** ISO-8601 UTC: its newest entry, or its creation; another title does not move it */
        updated_at: string;
        /** Entries that are kept */
        entry_count: number;
        /** What the program that opened it calls itself: clientInfo of MCP where it is known, else the user agent */
        client: string | null;
      }>;
      /** Whether there are more behind these */
      has_more: boolean;
      /** Pass it as cursor to get them; null on the last page */
      next_cursor: string | null;
    };
  };

  /** Open a conversation */
  create_conversation: {
    query: {};
    body: {
      /** Its title; without one it is made from the first call */
      title?: string | Absent | undefined;
    };
    answer: {
      /** Pass it as x-conversation-id, or over MCP as conversation_id in _meta, to go on with this one */
      id: string;
      /** As it was given, else made from the first call; null while there was neither */
      title: string | null;
      /** ISO-8601 UTC */
      created_at: string;
      /** ISO-8601 UTC: its newest entry, or its creation; another title does not move it */
      updated_at: string;
      /** Entries that are kept */
      entry_count: number;
      /** What the program that opened it calls itself: clientInfo of MCP where it is known, else the user agent */
      client: string | null;
    };
  };

  /** One conversation */
  get_conversation: {
    query: {};
    body: never;
    answer: {
      /** Pass it as x-conversation-id, or over MCP as conversation_id in _meta, to go on with this one */
      id: string;
      /** As it was given, else made from the first call; null while there was neither */
      title: string | null;
      /** ISO-8601 UTC */
      created_at: string;
      /** ISO-8601 UTC: its newest entry, or its creation; another title does not move it */
      updated_at: string;
      /** Entries that are kept */
      entry_count: number;
      /** What the program that opened it calls itself: clientInfo of MCP where it is known, else the user agent */
      client: string | null;
    };
  };

  /** Rename a conversation */
  rename_conversation: {
    query: {};
    body: {
      /** Its new title */
      title: string;
    };
    answer: {
      /** Pass it as x-conversation-id, or over MCP as conversation_id in _meta, to go on with this one */
      id: string;
      /** As it was given, else made from the first call; null while there was neither */
      title: string | null;
      /** ISO-8601 UTC */
      created_at: string;
      /** ISO-8601 UTC: its newest entry, or its creation; another title does not move it */
      updated_at: string;
      /** Entries that are kept */
      entry_count: number;
      /** What the program that opened it calls itself: clientInfo of MCP where it is known, else the user agent */
      client: string | null;
    };
  };

  /** Entries of a conversation */
  list_conversation_entries: {
    query: {
      /** How many a page. Default 10 */
      limit?: number | undefined;
      /** next_cursor of the page before */
      cursor?: string | undefined;
    };
    body: never;
    answer: {
      data: Array<{
        /** The conversation, a colon, and the number of the entry in it */
        id: string;
        /** ISO-8601 UTC, when it was answered */
        time: string;
        door: "mcp" | "rest";
        /** The tool, or the operation id of what only REST has */
        tool: string;
        /** Those that the tool takes, cut short; whatever looks like a secret stands as (removed) */
        arguments: Record<string, unknown>;
        outcome: "ok" | "error";
        /** Of an error */
        code?: "INVALID_ARGUMENT" | "UNAUTHENTICATED" | "BANK_NOT_FOUND" | "ACCOUNT_NOT_FOUND" | "DOC_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ACCOUNT_AMBIGUOUS" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "BORROW_LIMIT_EXCEEDED" | "WITHDRAW_LIMIT_EXCEEDED" | "DEPOSIT_LIMIT_EXCEEDED" | "REPAY_LIMIT_EXCEEDED" | "LEVERAGE_EXCEEDED" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_COLLATERAL" | "BANK_NOT_BORROWABLE" | "BANK_PAUSED" | "ORACLE_STALE" | "ASSET_TAG_CONFLICT" | "BALANCE_SLOTS_FULL" | "SWAP_ROUTE_UNAVAILABLE" | "TX_TOO_LARGE" | "SIMULATION_FAILED" | "POLICY_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "DATA_STALE" | "PROGRAM_UPGRADING" | "PROGRAM_UNSUPPORTED" | "BANK_UNVERIFIED" | "UPSTREAM_UNAVAILABLE" | undefined;
      }>;
      /** Whether there are more behind these */
      has_more: boolean;
      /** Pass it as cursor to get them; null on the last page */
      next_cursor: string | null;
    };
  };
}
