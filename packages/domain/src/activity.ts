/** What an activity can be, in the words of topic, table and tool. */
export const ACTIVITY_KINDS = [
  'create_account',
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'liquidation',
  'loop',
  'close_position',
  'transfer',
  'emissions_claim',
  'order',
  'bankruptcy',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** What one leg did to one balance. A liquidation seizes what was lent and repays what was owed; a bankruptcy writes debt off. */
export const LEG_ACTIONS = ['deposit', 'withdraw', 'borrow', 'repay', 'seize', 'write_off'] as const;
export type LegAction = (typeof LEG_ACTIONS)[number];

/** Which side of the account's balance a leg changed. */
export function sideOfLeg(action: LegAction): 'lend' | 'borrow' {
  switch (action) {
    case 'deposit':
    case 'withdraw':
    case 'seize':
      return 'lend';
    case 'borrow':
    case 'repay':
    case 'write_off':
      return 'borrow';
  }
}

/** What can be asked of an address and is followed on its own: its lending accounts, what it did, what it holds. */
export const FOLLOW_ASPECTS = ['accounts', 'activity', 'wallet'] as const;
export type FollowAspect = (typeof FOLLOW_ASPECTS)[number];
