import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { check, forms, quickly, readBack } from '../support/check.ts';

const secret = 'gate-secret-91c4';

/** A gateway that lets nobody through without the header, in front of a server that says all headers back. */
async function startGate() {
  const given = new Set<string>();
  const server = await startRecordingServer(({ target, headers, body }) => {
    if (!headers.some(([name, value]) => name === 'X-Gate' && value === secret))
      return answer(302, '', { Location: 'https://gate.example.test/' });
    const echo = { said: headers.map(([name, value]) => `${name}: ${value}`).join('\n') };
    if (target.endsWith('/login')) {
      const token = `${given.size + 1}|abcdefghijklmnopqrst`;
      given.add(`Bearer ${token}`);
      return answer(200, { token, ...echo }, { 'X-Echo': secret });
    }
    if (target.endsWith('/perfil')) {
      const isKnown = headers.some(([name, value]) => name === 'Authorization' && given.has(value));
      return answer(isKnown ? 200 : 401, { id: 1, name: 'Ana', email: 'ana@example.test', message: secret, ...echo });
    }
    return answer(target.includes('regist') ? 201 : 200, { message: `made with ${secret}`, body, ...echo });
  });
  onTestFinished(() => server.close());
  return server;
}

it('check passes an access gateway with headers out of variables, and names them in every report', async () => {
  const server = await startGate();
  const folder = await makeTemporaryFolder();
  const files = forms.map((form) => `${form}=${path.join(folder, form)}`);
  const only = ['--only', 'login.answer,token.required,profile.answer'];
  const headers = ['--header', 'X-Gate=GATE', '--header', 'X-Env=ENV_NAME'];
  const args = [server.origin, ...quickly, ...only, ...headers, ...files.flatMap((file) => ['--report', file])];
  const { code, out, err } = await check(args, { env: { GATE: secret, ENV_NAME: 'qa' } });
  expect(code).not.toBe(2);
  expect(err).toContain('Extra headers: X-Gate, X-Env. Their values stay out of reports.');
  expect(server.requests.length).toBeGreaterThan(3);
  for (const { raw } of server.requests) expect(raw).toContain(`\r\nX-Gate: ${secret}\r\nX-Env: qa\r\n`);

  const report = await readBack(path.join(folder, 'json'));
  expect(report.extraHeaders).toEqual(['X-Gate', 'X-Env']);
  expect(report.cases.find(({ id }) => id === 'login.answer')?.outcome).toBe('answered');
  expect(report.evidence[0]?.request.added).toEqual(['X-Gate', 'X-Env']);
  const texts = await Promise.all(forms.map((form) => readFile(path.join(folder, form), 'utf8')));
  for (const text of texts) {
    expect(text).toContain('X-Gate');
    expect(text).not.toContain(secret);
    // A short one is cut out where it was sent; within a sentence nobody could tell it.
    expect(text).not.toMatch(/\n *X-Env: qa/);
  }
  expect(texts[forms.indexOf('md')]).toMatch(/Extra request headers.*`X-Gate`, `X-Env`/);
  expect(texts[forms.indexOf('junit')]).toContain('<property name="extra-headers" value="X-Gate, X-Env"');
  expect(out + err).not.toContain(secret);
});

it('check without them does not get through, and a missing variable is a wrong use before anything is sent', async () => {
  const server = await startGate();
  const { code, err } = await check([server.origin, '--header', 'X-Gate=GATE'], { env: {} });
  expect(code).toBe(2);
  expect(err).toContain('variable for the header "X-Gate" is not set');
  expect(server.requests).toEqual([]);
  const refused = await check([server.origin, ...quickly, '--only', 'login.answer']);
  expect(refused.code).not.toBe(0);
});
