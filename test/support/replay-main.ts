import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CallStore } from '../../main/tools/calls/call-store.ts';
import {
  type CallFilter,
  type EditableRequest,
  EditedRequest,
  type RecordedCall,
} from '../../preload/contract/calls.ts';
import { makeMain, type MainOptions } from './make-main.ts';
import { answer, startRecordingServer } from './recording-server.ts';

export const anaQuoted = {
  name: 'Ana "la" Ñandú',
  email: 'ana@example.test',
  password: 'a\\b "ñ" €9|x',
  cpassword: '',
};
export const bea = { ...anaQuoted, email: 'bea@example.test', password: 'other battery' };
export const all: CallFilter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };
type Main = Awaited<ReturnType<typeof makeMain>>;

/** Starts a server of the interface that gives a new token at each login and keeps what came over the wire. */
export async function startServer(host = '127.0.0.1', wanted = 0) {
  const given: string[] = [];
  const ended = new Set<string>();
  const server = await startRecordingServer(
    ({ target, headers }) => {
      const token = headers.find(([name]) => name === 'Authorization')?.[1].replace('Bearer ', '') ?? '';
      if (target.endsWith('/login')) {
        given.push(`${given.length + 1}|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je${given.length}Ru`);
        return answer(200, { token: given.at(-1) });
      }
      if (target.endsWith('/registro') || target.endsWith('/register')) return answer(201, { message: 'made' });
      if (!given.includes(token) || ended.has(token))
        return answer(401, { message: `Unauthenticated: ${token.replace(/x$/, '')}` });
      if (target.endsWith('/salir')) ended.add(token);
      return answer(200, { name: 'Ana', email: anaQuoted.email });
    },
    undefined,
    { host, port: wanted },
  );
  onTestFinished(() => server.close());
  return { ...server, baseUrl: `http://${host.includes(':') ? 'localhost' : host}:${server.port}/app`, given };
}

export async function makeLoggedIn(options: MainOptions = {}) {
  const server = await startServer();
  const main = await makeMain({ shop: server }, options);
  await main.session.logins.login(anaQuoted);
  return { main, server };
}

export function idOf({ calls }: Main, called: string): string {
  const page = calls.list(all, 0);
  const found = page.ok && page.value.calls.findLast((each) => each.path.endsWith(called));
  if (!found) throw new Error(`no call of ${called} was recorded`);
  return found.id;
}

/** Adds a call to the file of calls, as somebody else could. */
export function addToFile({ folder }: Main, call: RecordedCall): void {
  const store = new CallStore(path.join(folder, 'calls.sqlite'));
  store.add(call, { count: 1000, bytes: 20_000_000 });
  store.close();
}

export async function sent(main: Main, id: string, request?: EditedRequest): Promise<RecordedCall> {
  const result = await main.replay.replay(id, request);
  if (!result.ok || result.value.outcome !== 'sent') throw new Error(JSON.stringify(result));
  return result.value.call;
}

export function editableOf(main: Main, id: string): EditableRequest {
  const editable = main.replay.editable(id);
  if (!editable.ok) throw new Error(editable.error.kind);
  return editable.value;
}

/** A recorded request with a part of it edited. */
export function edited(main: Main, id: string, part: Partial<EditedRequest> = {}): EditedRequest {
  const { baseUrl: _baseUrl, ...request } = editableOf(main, id);
  return EditedRequest.parse({ ...request, ...part });
}
