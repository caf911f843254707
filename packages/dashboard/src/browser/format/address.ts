/** An address short enough for a cell: its first and last four characters. The whole one belongs into the title. */
export function shortAddress(address: string): string {
  return address.length > 11 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
}
