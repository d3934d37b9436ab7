import { expect, it } from 'vitest';
import {
  createClientFaultDetector,
  type ObservedRequest,
} from '../../main/service/fault-injection/client-fault-detector.ts';

const client = '127.0.0.1';
const connection = {};

/** A request that a careful client sends, with the answer that it wants. */
function seen(
  operation: 'login' | 'profile' | 'logout',
  atMs: number,
  more: Partial<ObservedRequest>,
): ObservedRequest {
  const isPerfil = operation === 'profile';
  return {
    shown: { id: `${operation} ${atMs}`, atMs, method: isPerfil ? 'GET' : 'POST', route: operation, status: 200 },
    operation,
    receivedAt: atMs,
    finishedAt: atMs,
    connection,
    openedAt: 0,
    client,
    email: '',
    hasAccept: true,
    hasCookie: false,
    hasPasswordInUrl: false,
    hasBody: false,
    decidedStatus: 200,
    wasDelivered: true,
    ...more,
  };
}

/** Logs so many in and out, one after the other, and says what is found in a use of the first one's token. */
function faultsOfFirstAfter(logins: number): string[] {
  const judge = createClientFaultDetector();
  let atMs = 0;
  for (let login = 0; login < logins; login++) {
    const token = `token ${login}`;
    expect(judge.detect(seen('login', ++atMs, { issuedToken: token }))).toEqual([]);
    expect(judge.detect(seen('logout', ++atMs, { token }))).toEqual([]);
  }
  return judge.detect(seen('profile', ++atMs, { token: 'token 0', decidedStatus: 401 })).map(({ fault }) => fault);
}

it('a token that was logged out is known for 2000 further ones, and no longer: memory must end', () => {
  expect(faultsOfFirstAfter(2000)).toEqual(['token-used-after-logout']);
  expect(faultsOfFirstAfter(2001)).toEqual([]);
});
