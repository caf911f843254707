/** Whether bytes begin with a discriminator. */
export function startsWith(data: Uint8Array, head: ArrayLike<number>): boolean {
  for (let index = 0; index < head.length; index += 1) if (data[index] !== head[index]) return false;
  return true;
}
