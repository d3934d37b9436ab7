import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Random } from '../prove/random.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';

/** What a renewing server counted. `ended` are sessions whose refresh token came a second time. */
export type Served = {
  calls: number;
  refused401: number;
  answered503: number;
  csrfRefused: number;
  csrfFetched: number;
  renewals: number;
  logins: number;
  logouts: number;
  ended: number;
};

type Session = { access: string; accessUntil: number; refresh: string; used: Set<string> };
type Answer = { status: number; body?: object; cookies?: string[] };

/**
 * Starts a server on 127.0.0.1 whose sessions live by renewals: an access token that ends soon, in a cookie or as a bearer
 * token, a refresh token that is taken once and whose second use ends the session, a token against forged requests that
 * ends, too, and now and then a 503, before anything was done.
 * @param options.accessMs, csrfMs how long they live, in milliseconds of `now`
 * @param options.faults the share of answers that are 503, from 0 to 1, by `random`
 * @param options.tellsEnd whether it says when an access token ends; a client otherwise learns it from a refusal alone
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- What it keeps is shared by its few calls.
export async function startRenewingServer(options: {
  kind: 'cookie' | 'bearer';
  accessMs: number;
  csrfMs: number;
  faults: number;
  tellsEnd: boolean;
  random: Random;
  now: () => number;
}) {
  const { kind, accessMs, csrfMs, faults, tellsEnd, random, now } = options;
  const sessions = new Set<Session>();
  const csrf = new Map<string, number>();
  const served: Served = {
    calls: 0,
    refused401: 0,
    answered503: 0,
    csrfRefused: 0,
    csrfFetched: 0,
    renewals: 0,
    logins: 0,
    logouts: 0,
    ended: 0,
  };

  function tokens(session: Session): Answer {
    session.access = randomUUID();
    session.accessUntil = now() + accessMs;
    session.refresh = randomUUID();
    const body = {
      ...(kind === 'bearer' && { accessToken: session.access }),
      session: { refreshToken: session.refresh },
      ...(tellsEnd && { expires_in: accessMs / 1000 }),
    };
    return { status: 200, body, ...(kind === 'cookie' && { cookies: [`sid=${session.access}; Path=/; HttpOnly`] }) };
  }

  function answerTo({ method, url, headers }: IncomingMessage, body: string): Answer {
    if (random.chance(faults)) return { status: 503, body: { message: 'Service Unavailable' } };
    const call = `${method} ${url}`;
    const cookie = headers.cookie ?? '';
    if (call === 'GET /csrf') {
      const value = randomUUID();
      csrf.set(value, now() + csrfMs);
      served.csrfFetched += 1;
      return { status: 204, cookies: [`XSRF-TOKEN=${value}; Path=/`] };
    }
    const [, sent = ''] = /XSRF-TOKEN=([^;]+)/.exec(cookie) ?? [];
    if (method !== 'GET' && (headers['x-xsrf-token'] !== sent || !(now() < (csrf.get(sent) ?? 0)))) {
      served.csrfRefused += 1;
      return { status: 403, body: { code: 'EBADCSRFTOKEN', message: 'invalid csrf token' } };
    }
    if (call === 'POST /login') {
      const session: Session = { access: '', accessUntil: 0, refresh: '', used: new Set() };
      sessions.add(session);
      served.logins += 1;
      return tokens(session);
    }
    if (call === 'POST /renew') return renewal(body);
    const token =
      kind === 'cookie' ? /\bsid=([^;]+)/.exec(cookie)?.[1] : headers.authorization?.slice('Bearer '.length);
    const session = [...sessions].find((each) => each.access === token && now() < each.accessUntil);
    if (!session) return { status: 401, body: { message: 'Unauthorized' } };
    if (call === 'GET /me') return { status: 200, body: { id: 7, name: 'Ana', email: 'ana@example.test' } };
    sessions.delete(session);
    served.logouts += 1;
    return { status: 204 };
  }

  function renewal(body: string): Answer {
    const refused: Answer = { status: 400, body: { error: 'invalid_grant' } };
    const [, sent = ''] = /^\{"refreshToken":"([^"]+)"\}$/.exec(body) ?? [];
    const session = [...sessions].find(({ refresh, used }) => refresh === sent || used.has(sent));
    if (!session) return refused;
    if (session.refresh !== sent) {
      sessions.delete(session);
      served.ended += 1;
      return refused;
    }
    session.used.add(sent);
    served.renewals += 1;
    return tokens(session);
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { status, body, cookies = [] } = answerTo(incoming, await text(incoming));
      served.calls += 1;
      if (status === 401) served.refused401 += 1;
      if (status === 503) served.answered503 += 1;
      outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Set-Cookie': cookies });
      outgoing.end(body && JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    served,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * The description of such a server. The place that it names for the refresh token is one where it is not, as where
 * somebody guessed.
 */
export const renewingDescription = (kind: 'cookie' | 'bearer') =>
  ({
    name: `Renewing server, ${kind}`,
    calls: {
      login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
      profile: { path: '/me' },
      logout: { path: '/logout' },
      refresh: { path: '/renew', body: { refreshToken: '{{refreshToken}}' } },
    },
    ...(kind === 'cookie' && { security: { type: 'apiKey', in: 'cookie', name: 'sid' } }),
    csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', from: '/csrf' },
    outputs: { refreshToken: '$response.body#/refresh_token' },
  }) satisfies Partial<Record<keyof InterfaceDescription, unknown>>;
