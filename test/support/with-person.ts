import { expect } from 'vitest';
import type { DialogQuestion } from '../../preload/contract/dialogs.ts';
import type { ConnectionInput } from '../../preload/contract/connection.ts';
import { makeMain, type Main, type MainOptions } from './make-main.ts';

export const anaForm = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
/** A connection on which nothing was chosen, but that it is direct. */
export const defaultConnection: ConnectionInput = {
  proxy: { mode: 'none' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};
/** A connection through a proxy of this computer. */
export const through = (port: number): ConnectionInput => ({
  ...defaultConnection,
  proxy: { mode: 'manual', address: `http://127.0.0.1:${port}`, username: '', noProxy: '' },
});
/** The application with a person at the dialogs who answers as they were told, and otherwise yes. */
export async function withPerson(addresses: Record<string, { baseUrl: string }>, options: MainOptions = {}) {
  const asked: DialogQuestion[] = [];
  const answers: Partial<Record<DialogQuestion['kind'], boolean | Promise<boolean>>> = {};
  const file = { chosen: '' };
  const main = await makeMain(addresses, {
    ...options,
    ports: {
      ...options.ports,
      dialogs: {
        chooseFile: async () => (file.chosen === '' ? undefined : file.chosen),
        async confirm(question) {
          asked.push(question);
          return answers[question.kind] ?? true;
        },
        showEraseFailed: async () => undefined,
        showBadLink: () => expect.unreachable(),
        openExternal: () => expect.unreachable(),
      },
    },
  });
  return { main, asked, answers, file, kinds: () => asked.map(({ kind }) => kind) };
}

/** What the form sends of a server that is there, with what is changed about it. */
export function entered(main: Main, id: string, change: { address?: string; enteredConnection?: ConnectionInput }) {
  const server = main.state.get().servers.find((each) => each.id === id)!;
  return { ...server, address: change.address ?? server.baseUrl, enteredConnection: change.enteredConnection };
}

/** Makes an account at the active server, and is logged in there. */
export const registerAna = async (main: Main): Promise<void> => {
  expect(await main.session.logins.register({ ...anaForm, path: 'registro' })).toMatchObject({ ok: true });
};
