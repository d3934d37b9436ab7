import { afterEach, describe, expect, it } from 'vitest';
import type { ImportResult } from '../../../../preload/contract/interface.ts';
import { ImportDraft } from '../../../../preload/contract/import-draft.ts';
import type { Trial, TrialCall } from '../../../../preload/contract/trial.ts';
import { expectNoComplaints, expectText, hasFocus } from '../../../support/screens.ts';
import { answerAbout } from '../../../support/written-answers.ts';
import { firstStart, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const part = (name: string) => page.getByRole('group', { name, exact: true });

const body = `--json '{"email":"a@b.test","password":"x"}'`;
/** Two of them may be the log-in. */
const commands = `curl https://staging.example.test/sign-in ${body}
curl https://staging.example.test/v2/sign-in ${body}
curl https://staging.example.test/user`;

const several = { servers: [...firstStart.servers, staging], activeServerId: staging.id };
const summary = () => page.locator('summary').filter({ hasText: 'API type' });

async function paste(text: string) {
  await stub.start(several);
  await page.keyboard.press('Alt+5');
  await summary().click();
  await button('Paste curl…').click();
  await field('Command or text').fill(text);
  await page.getByText(/^\d+ sure, \d guess/).waitFor();
}

/** Returns the description as it is in the form now. */
async function textOfParts(): Promise<string> {
  await button('Edit as JSON').click();
  const text = await field('Description as JSON').inputValue();
  await button('Edit as JSON').click();
  return text;
}

/** Returns the description that was saved. */
async function saved() {
  await button('Save').click();
  const sent = async () =>
    (await stub.callsOf('servers.edit')).at(-1) as
      | { enteredInterface: { text: string; variables: object[]; guesses: object[] } }
      | undefined;
  await expect.poll(sent).toMatchObject({ id: staging.id });
  const { enteredInterface } = (await sent())!;
  return { ...enteredInterface, described: JSON.parse(enteredInterface.text) as object };
}

describe('what was found in a text', () => {
  it('lists its parts with how certain each is: others of the text are a choice, and the sure ones open where pressed', async () => {
    await paste(commands);
    const login = part('Login');
    await login.getByLabel('Other requests').selectOption({ label: 'POST /v2/sign-in' });
    expect(await login.getByLabel('Path').inputValue()).toBe('/v2/sign-in');
    await part('Fields').getByRole('button').click();
    await hasFocus(part('Fields').getByLabel('Field name').first());
    await page.keyboard.press('Escape');
    await hasFocus(part('Fields').getByRole('button'));
    await part('Fields').getByRole('button').click();
    const email = part('Fields').getByRole('group', { name: 'email' });
    await email.getByLabel('Field name').fill('login');
    await part('Fields').getByRole('group', { name: 'login' }).getByLabel('Filled with').selectOption('username');
    await button('Add field').click();
    const added = part('Fields').getByRole('group').last();
    await added.getByLabel('Field name').fill('tenant');
    await part('Fields').getByRole('group', { name: 'tenant' }).getByLabel('Filled with').selectOption('New variable');
    await part('Fields').getByLabel('Encoding').selectOption('form');
    await part('Sent as').getByLabel('Scheme').selectOption('JWT');
    await button('Use this description').click();
    await field('tenant').fill('acme');
    const { variables, guesses, described } = await saved();
    expect(variables).toEqual([{ name: 'tenant', value: 'acme' }]);
    // What was changed by hand is a guess without a reason.
    expect(guesses).toEqual(expect.arrayContaining([{ at: 'calls.login.body' }, { at: 'security' }]));
    expect(described).toMatchObject({
      calls: {
        login: {
          path: '/v2/sign-in',
          body: { login: '{{username}}', password: '{{password}}', tenant: '{{tenant}}' },
        },
      },
      encoding: 'form',
      security: { type: 'http', scheme: 'JWT' },
      variables: { tenant: {} },
    });
  });

  it('is edited as JSON and back: the form shows what was written, and a fault stands at its part', async () => {
    await paste(commands);
    await button('Edit as JSON').click();
    const json = field('Description as JSON');
    const described = JSON.parse(await json.inputValue());
    described.outputs = { token: '$response.body#/auth/access' };
    described.calls.profile.path = 'me';
    await json.fill('{ "name": ');
    await expectText(page.locator('[role=alert]'), /JSON/);
    await json.fill(JSON.stringify(described));
    await button('Edit as JSON').click();
    await expectText(part('Token'), /Guess\s*Changed here\./);
    expect(await part('Token').getByLabel('Path in the body').inputValue()).toBe('auth.access');
    await expectText(part('Profile').getByRole('alert'), /^calls\.profile\.path/);
    await part('Profile').getByLabel('Path').fill('/me');
    await expect.poll(() => part('Profile').getByRole('alert').count()).toBe(0);
    await part('Token').getByLabel('Token location').selectOption('header');
    await part('Token').getByLabel('Header name').fill('X-Token');
    await part('Sent as').getByLabel('Header name').fill('X-Token');
    expect(await part('Sent as').getByLabel('Scheme').count()).toBe(0);
    await button('Add: Logout').click();
    await part('Logout').getByLabel('Path').fill('/bye');
    await part('Logout').getByLabel('Method').selectOption('DELETE');
    // A button that goes away gives the focus to what takes its place.
    await part('Logout').getByRole('button', { name: 'Remove' }).press('Enter');
    await hasFocus(button('Add: Logout'));
    await button('Add: Logout').press('Enter');
    await part('Logout').getByLabel('Path').fill('/bye');
    await part('Logout').getByLabel('Method').selectOption('DELETE');
    await button('Use this description').click();
    expect((await saved()).described).toMatchObject({
      calls: { profile: { path: '/me' }, logout: { method: 'DELETE', path: '/bye' } },
      outputs: { token: '$response.header.X-Token' },
      security: { type: 'apiKey', in: 'header', name: 'X-Token' },
    });
  });

  it('asks for the address where several may be meant: each is chosen by name, and production by hand alone', async () => {
    await stub.start(several);
    // It is compared with main in unit/written-answers.
    const finding = (await answerAbout('find', commands)) as ImportResult;
    if (finding.kind !== 'found') throw new Error('nothing was found');
    const { address: _address, ...found } = finding;
    const addresses = [
      { name: 'Local', address: 'http://localhost:8000', production: false },
      { name: 'Live', address: 'https://shop.example.test', production: true },
    ];
    const value = { finding: { ...found, addresses }, name: 'shop.postman.json' };
    await stub.answer('interfaces.findInFile', { ok: true, value });
    await page.keyboard.press('Alt+5');
    await button('New server').click();
    await summary().click();
    await button('Open file…').click();
    await hasFocus(page.getByRole('heading', { name: 'Found in shop.postman.json' }));
    await expectText(part('Address'), /Not found\. Enter the server address\./);
    await button('Address: Choose…').click();
    await page.getByRole('menuitem', { name: /^Live/ }).click();
    await expectText(part('Address'), /https:\/\/shop\.example\.test\s*production/i);
    await button('Use this description').click();
    expect(await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue()).toBe(
      'https://shop.example.test',
    );
    expect(await page.getByRole('switch', { name: 'Production server' }).isChecked()).toBe(true);
  });

  const trial: Trial = {
    works: false,
    calls: [
      { call: 'login', method: 'POST', path: '/sign-in', status: 200, ms: 148, callId: 'c1' },
      {
        call: 'profile',
        method: 'GET',
        path: '/user',
        status: 401,
        ms: 41,
        error: { kind: 'unexpected', reason: 'fresh-token-refused', status: 401 },
      },
    ],
    proposals: [],
  };

  it('is tried with an account, once a press: each call is told as it went, and a proposal is one press', async () => {
    await paste(commands);
    const card = page.getByRole('region', { name: 'Try it' });
    await card.getByLabel('Email').fill('ana@example.test');
    await card.getByLabel('Password').fill('S3cret-ana!');
    const json = await textOfParts();
    const described = JSON.parse(json);
    described.security = { type: 'http', scheme: 'JWT' };
    const proposal = {
      at: 'security',
      value: 'JWT',
      evidence: 'WWW-Authenticate: JWT',
      text: JSON.stringify(described),
    };
    await stub.answer('interfaces.runTrial', { ok: true, value: { ...trial, proposals: [proposal] } });
    await button('Try it').click();
    await expectText(card.getByRole('status'), 'The login does not work yet.');
    await expectText(card.getByRole('listitem').first(), /Login\s*POST\s*\/sign-in\s*200\s*148 ms/);
    await expectText(
      card.getByRole('listitem').nth(1),
      /Profile\s*GET\s*\/user\s*401\s*41 ms[^]+Change “Sent as”, “Token”/,
    );
    await expectText(card, /Change Sent as to JWT\.\s*WWW-Authenticate: JWT/);
    const [sent] = (await stub.callsOf('interfaces.runTrial')) as object[];
    expect(sent).toMatchObject({
      id: staging.id,
      address: staging.baseUrl,
      production: false,
      account: { is: 'typed', email: 'ana@example.test', password: 'S3cret-ana!' },
      enteredInterface: { text: json, variables: [] },
    });
    await button('Use it').click();
    await hasFocus(button('Try again'));
    expect(await part('Sent as').getByLabel('Scheme').inputValue()).toBe('JWT');
    expect(await card.getByRole('listitem').count()).toBe(0);
    // What has failed is not proposed again.
    await stub.answer('interfaces.runTrial', {
      ok: true,
      value: { ...trial, proposals: [{ ...proposal, text: json }] },
    });
    await button('Try again').click();
    await expectText(card.getByRole('status'), 'The login does not work yet.');
    expect(await button('Use it').count()).toBe(0);
    await stub.answer('interfaces.runTrial', {
      ok: true,
      value: { works: true, whose: 'ana@example.test', calls: trial.calls.slice(0, 1), proposals: [] },
    });
    await card.getByLabel('Password').press('Enter');
    await expectText(card.getByRole('status'), 'The login works: ana@example.test');
    // Nothing is a guess any more, and the form is as it was.
    await page.getByText(/^\d+ sure, 3 missing$/).waitFor();
    await expectNotAsked('servers.edit');
    await button('Use this description').click();
    const sentAtLast = await saved();
    expect(sentAtLast.guesses).toEqual([]);
    expect(JSON.stringify(sentAtLast)).not.toContain('S3cret');
  });

  it('is tried with an account that it makes where there is a registration, and says what could not be done', async () => {
    await paste(`${commands}\ncurl https://staging.example.test/sign-up ${body}`);
    const card = page.getByRole('region', { name: 'Try it' });
    await card.getByLabel('Account').selectOption('Create a test account');
    expect(await card.getByLabel('Email').count()).toBe(0);
    await stub.fails('interfaces.runTrial', { kind: 'not-agreed' });
    await button('Try it').click();
    await expectText(card.getByRole('alert'), /you declined to connect/);
    const refused: TrialCall = {
      ...trial.calls[0]!,
      status: 422,
      error: { kind: 'validation', fields: {}, form: [] },
      pageToken: 'authenticity_token',
    };
    const made: Trial = { ...trial, calls: [refused], created: 'made-up@example.com' };
    await stub.answer('interfaces.runTrial', { ok: true, value: made });
    await button('Try it').click();
    await expectText(card, /Account created: made-up@example\.com/);
    await expectText(card.getByRole('listitem'), /422[^]+The field authenticity_token is a page token/);
    expect(await stub.callsOf('interfaces.runTrial')).toEqual([
      expect.objectContaining({ account: { is: 'made-up' } }),
      expect.objectContaining({ account: { is: 'made-up' } }),
    ]);
  });

  it('is still named after it was saved, and edited from there with its marks', async () => {
    const guesses = [{ at: 'security', why: 'usual' as const }, { at: 'calls.profile' }];
    const described = { ...staging.interface, digest: 'd1', guesses };
    await stub.start({ ...several, servers: [...firstStart.servers, { ...staging, interface: described }] });
    const text = JSON.stringify({ name: 'Shop', calls: { login: { path: '/in' }, profile: { path: '/me' } } });
    await stub.answer('interfaces.textOf', { ok: true, value: { text } });
    await page.keyboard.press('Alt+5');
    await summary().click();
    await page.getByText('Guesses until a login works: Sent as, Profile').waitFor();
    await button('Edit…').click();
    await expectText(part('Sent as'), /Guess\s*Not in the text; this is the usual value/);
    await expectText(part('Login'), /POST\s*\/in\s*Sure/);
  });

  it('is kept until it is used: the description with its open questions, and nothing of the text', async () => {
    await paste(commands.replace('"x"', '"S3cret-ana!"'));
    await part('Sent as').getByLabel('Scheme').selectOption('JWT');
    const kept = async () => {
      const last = (await stub.callsOf('interfaces.saveImportDraft')).at(-1) as { json: string } | undefined;
      return JSON.parse(last?.json ?? '{}') as object;
    };
    await expect
      .poll(kept)
      .toMatchObject({ serverId: staging.id, format: 'curl', draft: { security: { scheme: 'JWT' } } });
    expect(JSON.stringify(await stub.callsOf('interfaces.saveImportDraft'))).not.toMatch(/S3cret|curl https/);
    // Main reads it, as it does what is on the disk.
    const found = ImportDraft.parse(await kept());
    await stub.start(several);
    await stub.answer('interfaces.importDraft', { ok: true, value: { found } });
    await page.keyboard.press('Alt+5');
    await summary().click();
    await page.getByText('Unfinished import: Found in a curl command').waitFor();
    await button('Continue').click();
    expect(await part('Sent as').getByLabel('Scheme').inputValue()).toBe('JWT');
    await expectText(part('Sent as'), /Guess/);
    await button('Use this description').click();
    await expect.poll(() => stub.callsOf('interfaces.discardImportDraft')).toEqual([{ serverId: staging.id }]);
  });

  it('has a place for a renewal that the text has not: its refresh token goes as a header, a cookie or in the body', async () => {
    await paste(commands);
    await button('Add: Renewal').click();
    const renewal = part('Renewal');
    await hasFocus(renewal.getByLabel('Path', { exact: true }));
    await renewal.getByLabel('Path', { exact: true }).fill('/renew');
    await renewal.getByLabel('Renewal request').selectOption('Header');
    expect(await renewal.getByLabel('Scheme').inputValue()).toBe('Bearer');
    expect(await renewal.getByRole('group', { name: 'refreshToken' }).count()).toBe(0);
    await renewal.getByLabel('Refresh token location').selectOption('Response body');
    await button('Use this description').click();
    expect((await saved()).described).toMatchObject({
      calls: {
        refresh: {
          method: 'POST',
          path: '/renew',
          security: { type: 'http', scheme: 'Bearer', value: '{{refreshToken}}' },
        },
      },
      outputs: { refreshToken: '$response.body#/refresh_token' },
    });
  });

  it('says beside the button what is missing, and leads there', async () => {
    await paste(commands.split('\n')[0]!);
    const needed = page.getByText('Still missing:');
    await expectText(needed, 'Still missing:\nProfile');
    await needed.getByRole('button', { name: 'Profile' }).click();
    await hasFocus(button('Add: Profile'));
    await page.keyboard.press('Enter');
    await expect.poll(() => needed.count()).toBe(0);
  });

  it('says where a log-in leads that answers with a redirect, and keeps it', async () => {
    await paste(commands);
    const described = JSON.parse(await textOfParts());
    described.calls.login.success = [{ status: 302, location: '/home' }];
    await button('Edit as JSON').click();
    await field('Description as JSON').fill(JSON.stringify(described));
    await button('Edit as JSON').click();
    await expectText(part('Login'), /Redirects that mean success: 302 \/home/);
    await part('Login').getByLabel('Path').fill('/log-in');
    await button('Use this description').click();
    expect((await saved()).described).toMatchObject({
      calls: { login: { path: '/log-in', success: [{ status: 302, location: '/home' }] } },
    });
  });
});
