/**
 * What no source says for certain of the program that runs, by the name under which a run of first contact reports it. The stricter reading
 * of each is kept until the chain has answered otherwise.
 */
export const STRICT_RULES = [
  'withdrawal_unpriced_only_up',
  'stale_zero_weight_collateral',
  'order_start_gate',
  'end_flashloan_gate',
  'tag_cleared_on_last_repay',
  'rebalance_reward_accounts',
  'paused_collateral_zero_weight',
  'zero_max_age_is_zero',
  'balance_residual_bytes',
] as const;

export type StrictRule = (typeof STRICT_RULES)[number];

/** The rules that the program as it runs was seen to be less strict in. */
export type RelaxedRules = ReadonlySet<StrictRule>;

export const NONE_RELAXED: RelaxedRules = new Set();

export function isStrictRule(id: string): id is StrictRule {
  return (STRICT_RULES as readonly string[]).includes(id);
}
