/** Releases have three numbers. A version with more behind them is for trying out, and no feed announces it. */
export const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

const numbersOf = (version: string): number[] => (version.split(/[-+]/)[0] ?? '').split('.').map(Number);

/** Says which of two versions is newer: above zero, the first. What stands behind the three numbers does not count. */
export function compareVersions(one: string, other: string): number {
  const others = numbersOf(other);
  for (const [at, number] of numbersOf(one).entries()) {
    const difference = number - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
