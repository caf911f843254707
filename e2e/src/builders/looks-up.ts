import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';

/** Whether any of the transactions looks addresses up in a table. */
export function looksUp(transactions: readonly { readonly wire: Uint8Array }[], table: Address): boolean {
  return transactions.some(({ wire }) => {
    const { messageBytes } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
    return lookups.some(({ lookupTableAddress }) => lookupTableAddress === table);
  });
}
