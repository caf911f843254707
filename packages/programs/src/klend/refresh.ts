/** What the instructions begin with that make a reserve's rate and an obligation's value of this slot; anyone may send them. */
export const KLEND_REFRESH_RESERVE_DISCRIMINATOR = new Uint8Array([2, 218, 138, 235, 79, 201, 25, 102]);
export const KLEND_REFRESH_RESERVES_BATCH_DISCRIMINATOR = new Uint8Array([144, 110, 26, 103, 162, 204, 252, 147]);
export const KLEND_REFRESH_OBLIGATION_DISCRIMINATOR = new Uint8Array([33, 132, 147, 228, 151, 192, 72, 89]);
