import { describe, expect, it } from 'vitest';
import { parseResponse, type ReceivedResponse } from '../../../main/client/parse-response.ts';

/** Answers of stock servers of other interfaces, as they were recorded or are documented. */
const answer = (more: Partial<ReceivedResponse>): ReceivedResponse => ({ status: 200, headers: {}, body: '', ...more });

describe('the token', () => {
  const body = '3|j3akQ9fLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4RuT8Zv';

  it.each([undefined, { token: 'body' }])(
    'is the whole text of an answer, as of the usual login of Sanctum: %j',
    (paths) => {
      const { verdict, summary } = parseResponse('login', answer({ body, paths }));
      expect(verdict).toBe('ok');
      expect(summary).toEqual({ ok: true, token: body });
    },
  );

  it('is no sentence at the place where one was pinned', () => {
    const { verdict, summary } = parseResponse(
      'login',
      answer({ body: 'Log in again later.', paths: { token: 'body' } }),
    );
    expect(verdict).toBe('accepted-without-token');
    expect(summary.token).toBeUndefined();
  });

  it('is what an Authorization header gives as Bearer, before its part in access-token', () => {
    const headers = {
      'access-token': 'Vd2nZ0',
      authorization: 'Bearer eyJhY2Nlc3MtdG9rZW4iOiJWZDJuWjAifQ==',
      client: 'x',
    };
    const { summary } = parseResponse('login', answer({ headers, body: '{"data":{"email":"ana@example.test"}}' }));
    expect(summary.token).toBe('eyJhY2Nlc3MtdG9rZW4iOiJWZDJuWjAifQ==');
  });
});

describe('the session', () => {
  it('has ended where the server knows it no longer, as GoTrue says with 403', () => {
    const body =
      '{"code":403,"error_code":"session_not_found","msg":"Session from session_id claim in JWT does not exist"}';
    expect(parseResponse('profile', answer({ status: 403, body })).verdict).toBe('ended');
  });

  it('has not ended where a logout wants another token, as Directus does', () => {
    const body =
      '{"errors":[{"message":"Invalid payload. The refresh token is required in either the payload or cookie."}]}';
    expect(parseResponse('logout', answer({ status: 400, body })).verdict).toBe('failed');
  });

  it('has ended at a profile of null where the interface says so, and is doubtful elsewhere', () => {
    expect(parseResponse('profile', answer({ body: 'null' })).verdict).toBe('unknown');
    expect(parseResponse('profile', answer({ body: 'null', unauthenticated: true })).verdict).toBe('ended');
  });
});
