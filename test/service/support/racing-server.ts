import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { portOf } from '../../support/recording-server.ts';

export type RacingRules = {
  /** Whether an email that is taken is looked for first and kept later, as where nothing makes it unique. */
  checksFirst?: boolean;
  /** Whether a login looks for the first account with the email, and compares its password alone. */
  findsOne?: boolean;
  /** Whether a profile that is under way when its token is logged out brings the token back, as a cache may. */
  revives?: boolean;
  /** The status of a registration whose email was taken while it was under way. */
  lostStatus?: number;
  /** Says whether what was done is never answered: `login 2` is the second login. */
  isSilent?: (what: string) => boolean;
  /** How long a step takes, in milliseconds: calls that are sent at once come within one. */
  stepMs?: number;
};

/**
 * Starts a server that has several requests under way at once, as most have: each takes its time between what it looks
 * at and what it changes. A right one does both in one step.
 */
export async function startRacingServer(rules: RacingRules = {}) {
  const { checksFirst = false, findsOne = false, revives = false, lostStatus = 422, isSilent, stepMs = 5 } = rules;
  const accounts: Account[] = [];
  const tokens = new Map<string, string>();
  const step = (): Promise<unknown> => pause(stepMs);
  const taken = { message: 'The email is taken.' };
  const isTaken = (email: string): boolean => accounts.some((each) => each.email === email.trim().toLowerCase());

  async function register({ name, email, password, cpassword = password }: Fields): Promise<Answer> {
    const texts = [name, email, password].every((each) => typeof each === 'string' && each !== '' && each.length < 200);
    if (!texts || !String(email).includes('@') || cpassword !== password || String(password).length < 8) {
      return [422, { message: 'Something is wrong.' }];
    }
    if (isTaken(String(email))) return [422, taken];
    // A password is hashed here.
    await step();
    if (!checksFirst && isTaken(String(email))) return [lostStatus, taken];
    accounts.push({ email: String(email).trim().toLowerCase(), password: String(password) });
    return [201, { message: 'Made.' }];
  }

  async function login({ email, password }: Fields): Promise<Answer> {
    await step();
    const found = accountOf(accounts, { email, password }, findsOne);
    if (!found) return [401, { message: 'These credentials are wrong.' }];
    const token = `${tokens.size + 1}|${crypto.randomUUID()}${crypto.randomUUID()}`;
    tokens.set(token, found.email);
    return [200, { token }];
  }

  async function profile(token: string): Promise<Answer> {
    const email = tokens.get(token);
    await step();
    await step();
    if (email === undefined) return [401, { message: 'Unauthenticated.' }];
    if (revives) tokens.set(token, email);
    return [200, { id: 1, email }];
  }

  async function logOut(token: string): Promise<Answer> {
    await step();
    return tokens.delete(token) ? [200, { message: 'Bye.' }] : [401, { message: 'Unauthenticated.' }];
  }

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const token = request.headers.authorization?.replace(/^bearer /i, '') ?? '';
    const fields = body.endsWith('}') ? (JSON.parse(body) as Fields) : {};
    switch (`${request.method} ${request.url?.replace('/api/v1/auth/', '')}`) {
      case 'POST registro':
      case 'POST register':
        return register(fields);
      case 'POST login':
        return login(fields);
      case 'GET perfil':
        return profile(token);
      case 'POST salir':
        return logOut(token);
      default:
        return [404, { message: 'Nothing is here.' }];
    }
  }

  const isToBeSilent = silenceOf(isSilent);
  const server = createServer((request, response) => {
    const isLost = isToBeSilent(request.url);
    void answerTo(request).then((answer) => (isLost ? undefined : send(response, answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    accounts: (): readonly { email: string }[] => accounts,
    close: () => closeAll(server),
  };
}

async function closeAll(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Finds the account that may log in. */
function accountOf(accounts: readonly Account[], { email, password }: Fields, findsOne: boolean): Account | undefined {
  const ofEmail = accounts.filter((each) => each.email === email);
  return (findsOne ? ofEmail.slice(0, 1) : ofEmail).find((each) => each.password === password);
}

type Account = { email: string; password: string };

/** Counts the requests of each operation as they come in, and says whether one is to get no answer. */
function silenceOf(isSilent: RacingRules['isSilent'] = () => false) {
  const counts = new Map<string, number>();
  return (url = ''): boolean => {
    const operation = url.replace('/api/v1/auth/', '');
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    return isSilent(`${operation} ${count}`);
  };
}

type Fields = Record<string, unknown>;
type Answer = [status: number, body: object];

function send(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
