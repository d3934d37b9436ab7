import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A string as body is sent as it is. */
type Answer = { status: number; body: unknown };
type Call = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

type Accounts = Map<string, { id: number; name: string; password: string }>;
type Route = (call: Call, email: string | undefined) => Answer;

/**
 * Starts a server of the interface that we did not design: another address, a path prefix, a token without our
 * checksum, Spanish field names, an envelope, and a password hash in the profile.
 */
export async function startForeignServer(
  options: {
    host?: string;
    port?: number;
    /** Certificate, key and what else https needs. */
    tls?: TlsOptions;
    /** What its clock says in each answer, as the header `Date` has it. Without this it tells no time. */
    date?: () => string;
    /** What it answers instead of the usual, also after a while. */
    override?: (call: Call) => Answer | 'no answer' | 'lost' | undefined | Promise<undefined>;
  } = {},
) {
  const { host = '127.0.0.2', port: wanted = 0, tls, date, override } = options;
  const accounts: Accounts = new Map();
  const tokens = new Map<string, string>();
  /** Every token that was ever given. */
  const issued = new Set<string>();
  const calls: Call[] = [];
  /** Calls that get no answer, while their client still waits for one. */
  const waiting = new Set<Call>();

  const routes = routesOf(accounts, tokens, issued);

  function answerOf(route: Route | undefined, call: Call): Answer | undefined {
    try {
      return route?.(call, tokens.get(bearer(call) ?? ''));
    } catch {
      // The body is not JSON, or no object.
      return { status: 400, body: { mensaje: 'Petición no válida' } };
    }
  }

  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    const answerIt = async (): Promise<void> => {
      const call: Call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      const route = routes[`${call.method} ${call.path}`];
      const given = override?.(call);
      // What is known at once is answered at once: two calls keep their order.
      const answer = (given instanceof Promise ? await given : given) ??
        answerOf(route, call) ?? { status: 404, body: { mensaje: 'No existe' } };
      if (answer === 'no answer') {
        waiting.add(call);
        response.once('close', () => waiting.delete(call));
        return;
      }
      // It has read the whole request by now.
      if (answer === 'lost') return void request.socket.destroy();
      response.sendDate = false;
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ...(date && { Date: date() }) });
      response.end(typeof answer.body === 'object' ? JSON.stringify(answer.body) : answer.body);
    };
    request.on('end', () => void answerIt());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(wanted, host);
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  onTestFinished(stop);
  // `listening` was awaited above, and a TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${host}:${port}/app`,
    host,
    port,
    accounts,
    tokens,
    issued,
    calls,
    waiting,
    stop,
  };
}

const bearer = (call: Call): string | undefined => call.headers.authorization?.replace(/^Bearer /, '');

/** What each of these servers gives at the first login. */
export const firstToken = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';

/** The interface as this server keeps it. `tokens` are those that work, by email; `issued` all that were ever given. */
function routesOf(accounts: Accounts, tokens: Map<string, string>, issued: Set<string>): Record<string, Route> {
  return {
    'POST /app/api/v1/auth/registro': ({ body }) => {
      const { name, email, password } = JSON.parse(body);
      if (accounts.has(email))
        return {
          status: 422,
          body: { mensaje: 'Datos no válidos', errores: 1, errors: { email: ['El correo ya existe.'] } },
        };
      accounts.set(email, { id: accounts.size + 7, name, password });
      return { status: 201, body: { mensaje: 'Usuario creado' } };
    },
    'POST /app/api/v1/auth/login': ({ body }) => {
      const { email, password } = JSON.parse(body);
      if (accounts.get(email)?.password !== password)
        return { status: 200, body: { error: true, mensaje: 'Credenciales incorrectas' } };
      const token = firstToken.replace('41', String(tokens.size + 41));
      tokens.set(token, email);
      issued.add(token);
      return { status: 200, body: { error: false, datos: { access_token: token } } };
    },
    'GET /app/api/v1/auth/perfil': (_call, email) => {
      const account = accounts.get(email ?? '');
      if (!account) return { status: 401, body: { mensaje: 'No autenticado' } };
      const usuario = {
        id: account.id,
        nombre: account.name,
        correo: email,
        email,
        ciudad: 'Quito',
        password: '$2y$10$abcdefghijklmnopqrstuv',
      };
      return { status: 200, body: { datos: { usuario } } };
    },
    'POST /app/api/v1/auth/salir': (call, email) => {
      if (!email) return { status: 401, body: { mensaje: 'No autenticado' } };
      tokens.delete(bearer(call) ?? '');
      return { status: 204, body: undefined };
    },
  };
}
