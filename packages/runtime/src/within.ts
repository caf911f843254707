/**
 * What a task comes to, unless it takes longer: then nobody hears of it any more, and nothing that it still throws is left unhandled.
 * An answer that came while this process was too busy to look is in time.
 * @throws Error that says how long it was waited for.
 */
export async function withinMs<T>(ms: number, task: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new Error(`It took more than ${ms} ms`));
  // After a busy stretch timers are run before what arrived is read; an immediate is run after it.
  const timer = setTimeout(() => setImmediate(giveUp), ms);
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
