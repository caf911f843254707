/** What `update_rate` begins with, which brings a lending account's exchange price up to now; anyone may send it. */
export const JUPLEND_REFRESH_LENDING_DISCRIMINATOR = new Uint8Array([24, 225, 53, 189, 72, 212, 225, 178]);
