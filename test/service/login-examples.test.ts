import { describe, expect, it } from 'vitest';
import { loginExamples } from '../../main/service/fault-injection/login-examples.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

/** Replaces every value by its kind, since an example has other people and other times. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
    : value === null
      ? null
      : typeof value;

describe('the example of a login that a person is shown', () => {
  it.each(loginExamples)('has the form of what the service answers: $dialect $wrong', async (example) => {
    const { dialect, defects, status, type, body } = example;
    const { login } = await startBuiltInServer({ dialect: dialect ?? undefined, defects });
    const answer = await login();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${type}(;|$)`));
    expect(shapeOf(await answer.json())).toEqual(shapeOf(JSON.parse(body)));
  });

  it('tells with the token whether tokens can be guessed', () => {
    const tokenIn = (wrong: string) =>
      loginExamples.find((each) => each.dialect === null && each.defects.join() === wrong)?.body;
    expect(tokenIn('tokens-guessable')).not.toBe(tokenIn(''));
  });
});
