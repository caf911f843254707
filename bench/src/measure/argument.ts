/** The number after a name on the command line: `--seconds 60`. */
export function argumentOf(name: string, otherwise: number): number {
  const index = process.argv.indexOf(name);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
}
