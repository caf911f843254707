/** Slots for balances; each can hold one bank, as a deposit or as a debt. */
export const MAX_BALANCES = 16;
