/** Whether a request asks for addresses alone: of the numbers in its answer only the slot is read, and a float holds that. */
export function isListing(method: string, params: unknown): boolean {
  const config = Array.isArray(params)
    ? (params.at(-1) as { readonly dataSlice?: { readonly length?: number } })
    : null;
  return method === 'getProgramAccounts' && config?.dataSlice?.length === 0;
}
