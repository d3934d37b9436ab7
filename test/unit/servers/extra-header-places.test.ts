import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CommandForm, type RecordedCall } from '../../../preload/contract/calls.ts';
import { reportForms } from '../../../preload/contract/names.ts';
import { RunOptions } from '../../../preload/contract/report.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, defaultConnection, withPerson } from '../../support/with-person.ts';

const secret = 'correct-gate-1f6b';
const needles = [secret, Buffer.from(secret).toString('base64').slice(0, 20), encodeURIComponent(secret)];
const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;

/** A server behind a gateway that says the value back wherever it can, as debug pages do. */
async function startTalkative() {
  const server = await startRecordingServer(({ target }) => {
    const said = { message: `X-Api-Key: ${secret}`, debug: { headers: { 'X-Api-Key': secret } } };
    const headers = { 'X-Echo': secret, Server: `gate ${secret}`, Location: `/login?key=${secret}` };
    if (target.endsWith('/login')) return answer(200, { ...said, token: '1|abcdefghijklmnop' }, headers);
    if (target.endsWith('/perfil')) return answer(200, { id: 1, name: 'Ana', email: anaForm.email, ...said }, headers);
    return answer(target.endsWith('/salir') ? 500 : 422, { ...said, errors: { email: [secret] } }, headers);
  });
  onTestFinished(() => server.close());
  return server;
}

it('the value of an extra header is in nothing that is shown, kept, copied or handed on', async () => {
  const server = await startTalkative();
  const { main, file } = await withPerson({ gate: { baseUrl: server.origin } });
  const out = await makeTemporaryFolder();
  const said: unknown[] = [];
  const tell = async (what: unknown): Promise<void> => void said.push(await what);
  const enteredConnection = { ...defaultConnection, headers: [{ name: 'X-Api-Key', value: secret }] };
  await tell(main.servers.drafts.test({ ...entered(main, 'gate', { enteredConnection }), id: undefined }));
  await tell(main.servers.edit(entered(main, 'gate', { enteredConnection })));
  await tell(main.session.logins.register({ ...anaForm, path: 'registro' }));
  await tell(main.session.logins.login(anaForm));
  await tell(main.session.checkShown());
  await tell(main.servers.drafts.test(entered(main, 'gate', { enteredConnection: defaultConnection })));

  await main.checks.start({
    serverId: 'gate',
    options: RunOptions.parse({ callsPerSecond: 100, only: ['login.answer', 'profile.answer'] }),
  });
  await expect.poll(() => main.checks.state()).toMatchObject({ value: { running: undefined } });
  await tell(main.checks.state());
  for (const form of reportForms) {
    file.chosen = path.join(out, `report.${form}`);
    await tell(main.checks.exportFile({ serverId: 'gate', form }));
    expect(await readFile(file.chosen, 'utf8')).toContain('X-Api-Key');
  }

  const listed = main.calls.findAll(all);
  expect(listed.length).toBeGreaterThan(6);
  for (const { id, request } of listed) {
    expect(request.added).toEqual(['X-Api-Key']);
    await tell(main.calls.get(id));
    for (const form of CommandForm.options) await tell(main.handlers.calls.copy({ id, form, secrets: 'variables' }));
  }
  await tell(main.replay.replay(listed.find(({ request }) => request.method === 'GET')!.id, undefined));
  file.chosen = path.join(out, 'calls.har');
  await tell(main.handlers.calls.exportHar({ filter: all }));
  file.chosen = path.join(out, 'servers.json');
  await tell(main.servers.exportFile());
  expect(await readFile(file.chosen, 'utf8')).toContain('"X-Api-Key"');
  await tell(main.handlers.storage.diagnostics(undefined));
  await tell(main.session.logOutShown(true));
  await main.calls.settled();

  // What the server got says that there was something to be found.
  expect(server.requests.every(({ raw }) => raw.includes(`X-Api-Key: ${secret}\r\n`))).toBe(true);
  const everything = JSON.stringify([said, main.told, main.steps, main.copied, main.store, main.state.get()]);
  for (const needle of needles) {
    expect(everything).not.toContain(needle);
    expect(await filesContaining(main.folder, needle)).toEqual([]);
    expect(await filesContaining(out, needle)).toEqual([]);
  }
  expect(main.copied.filter((text) => text.includes('$HEADER_X_API_KEY'))).not.toEqual([]);
});

it('a call shows which headers were added, and a replay sends the value of now', async () => {
  const server = await startRecordingServer(() => answer(200, { token: '1|abcdefghijklmnop' }));
  onTestFinished(() => server.close());
  const { main } = await withPerson({ gate: { baseUrl: server.origin } });
  const set = (value: string) =>
    main.servers.edit(
      entered(main, 'gate', {
        enteredConnection: {
          ...defaultConnection,
          headers: [
            { name: 'X-Env', value },
            { name: 'accept-language', value: 'pt' },
          ],
        },
      }),
    );
  // A value that is a part of the address is no secret elsewhere, and however short it is cut out where it was sent.
  for (const value of ['qa', new URL(server.origin).hostname]) {
    await set(value);
    await main.session.logins.login(anaForm);
    await main.calls.settled();
    const call: RecordedCall = main.calls.findAll(all).findLast(({ request }) => request.method === 'POST')!;
    expect(call.request.added).toEqual(['X-Env', 'accept-language']);
    expect(call.request.url).toEqual([`${server.origin}/api/v1/auth/login`]);
    const head = call.request.head.text.map((part) => (typeof part === 'string' ? part : `<${part.secret}>`)).join('');
    expect(head).toContain('\r\nX-Env: <other>\r\naccept-language: <other>\r\n');
  }
  const { id } = main.calls.findAll(all).findLast(({ request }) => request.method === 'POST')!;
  await set('value of now');
  expect(await main.replay.replay(id, undefined)).toMatchObject({
    value: { outcome: 'sent', call: { request: { added: ['X-Env', 'accept-language'] } } },
  });
  const sent = server.requests.at(-1)!.headers.filter(([name]) => /^(?:x-env|accept-language)$/i.test(name));
  expect(sent).toEqual([
    ['X-Env', 'value of now'],
    ['accept-language', 'pt'],
  ]);
});
