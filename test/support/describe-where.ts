// oxlint-disable vitest/no-conditional-tests, vitest/valid-title, vitest/valid-describe-callback, vitest/expect-expect -- It makes tests of what it is given.
import { describe, it } from 'vitest';

/**
 * A group of tests that not every computer can run. One test in its place then says the reason, which `npm test` ends with.
 * @param missing why they cannot be run here
 */
export function describeWhere(missing: string | undefined, name: string, tests: () => void): void {
  if (missing === undefined) describe(name, tests);
  else it(name, ({ skip }) => skip(missing));
}
