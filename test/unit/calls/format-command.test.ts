import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TransportCall } from '../../../main/client/call.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { formatCommand } from '../../../main/client/recording/format-command.ts';
import { CommandForm } from '../../../preload/contract/calls.ts';
import { redactCall } from '../../../main/client/recording/redact-call.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { percentEncodeAll } from '../../../main/interface/safe-path.ts';
import { startRecordingServer, type RecordedRequest } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const token = '7|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const password = `correct "horse" $HOME \`id\` 'x' %UNKNOWN% \\ battery`;
const names = [
  `O'Brien "x" $HOME \`id\` 漢字`,
  'a\\',
  '!history!',
  '%PATH% ^& | < >',
  'line\nbreak',
  '{{x}} [1-3] {a,b}',
  '@file',
  '',
];

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';

/** Sends a request through the real transport, and gives what was recorded of it. */
async function recorded(request: { name?: string; headers?: [string, string][]; method?: string; path?: string }) {
  const server = await startRecordingServer(() => answer);
  const calls: TransportCall[] = [];
  const transport = createTransport({ record: (call) => calls.push(call) });
  const { name, method = 'POST', path: target = '/api/v1/auth/registro' } = request;
  await transport.send({
    method,
    url: `http://127.0.0.1:${server.port}${target}`,
    headers: request.headers ?? [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['Authorization', `Bearer ${token}`],
    ],
    ...(name !== undefined && { body: JSON.stringify({ name, email: 'ana@example.test', password }) }),
  });
  const secretRegistry = new SecretRegistry();
  const { request: redacted } = redactCall(calls[0]!, secretRegistry, undefined).kept;
  return { server, redacted, references: secretRegistry, original: server.requests[0]! };
}

type Runner = (text: string, env: NodeJS.ProcessEnv) => Promise<unknown>;

/** This is how a person would run each. This machine has no PowerShell. */
const runners: Partial<Record<CommandForm, Runner>> = {
  'curl-bash': (text, env) => run('bash', ['-c', text], { env }),
  fetch: async (text, env) => {
    const file = path.join(await makeTemporaryFolder(), 'request.mjs');
    await writeFile(file, text);
    return run(process.execPath, [file], { env: { ...env, ELECTRON_RUN_AS_NODE: '1' } });
  },
};
const { PATH = '' } = process.env;

/** Returns what must be the same: everything that was said, but not what a program may add whatever it is told. */
function said({ method, target, headers, body }: RecordedRequest, without: readonly string[] = []) {
  const kept = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !['connection', ...without].includes(name));
  return { method, target: decodeURIComponent(target), headers: kept.toSorted(([a], [b]) => a.localeCompare(b)), body };
}

/** A program adds these headers and cannot be told not to. */
const addedBy: Partial<Record<CommandForm, string[]>> = {
  fetch: ['accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding'],
};

describe.each(Object.entries(runners))('a command for %s', (name, runCommand) => {
  const form = CommandForm.options.find((each) => each === name)!;
  const added = addedBy[form] ?? [];

  it.each(names)('sends the same bytes again, with the name %j', async (typed) => {
    const { server, redacted, references: secretRegistry, original } = await recorded({ name: typed });
    const made = formatCommand(redacted, form, ({ id }) => secretRegistry.valueOf(id));
    if (!made.ok) throw new Error(made.problem);
    expect(made.command.variables).toEqual([]);
    await runCommand(made.command.text, { PATH });
    expect(said(server.requests[1]!, added)).toEqual(said(original, added));
  });

  it('holds no secret, and runs with the variables it names', async () => {
    const { server, redacted, original } = await recorded({ name: 'Ana' });
    const made = formatCommand(redacted, form);
    if (!made.ok) throw new Error(made.problem);
    const { text, variables } = made.command;
    expect(text).not.toMatch(/q8ZrT3|horse|battery/);
    expect(variables.map((each) => each.name)).toEqual(['TOKEN', 'PASSWORD']);
    const asJson = JSON.stringify(password).slice(1, -1);
    await runCommand(text, { PATH, TOKEN: token, PASSWORD: asJson });
    expect(said(server.requests[1]!, added)).toEqual(said(original, added));
  });

  it.each(['with the value', 'from a variable'])('encodes a password of an address %s', async (how) => {
    const {
      server,
      redacted,
      references: secretRegistry,
      original,
    } = await recorded({
      method: 'GET',
      path: `/login?who=ana&password=${percentEncodeAll(password)}&kind=app`,
      headers: [],
    });
    const made = formatCommand(redacted, form, ({ id }) =>
      how === 'with the value' ? secretRegistry.valueOf(id) : undefined,
    );
    if (!made.ok) throw new Error(made.problem);
    await runCommand(made.command.text, { PATH, PASSWORD: password });
    const sentBy = ({ target }: RecordedRequest) => Object.fromEntries(new URL(target, 'http://a.test').searchParams);
    expect(sentBy(server.requests[1]!)).toEqual(sentBy(original));
  });

  it('sends a call without body and without Accept as it was', async () => {
    const {
      server,
      redacted,
      references: secretRegistry,
      original,
    } = await recorded({
      method: 'GET',
      path: '/p?q=a%20b&c=[1]',
      headers: [],
    });
    const made = formatCommand(redacted, form, ({ id }) => secretRegistry.valueOf(id));
    if (!made.ok) throw new Error(made.problem);
    await runCommand(made.command.text, { PATH });
    const without = form === 'fetch' ? [...added, 'accept'] : added;
    expect(said(server.requests[1]!, without)).toEqual(said(original, without));
  });
});

/** PowerShell was never run here. The rules are those of PowerShell 7.3. */
describe('quoting for PowerShell', () => {
  const redacted = (body: string) => ({
    method: 'POST',
    url: ['http://a.test/?a=1&b=%20'],
    head: { text: ['POST / HTTP/1.1\r\nAccept: application/json\r\n\r\n'], source: 'as-written' as const },
    body: { form: 'text' as const, text: [body, { secret: 'password' as const, id: 'p' }], bytes: 1 },
  });
  const textOf = (form: CommandForm, body: string): string => {
    const made = formatCommand(redacted(body), form);
    if (!made.ok) throw new Error(made.problem);
    return made.command.text;
  };

  it.each([
    ['plain', `('plain' + $env:PASSWORD)`],
    [`O'Brien "x" $HOME \`id\``, `('O''Brien "x" $HOME \`id\`' + $env:PASSWORD)`],
    ['typographic ’ quote', `('typographic ’’ quote' + $env:PASSWORD)`],
  ])('%s', (body, expected) => {
    expect(textOf('curl-powershell', body)).toContain(`--data-raw ${expected}`);
  });
});

describe('a request that no command can say', () => {
  const request = {
    method: 'POST',
    url: ['http://a.test/'],
    head: { text: ['POST / HTTP/1.1\r\n\r\n'], source: 'as-written' as const },
  };

  it.each(CommandForm.options)('is said to be one: %s', (form) => {
    expect(formatCommand({ ...request, body: { form: 'described', bytes: 1 } }, form)).toEqual({
      ok: false,
      problem: 'body-not-kept',
    });
    expect(formatCommand({ ...request, body: { form: 'text', text: ['a\0b'], bytes: 3 } }, form)).toEqual({
      ok: false,
      problem: 'null-character',
    });
  });
});
