import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedInterfaces } from '../../../../main/interface/shipped.ts';
import type { InterfacePreview } from '../../../../preload/contract/connection.ts';
import type { ImportResult } from '../../../../preload/contract/interface.ts';
import type { ConnectionReport, Server } from '../../../../preload/contract/models.ts';
import { eventually, expectNoComplaints, expectText, hasFocus } from '../../../support/screens.ts';
import { answerAbout } from '../../../support/written-answers.ts';
import { firstStart, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const shipped = await shippedInterfaces();
const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** A server that speaks as a description says. */
async function describedBy(text: string): Promise<Server> {
  // It is compared with main in unit/written-answers.
  const reading = (await answerAbout('read', text)) as InterfacePreview;
  if (!reading.readable) throw new Error('the description cannot be read');
  return { ...staging, interface: reading.interface };
}

/** A server that speaks as one of the descriptions says that come with the application. */
const speaking = (id: string): Promise<Server> => describedBy(shipped.find((each) => each.id === id)!.text);

describe('how a server speaks', () => {
  const several = { servers: [...firstStart.servers, staging], activeServerId: staging.id };
  const summary = () => page.locator('summary').filter({ hasText: 'API type' });
  const calls = () => page.getByRole('list', { name: /^Requests (?:to be sent|if you save)/ });
  const way = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
  const part = (name: string) => page.getByRole('group', { name, exact: true });
  const address = () => page.getByRole('textbox', { name: 'Address', exact: true }).first();
  const sent = async () => ((await stub.callsOf('servers.edit')) as { enteredInterface?: object }[]).at(-1);

  async function openFold(state: Parameters<typeof stub.start>[0] = several) {
    await stub.start(state);
    await page.keyboard.press('Alt+5');
    await summary().click();
    await calls().waitFor();
  }

  it('is shown with the calls as they will be sent, and chosen by name: nothing of it counts before it is saved', async () => {
    await openFold();
    await expectText(summary(), /Automatic/);
    await expectText(calls(), /POST \/api\/v1\/auth\/login\s+email email · password password/);
    await page.getByText('Requests to be sent', { exact: true }).waitFor();
    expect(await way('Automatic').isChecked()).toBe(true);
    await button(`All ${shipped.length + 1}`).click();
    await way('Strapi').check();
    await page.getByText('Requests if you save', { exact: true }).waitFor();
    await expectText(calls(), /POST \/api\/auth\/local\s+identifier email · password password/);
    await expectText(calls(), /Logout\s+None\./);
    await expectNotAsked('servers.edit');
    await button('Save').click();
    const { text } = shipped.find(({ id }) => id === 'strapi')!;
    await expect.poll(sent).toMatchObject({ id: staging.id, enteredInterface: { text, variables: [] } });
  });

  it('is open with what the last log-in showed: what fits comes first, and nothing of it is chosen', async () => {
    const fits = ['Laravel Breeze API or Fortify, cookie session'];
    await stub.start(several);
    await stub.fails('session.login', { kind: 'session-in-cookie', fits });
    await field('Email').fill('ana@example.test');
    await field('Password').fill('secret 1');
    await button('Log in').click();
    await button('Why?').click();
    await page.getByText(/these may fit: Laravel Breeze/).waitFor();
    await page.keyboard.press('Alt+5');
    await expectText(page.locator('details[open] fieldset label').first(), /^Laravel Breeze.*\s*Detected/);
    expect(await way('Automatic').isChecked()).toBe(true);
  });

  it('is saved only once what was pasted is used or closed, and the reason is beside the button', async () => {
    await openFold();
    await address().fill('https://other.example.test');
    await button('Paste curl…').click();
    await eventually(async () => expect(await button('Save').getAttribute('aria-disabled')).toBe('false'));
    await field('Command or text').fill("curl https://staging.example.test/session -d 'email=a@b.test&password=x'");
    await page.getByText('Use or close the pasted description before saving.', { exact: true }).waitFor();
    expect(await button('Save').getAttribute('aria-disabled')).toBe('true');
    await address().press('Enter');
    await expectNotAsked('servers.edit');
    await field('Command or text').press('Escape');
    await page.getByText('Use or close the pasted description before saving.').waitFor({ state: 'detached' });
    await button('Save').click();
    await expect.poll(sent).toMatchObject({ id: staging.id, address: 'https://other.example.test' });
  });

  it('stays as it was where another one was only looked at, and is not sent along with other changes', async () => {
    await openFold();
    await button(`All ${shipped.length + 1}`).click();
    await way('Strapi').check();
    await page.getByText('Unsaved changes').waitFor();
    await way('Automatic').check();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await field('Server name').fill('Other');
    await button('Save').click();
    await expect.poll(sent).toMatchObject({ name: 'Other' });
  });

  it('asks for what the description leaves open, a secret in a field that never shows it', async () => {
    await openFold();
    await button(`All ${shipped.length + 1}`).click();
    await way('Supabase').check();
    await field('apikey').fill('s3cret-key');
    expect(await field('apikey').getAttribute('type')).toBe('password');
    await expectText(calls(), /apikey: apikey/);
    expect(await page.getByRole('main').innerText()).not.toContain('s3cret-key');
    await way('Keycloak').check();
    await field('realm').fill('shop');
    await expectText(calls(), /\/realms\/shop\/protocol/);
    await stub.fails('servers.edit', {
      kind: 'invalid-interface',
      faults: [{ problem: 'path-leads-away', at: 'variables', name: 'realm' }],
    });
    await button('Save').click();
    await hasFocus(field('realm'));
    await eventually(async () => expect(await field('realm').getAttribute('aria-invalid')).toBe('true'));
    await page.getByText(/^the value of its variable “realm” could lead away from the server's address\.$/i).waitFor();
  });

  it('says of a secret that it is kept, and of another address that it is to be entered again', async () => {
    const supabase = await speaking('supabase-gotrue');
    const variables = supabase.interface.variables.map((each) => ({ ...each, isSet: true }));
    const server = { ...supabase, interface: { ...supabase.interface, variables } };
    await stub.start({ ...several, servers: [...firstStart.servers, server] });
    const { text } = shipped.find(({ id }) => id === 'supabase-gotrue')!;
    await stub.answer('interfaces.textOf', { ok: true, value: { text } });
    await page.keyboard.press('Alt+5');
    await summary().click();
    await eventually(async () =>
      expect(await field('apikey').getAttribute('placeholder')).toBe('Set. Type to replace it'),
    );
    await field('Address').fill('https://other.example.test');
    await eventually(async () =>
      expect(await field('apikey').getAttribute('placeholder')).toBe('Enter it again for this address'),
    );
  });

  const text = () => field('Command or text');
  const paste = () => button('Paste curl…');
  const command = (body: string, target: string, options = '') =>
    `curl 'https://staging.example.test${target}' ${options} --json '${body}'`;
  const sanctum = command('{"email":"a@b.test","password":"S3cret-ana!","device_name":"web"}', '/api/sanctum/token');

  it('is taken from a description: its faults stand under the field, and it counts once it is used', async () => {
    await openFold();
    await paste().click();
    await hasFocus(text());
    await text().fill('{ "name": "Shop", "calls": { "login": { "path": "/in", "bdy": {} } } }');
    await eventually(async () => expect(await text().getAttribute('aria-invalid')).toBe('true'));
    const described = await text().getAttribute('aria-describedby');
    const faults = page.locator(`[id="${described?.split(' ').find((id) => id.endsWith('-error'))}"]`);
    await expectText(faults, /^calls\.login has a key that no description has: “bdy”\.\s+calls\.profile is missing\./);
    await button('Use this description').press('Enter');
    await text().fill(
      '{ "name": "Shop", "calls": { "login": { "path": "/in", "body": { "mail": "{{email}}" } }, "profile": { "path": "/me" } } }',
    );
    await page.getByRole('status').filter({ hasText: 'Shop: ready to use.' }).waitFor();
    await expectText(calls(), /POST \/in\s+mail email/);
    await expectText(summary(), /Automatic/);
    await page.getByText('Use or close the pasted description before saving.').waitFor();
    await button('Use this description').click();
    await hasFocus(paste());
    await page.getByText('Unsaved changes').waitFor();
    expect(await way('Shop').isChecked()).toBe(true);
  });

  it('is left by Escape, which gives the focus back and keeps the page', async () => {
    await openFold();
    await paste().click();
    await text().fill('{');
    await page.keyboard.press('Escape');
    await hasFocus(paste());
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
    expect(await page.getByRole('heading', { name: staging.name, exact: true }).count()).toBe(1);
  });

  it('is taken from a command: the description that fits is offered first, and marked from then on', async () => {
    await openFold();
    await paste().click();
    await text().fill(sanctum.replace('--json', "-H 'X-Api-Key: q8Kz7bW2q8Kz7bW2' --json"));
    await page.getByText('This is Laravel Sanctum’s login.').waitFor();
    await page.getByText(/^Left out as likely secrets: the password, X-Api-Key\. If every request/).waitFor();
    await expectText(part('Profile'), /GET\s*\/api\/user\s*Sure/);
    expect(await page.getByText('Use or close the pasted description before saving.').count()).toBe(1);
    await button('Use Laravel Sanctum').click();
    expect(await way('Laravel Sanctum, tokens').isChecked()).toBe(true);
    await expectText(page.locator('fieldset label').first(), /Detected\s*Tested with 2\.15, Nov 2026/);
    await button('Save').click();
    await expect
      .poll(sent)
      .toMatchObject({ enteredInterface: { text: shipped.find(({ id }) => id === 'laravel-sanctum')!.text } });
    expect(JSON.stringify(await stub.callsOf('servers.edit'))).not.toMatch(/S3cret|q8Kz/);
  });

  it('is no one’s for certain where many have its log-in: the calls of the text are used, and another is quiet', async () => {
    await openFold();
    await paste().click();
    await text().fill(command('{"email":"a@b.test","password":"x"}', '/login'));
    await page.getByText('This could also be Laravel Breeze API or Fortify’s login.').waitFor();
    await expectText(part('Profile'), /Not found: needed to confirm the login\.\s*Add…\s*Missing/);
    await button('Use this description').press('Enter');
    await button('See Laravel Breeze API or Fortify').click();
    await expectText(part('Profile'), /GET\s*\/api\/user/);
    await page.getByText('This could be Laravel Breeze API or Fortify’s login.').waitFor();
    await button('Use only this login').click();
    await button('Add: Profile').click();
    await hasFocus(page.getByLabel('Path', { exact: true }));
    await page.getByLabel('Path', { exact: true }).fill('/me');
    await button('Use this description').click();
    await button(`All ${shipped.length + 2}`).click();
    expect(await page.getByText('Detected', { exact: true }).count()).toBe(0);
  });

  it('gives its address to a new server, which has none yet', async () => {
    await stub.start(several);
    await page.keyboard.press('Alt+5');
    await button('New server').click();
    await summary().click();
    await paste().click();
    await text().fill(sanctum);
    await expectText(part('Address'), /https:\/\/staging\.example\.test/);
    expect(await address().inputValue()).toBe('');
    await button('Use Laravel Sanctum').click();
    expect(await address().inputValue()).toBe('https://staging.example.test');
  });

  it('asks for the path that is not in the text, where only its log-in is to be used', async () => {
    await openFold();
    await paste().click();
    await text().fill(sanctum);
    await button('Use only this login').click();
    await hasFocus(button('Back to Laravel Sanctum'));
    await button('Add: Profile').click();
    await field('Path').fill('https://staging.example.test/api/me');
    await expectText(part('Profile'), /Changed here\./);
    expect(await field('Path').inputValue()).toBe('/api/me');
    await button('Use this description').click();
    await button('Save').click();
    await expect.poll(sent).toMatchObject({ id: staging.id });
    const { enteredInterface } = (await sent()) as { enteredInterface: { text: string } };
    expect(JSON.parse(enteredInterface.text).calls).toEqual({
      login: {
        method: 'POST',
        path: '/api/sanctum/token',
        body: { email: '{{email}}', password: '{{password}}', device_name: 'web' },
      },
      profile: { method: 'GET', path: '/api/me' },
    });
  });

  it.for([
    [
      'Dear all, the log-in is below.',
      'Unknown format. Use commands or requests (curl, PowerShell, HTTPie, fetch, Python, HTTP), OpenAPI, collections, .env, HAR or API descriptions.',
    ],
    ['{"log":{"entries":[]}}', 'No request found in it.'],
  ])('says in one sentence why nothing is found: %s', async ([given, sentence]) => {
    await openFold();
    await paste().click();
    await text().fill(given!);
    await page.getByText(sentence!, { exact: true }).waitFor();
    expect(await text().getAttribute('aria-invalid')).toBe('true');
    expect(await text().inputValue()).toBe(given);
  });

  it('is taken from a file, whose text the window does not get', async () => {
    await openFold();
    // It is compared with main in unit/written-answers.
    const finding = (await answerAbout('find', sanctum.replace('staging', 'other'))) as ImportResult;
    await stub.answer('interfaces.findInFile', { ok: true, value: { finding } });
    await button('Open file…').click();
    await hasFocus(page.getByRole('heading', { name: 'Found in a curl command' }));
    await expectText(
      part('Address'),
      /staging\.example\.test.*\s*Sure\s*The text is for https:\/\/other\.example\.test\./,
    );
    await button('Close').click();
    await stub.answer('interfaces.findInFile', { ok: true, value: { finding: { kind: 'unreadable-file' } } });
    await button('Open Bruno folder…').click();
    await page.getByRole('alert').filter({ hasText: 'The file cannot be read.' }).waitFor();
    expect(await stub.callsOf('interfaces.findInFile')).toEqual([{ what: 'file' }, { what: 'folder' }]);
  });
});

describe('the first screen', () => {
  const command = `curl 'https://shop.example.test/auth/v1/token?grant_type=password' -H 'apikey: s3cret-in-text' --json '{"email":"a@b.test","password":"x"}'`;

  it('makes a server of a command, asks for what it needs, and loses nothing where that is refused', async () => {
    await stub.start({ settings: { ...firstStart.settings, welcomed: false, workbench: false } });
    await button('Paste curl…').click();
    await hasFocus(field('Command or text'));
    await field('Command or text').fill(command);
    await field('apikey').fill('s3cret-key');
    await stub.fails('servers.create', { kind: 'not-agreed' });
    await button('Use Supabase Auth (GoTrue)').click();
    await hasFocus(page.getByRole('alert'));
    expect(await field('Command or text').inputValue()).toBe(command);
    await expectNotAsked('settings.change');
    await stub.answer('servers.create', { ok: true, value: { id: staging.id } });
    await button('Use Supabase Auth (GoTrue)').click();
    await expect.poll(() => stub.callsOf('servers.choose')).toEqual([{ id: staging.id }]);
    const [, made] = (await stub.callsOf('servers.create')) as object[];
    expect(made).toMatchObject({
      address: 'https://shop.example.test',
      enteredInterface: { variables: [{ name: 'apikey', value: 's3cret-key' }] },
    });
    expect(JSON.stringify(made)).not.toContain('s3cret-in-text');
    await expect.poll(() => stub.callsOf('settings.change')).toContainEqual({ welcomed: true, workbench: true });
  });

  it('leads a tester from several commands to a new check', async () => {
    await stub.start({ settings: { ...firstStart.settings, welcomed: false, workbench: false } });
    await button('Paste curl…').click();
    await page.getByText('Login, profile and logout as curl', { exact: false }).waitFor();
    await field('Command or text')
      .fill(`curl https://shop.example.test/login --json '{"email":"a@b.test","password":"x"}'
      curl https://shop.example.test/660/users/9 -H 'Authorization: Bearer $TOKEN'`);
    const path = page.getByRole('group', { name: 'Profile' }).getByLabel('Path');
    await eventually(async () => expect(await path.inputValue()).toBe('/660/users/9'));
    await stub.answer('servers.create', { ok: true, value: { id: staging.id } });
    await button('Use this description').click();
    await expect.poll(() => stub.callsOf('settings.change')).toContainEqual({ welcomed: true, workbench: true });
    await stub.change({ settings: { ...firstStart.settings, workbench: true } });
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });

  it('says to a tester what to do where no profile is served, in cards that stay one row', async () => {
    await page.setViewportSize({ width: 1000, height: 760 });
    await stub.start({ settings: { ...firstStart.settings, welcomed: false, workbench: false } });
    const heights = () =>
      page.locator('main section').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    const [rest, ...others] = await heights();
    expect(others).toEqual([rest, rest]);
    const at = { baseUrl: 'https://shop.example.test', secure: true, status: 404, milliseconds: 48 };
    const missing: ConnectionReport = { reached: true, ...at, answered: 'path-missing' };
    await stub.answer('servers.test', { ok: true, value: missing });
    await field('Address to test').fill('shop.example.test');
    await button('Test the server').click();
    await expectText(
      page.getByRole('alert'),
      'A server responds, but not with the profile: check the path of the address. For other paths, paste a curl of its login above.',
    );
    const [grown, ...beside] = await heights();
    expect(beside).toEqual([grown, grown]);
    expect(grown).toBeGreaterThan(rest!);
    await page.getByRole('button', { name: 'Skip for now' }).scrollIntoViewIfNeeded();
    const anyway = (await button('Continue anyway').boundingBox())!;
    const bar = (await page.getByRole('contentinfo').boundingBox())!;
    expect(anyway.y + anyway.height).toBeLessThan(bar.y);
  });

  it('comes back where the panel is closed', async () => {
    await stub.start({ settings: { ...firstStart.settings, welcomed: false, workbench: false } });
    await button('Paste curl…').click();
    await field('Command or text').fill('curl');
    await page.keyboard.press('Escape');
    await hasFocus(page.getByRole('heading', { name: 'Welcome to Llavero' }));
    expect(await button('Test the server').count()).toBe(1);
  });
});

describe('the forms', () => {
  beforeEach(() => page.setViewportSize({ width: 1000, height: 700 }));
  const at = async (id: string) => ({
    servers: [...firstStart.servers, await speaking(id)],
    activeServerId: staging.id,
  });

  it('ask for the fields that the calls take, and nothing else', async () => {
    await stub.start(await at('laravel-sanctum'));
    await page.getByRole('link', { name: 'Create account' }).click();
    await field('Repeat password').waitFor();
    expect(await field('Name').count()).toBe(1);
    expect(await button('Change the registration path').count()).toBe(0);
    await field('Name').fill('Ana');
    await field('Email').fill('ana@example.test');
    await field('Password').fill('secret 1');
    await field('Repeat password').fill('secret 1');
    await button('Create account').click();
    await expect.poll(() => stub.callsOf('session.register')).toEqual([expect.objectContaining({ path: 'register' })]);

    await stub.start(await at('fastapi-users'));
    await page.getByRole('link', { name: 'Create account' }).click();
    await field('Password').waitFor();
    expect(await field('Name').count()).toBe(0);
    expect(await field('Repeat password').count()).toBe(0);
    await field('Email').fill('ana@example.test');
    await field('Password').fill('secret 1');
    await button('Create account').click();
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toEqual([expect.objectContaining({ path: 'registro', email: 'ana@example.test' })]);
  });

  it('ask for a user name where one is sent, and log in by it where no email is', async () => {
    const described = {
      name: 'By user name',
      calls: {
        register: { path: '/people', body: { user: '{{username}}', mail: '{{email}}', pass: '{{password}}' } },
        login: { path: '/in', body: { user: '{{username}}', pass: '{{password}}' } },
        profile: { path: '/me' },
      },
    };
    const server = await describedBy(JSON.stringify(described));
    await stub.start({ servers: [...firstStart.servers, server], activeServerId: staging.id });
    await field('User name').fill('ana.v');
    await field('Password').fill('secret');
    await button('Log in').click();
    await expect
      .poll(() => stub.callsOf('session.login'))
      .toEqual([{ email: 'ana.v', password: 'secret', remember: true }]);
    await page.getByRole('link', { name: 'Create account' }).click();
    // What was typed for the login is what the account is to be called.
    await expect.poll(() => field('User name').inputValue()).toBe('ana.v');
    await field('User name').fill('');
    await button('Create account').click();
    await hasFocus(field('User name'));
    await expectText(page.locator('[id$="-error"]').first(), 'Enter your user name.');
    await field('User name').fill('ana.v');
    await field('Email').fill('ana@example.test');
    await field('Password').fill('secret');
    await button('Create account').click();
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toEqual([expect.objectContaining({ username: 'ana.v', email: 'ana@example.test' })]);
  });

  it('of a check ask for no registration path where there is one registration alone', async () => {
    await stub.start(await at('laravel-sanctum'));
    await page.keyboard.press('Control+t');
    await button('Start').waitFor();
    expect(await page.getByRole('radiogroup', { name: 'Registration path' }).count()).toBe(0);
    await button('Start').click();
    await expect
      .poll(() => stub.callsOf('checks.start'))
      .toEqual([expect.objectContaining({ options: expect.objectContaining({ variant: 'both' }) })]);
  });

  it('offer no account where the server makes none', async () => {
    await stub.start(await at('keycloak'));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
  });
});
