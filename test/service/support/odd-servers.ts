import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oddWays, plainly, type OddAnswer, type OddName, type StoredPerson, type Said, type Way } from './odd-ways.ts';

/** Says what is wrong with the fields of a registration. */
function wrongIn(fields: Record<string, unknown>, isRegister: boolean, isStrict: boolean): Record<string, string> {
  const { name, email, password, cpassword } = fields;
  const wrong: Record<string, string> = {};
  if (typeof name !== 'string' || name.trim() === '') wrong['name'] = 'The name is required.';
  else if (name.length > 100) wrong['name'] = 'The name must not be longer than 100 characters.';
  if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email.trim())) {
    wrong['email'] = 'The email must be a valid email address.';
  } else if (isStrict && email !== email.trim()) wrong['email'] = 'The email must not have blanks around it.';
  if (typeof password !== 'string' || password.length < 8)
    wrong['password'] = 'The password must have at least 8 characters.';
  else if (isRegister && password !== cpassword) wrong['cpassword'] = 'The passwords do not match.';
  if (isStrict && !isRegister && cpassword !== undefined) wrong['cpassword'] = 'This field is not allowed.';
  return wrong;
}

type Came = Pick<Said, 'outcome'> & Partial<Said>;

/** Keeps people and their tokens as any server does, and says what comes of a request. */
function createPlainServer(newToken: NonNullable<Way['newToken']>, isStrict: boolean) {
  const people = new Map<string, StoredPerson>();
  const owners = new Map<string, StoredPerson>();
  /** A strict server keeps these apart from the tokens that get a profile. */
  const loggedOut = new Set<string>();

  function register(fields: Record<string, unknown>, isRegister: boolean): Came {
    const wrong = wrongIn(fields, isRegister, isStrict);
    if (Object.keys(wrong).length > 0) return { outcome: 'invalid', wrong };
    const email = String(fields['email']).trim();
    if (people.has(email.toLowerCase())) return { outcome: 'taken' };
    const person: StoredPerson = {
      number: people.size + 1041,
      uuid: randomUUID(),
      name: String(fields['name']),
      email,
      password: String(fields['password']),
      madeAt: new Date(),
    };
    people.set(email.toLowerCase(), person);
    return { outcome: 'made', person };
  }

  function logIn({ email, password }: Record<string, unknown>, count: number): Came {
    const wrong: Record<string, string> = {};
    if (typeof email !== 'string' || email === '') wrong['email'] = 'The email is required.';
    if (typeof password !== 'string' || password === '') wrong['password'] = 'The password is required.';
    if (Object.keys(wrong).length > 0) return { outcome: 'invalid', wrong };
    const person = people.get(String(email).trim().toLowerCase());
    if (!person) return { outcome: 'unknown-email' };
    if (person.password !== password) return { outcome: 'wrong-password' };
    const token = newToken(person, count);
    owners.set(token, person);
    return { outcome: 'in', person, token };
  }

  return ({ method, path, count, bearer, body }: Call): Came => {
    const [, operation = ''] = /^\/api\/v1\/auth\/(registro|register|login|perfil|salir)$/.exec(path) ?? [];
    if (operation === '') return { outcome: 'nowhere' };
    if (method !== (operation === 'perfil' ? 'GET' : 'POST')) return { outcome: 'wrong-method' };
    if (operation === 'perfil' || operation === 'salir') {
      const person = owners.get(bearer);
      const isSecondLogout = operation === 'salir' && loggedOut.has(bearer);
      if (!person || isSecondLogout) return { outcome: bearer === '' ? 'no-token' : 'bad-token' };
      if (operation === 'salir' && isStrict) loggedOut.add(bearer);
      else if (operation === 'salir') owners.delete(bearer);
      return { outcome: operation === 'salir' ? 'out' : 'profile', person };
    }
    let fields: unknown;
    try {
      fields = JSON.parse(body);
    } catch {
      return { outcome: 'not-json' };
    }
    if (typeof fields !== 'object' || fields === null) return { outcome: 'not-json' };
    const given = Object.fromEntries(Object.entries(fields));
    return operation === 'login' ? logIn(given, count) : register(given, operation === 'register');
  };
}

type Call = Pick<Said, 'method' | 'path' | 'language' | 'count'> & { bearer: string; body: string };

/** Starts a server that says what comes of requests in one odd way. All that it does is plain. */
export async function startOddServer(name: OddName): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const { says, newToken = () => randomBytes(20).toString('hex'), isStrict = false }: Way = oddWays[name];
  const comeOf = createPlainServer(newToken, isStrict);
  let count = 0;

  function answer({ method = '', url = '', headers }: IncomingMessage, body: string): OddAnswer {
    count += 1;
    const [path = ''] = url.split('?', 1);
    const language = (headers['accept-language'] ?? 'en').slice(0, 2);
    const bearer = headers.authorization?.replace(/^bearer /i, '') ?? '';
    const call = { method, path, language, count, bearer, body };
    const asksForJson = headers.accept?.includes('json') ?? false;
    const said: Said = {
      person: undefined,
      token: '',
      wrong: {},
      method,
      path,
      language,
      count,
      asksForJson,
      ...comeOf(call),
    };
    return says(said) ?? plainly(said);
  }

  const server = createServer((request, response) => {
    let sent = '';
    request.setEncoding('utf8').on('data', (chunk) => (sent += chunk));
    request.on('end', () => {
      const { status, body, headers } = answer(request, sent);
      response.writeHead(status, { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers });
      response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address that is an object.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
