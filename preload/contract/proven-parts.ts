import type { Trial, TrialCall } from './trial.ts';

/**
 * Whether a login that made some calls without a fault proves a part of a description. It makes no registration, renewal or
 * logout by itself, so a guess of theirs stays one.
 * @param at the place of the part, such as `calls.register.body` or `outputs.refreshToken`
 * @param calls those that were made, by their names in a description
 */
export function isProvenBy(at: string, calls: readonly string[]): boolean {
  // A login that succeeds has sent no code.
  if (at.startsWith('secondFactor')) return false;
  const [, name] = /^calls\.(register|refresh|logout)(?![\w-])/.exec(at) ?? [];
  const own = name ?? (/^outputs\.refreshToken(?![\w-])/.test(at) ? 'refresh' : undefined);
  return own === undefined || calls.includes(own);
}

/** The calls of a trial that did what they are for. */
export const workingCalls = ({ calls }: Pick<Trial, 'calls'>): TrialCall['call'][] =>
  calls.flatMap(({ call, error }) => (error ? [] : [call]));
