/**
 * What a task comes to, unless it takes longer: then nobody hears of it any more, and nothing that it still throws is left unhandled.
 * @throws Error that says how long it was waited for.
 */
export async function withinMs<T>(ms: number, task: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It took more than ${ms} ms`)), ms);
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
