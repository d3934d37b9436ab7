import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { ProfileLimits, type UserProfile } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { sentRows, textRow } from '../../../support/sent-rows.ts';
import { anaProfile, firstStart, heldSessions, signedIn } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
const usual = { width: 1200, height: 800 };
const statusBarHeight = 28;
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const profile = () => page.getByRole('main');
const details = () => page.getByRole('region', { name: 'Details', exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('the profile', () => {
  it('shows every field as text, and no secret', async () => {
    await stub.start({ session: signedIn });
    await hasFocus(heading('Ana Prueba'));
    const terms = await details().getByRole('term').allInnerTexts();
    expect(terms).toEqual([
      'Created\ncreated_at',
      'Address city\naddress.city',
      'About\nbio',
      'Password hash\npassword_hash',
      'Name',
      'ID',
    ]);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('Hidden for security');
    expect(text).toMatch(/Checked\s+.*\d:\d\d/);
  });

  const withFields = (rest: UserProfile['rest']) => ({ session: { ...signedIn, user: { ...anaProfile, rest } } });
  const valueOf = (label: string) =>
    details().getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

  it('says values as people do, and keeps a text that only looks like another thing', async () => {
    await stub.start(
      withFields(
        sentRows(
          `{"email_verified_at":null,"exp":1798000000,"active":true,"roles":["admin","editor"],"balance":100.10,
          "account":1379505554728411138,"note":"{not: an object}","born":"1990-05-17","seen":"2026-06-30 22:15:00",
          "preferences":{"theme":"dark","channels":{"email":true}}}`,
        ),
      ),
    );
    await seen(page.getByText('Not confirmed', { exact: true }));
    await expectText(valueOf('Expires'), /2026/);
    await expectText(valueOf('Active'), /^yes$/);
    await expectText(valueOf('Roles'), /^admin, editor$/);
    await expectText(valueOf('Balance'), /^100\.10$/);
    await expectText(valueOf('Account'), /^1379505554728411138$/);
    await expectText(valueOf('Note'), /^\{not: an object\}$/);
    await expectText(valueOf('Born'), /^May 17, 1990$/);
    await expectText(valueOf('Seen'), /^Jun 30, 2026, 10:15 PM UTC No time zone given; assuming UTC$/);
    const card = page.getByRole('region', { name: 'Preferences', exact: true });
    await card.getByRole('button', { name: 'Email: yes', exact: true }).click();
    await expectText(card, /Theme\s+theme\s+dark\s+Channels[^]*Email\s+yes/);
    await card.getByRole('button', { name: 'Preferences preferences Dark' }).click();
    expect(await profile().getByText('Theme').count()).toBe(0);
  });

  it('gives what is nested the columns of what is around it', async () => {
    await stub.start(withFields(sentRows({ plan: { name: 'Pro', code: 'P1', limits: { seats: 5 } } })));
    await profile().getByRole('button', { name: '5 seats', exact: true }).click();
    const left = async (text: string) =>
      (await (await seen(profile().getByText(text, { exact: true }))).boundingBox())?.x;
    const valuesAt = await Promise.all(['Pro', 'P1', '5'].map((text) => left(text)));
    expect(new Set(valuesAt.slice(1))).toEqual(new Set([valuesAt[0]]));
  });

  it('says what of a large profile is not on the screen', async () => {
    const bio = textRow('bio', 'x'.repeat(ProfileLimits.charactersOfText), { left: 7 });
    await stub.start({ session: { ...signedIn, user: { ...anaProfile, rest: [bio], left: 1234 } } });
    await expectText(profile(), /1234 more values\. Use “Save my data…” to see them all\./);
    await valueOf('About').getByRole('button', { name: 'Show all' }).click();
    await expectText(valueOf('About'), /7 more characters\. Use “Save my data…” to see them all\./);
  });

  it('cuts a long value until somebody asks for it, and copies the whole of one field', async () => {
    const long = 'long '.repeat(200);
    await stub.start(withFields(sentRows({ bio: long })));
    expect((await valueOf('About').innerText()).length).toBeLessThan(300);
    await valueOf('About').getByRole('button', { name: 'Show all' }).click();
    expect((await valueOf('About').innerText()).length).toBeGreaterThan(900);
    await button('Copy: About').click();
    await expectText(page.getByRole('status').filter({ hasText: 'Copied' }), 'Copied: About');
    await button('Copy: Email').click();
    await expectText(page.getByRole('status').filter({ hasText: 'Copied' }), 'Copied: Email');
    await expect
      .poll(() => stub.callsOf('profile.copy'))
      .toEqual([
        { of: 'rest', field: '/bio' },
        { of: 'known', field: 'email' },
      ]);
  });

  it('saves what the server sent, and says so', async () => {
    await stub.start({ session: signedIn });
    await button('Save my data…').click();
    await seen(page.getByText('Data saved.'));
    await stub.fails('profile.exportFile', { kind: 'file-failed', code: 'ENOSPC' });
    await button('Save my data…').click();
    await hasFocus(page.getByRole('alert'));
  });

  it('offers to save once the server has sent something', async () => {
    const user = { name: 'Ana Prueba', rest: [] };
    await stub.start({ session: { step: 'restoring', sessionId: 's1', user } });
    const save = page.getByRole('button', { name: 'Save my data…', disabled: true });
    expect(await (await seen(save)).getAttribute('title')).toMatch(/^No data received/);
    await save.click({ force: true });
    await stub.change({ session: { ...signedIn, user } });
    await seen(page.getByRole('button', { name: 'Save my data…', disabled: false }));
    await expectNotAsked('profile.exportFile');
  });

  it('says in a small window what came of a press without being scrolled', async () => {
    await page.setViewportSize({ width: 800, height: 600 });
    onTestFinished(() => page.setViewportSize(usual));
    await stub.start({ session: signedIn });
    const isOnTheScreen = async (what: Locator) => {
      const box = await (await seen(what)).boundingBox();
      expect(box && box.y + box.height).toBeLessThanOrEqual(600 - statusBarHeight);
    };
    await button('Save my data…').click();
    await isOnTheScreen(page.getByText('Data saved.'));
    await stub.start({ session: { ...signedIn, check: { state: 'unchecked', error: { kind: 'offline' } } } });
    await isOnTheScreen(page.getByRole('alert'));
  });

  it('shows keys and the number of the token in the Workbench only', async () => {
    const state = { session: signedIn, sessions: heldSessions };
    const technical = /created_at|41\|/;
    await stub.start(state);
    await expectText(page.getByRole('main'), technical);
    await stub.change({ settings: { ...firstStart.settings, workbench: false } });
    await eventually(async () => expect(await page.getByRole('main').innerText()).not.toMatch(technical));
    await expectText(page.getByRole('main'), /Stored in\s+GNOME Keyring/);
    await stub.change({ sessions: heldSessions.map((each) => ({ ...each, inMemory: true as const })) });
    await expectText(page.getByRole('main'), /Stored in\s+Memory, until Llavero quits/);
  });

  it('shows a picture that the server sent beside the name, and the next one below', async () => {
    const row = (name: string) =>
      ({ name, place: `/${name}`, value: { is: 'picture', width: 400, height: 300 } }) as const;
    await stub.start({ session: { ...signedIn, user: { ...anaProfile, rest: [row('avatar'), row('cover')] } } });
    for (const name of ['Picture of Ana Prueba', 'Picture, 400 by 300 pixels']) {
      const picture = page.getByRole('img', { name, exact: true });
      await eventually(async () => expect(await picture.getAttribute('src')).toMatch(/^data:image\/webp;base64,UklG/));
    }
    expect(await stub.callsOf('profile.picture')).toEqual([{ place: '/avatar' }, { place: '/cover' }]);
    expect(await page.getByRole('img', { name: 'Picture of Ana Prueba' }).boundingBox()).toMatchObject({ width: 72 });
  });

  it('tells four facts of a person first, folds what is told, and shares a line among what is empty', async () => {
    await stub.start({
      ...withFields(
        sentRows(
          `{"phone":"600","company":null,"created_at":"2020-01-02T10:00:00Z","locale":"es_CL","role":"editor",
          "plan":{"name":"pro","seats":5},"email_verified_at":"2024-03-04T11:20:09Z","nickname":"","tags":[]}`,
        ),
      ),
      settings: { ...firstStart.settings, workbench: false },
    });
    const facts = page.locator('main dl').first();
    await expectText(
      facts,
      /^Plan\s+Pro\s+5 seats\s+Role\s+Editor\s+Language\s+Spanish\s+Chile\s+Member since\s+Jan 2, 2020\s+\d+ years$/,
    );
    await expectText(details(), /^Details\s+Phone\s+600\s+ID\s+7\s+Empty: Company, Nickname, Tags$/);
    await seen(page.getByTitle('Confirmed, according to the server: Mar 4, 2024.'));
    await seen(page.getByRole('button', { name: 'Plan Pro · 5 seats', exact: true, expanded: false }));
  });

  it('opens pages and mail addresses by main alone, also within a card, and nothing else', async () => {
    const links = [{ type: 'home', url: 'http://a.test/x' }, { url: 'javascript:alert(1)' }];
    await stub.start(withFields(sentRows({ website: 'https://example.org/', note: 'file:///etc/passwd', links })));
    for (const name of ['ana@example.test', 'example.org'])
      await page.getByRole('link', { name, exact: true }).first().click();
    expect(await page.getByRole('link', { name: /passwd|alert/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'a.test/x', exact: true }).click();
    await expect
      .poll(() => stub.callsOf('profile.open'))
      .toEqual([
        { of: 'known', field: 'email' },
        { of: 'rest', field: '/website' },
        { of: 'rest', field: '/links', at: [0, 1] },
      ]);
  });

  it('shows what the server sent as JSON, with a mark for each secret', async () => {
    await stub.start({ session: signedIn });
    await page.getByRole('radio', { name: 'Raw data', exact: true }).check();
    const sent = page.getByRole('region', { name: 'Raw data', exact: true });
    await expectText(sent, /"seats": 5,[^]*"api_key": ‹secret 1›,\s+"company": null\s/);
    expect(await details().count()).toBe(0);
    await page.getByRole('radio', { name: 'Formatted', exact: true }).check();
    await seen(details());
  });

  it('takes no name that nobody sees for a heading, and puts the session last', async () => {
    await stub.start({ session: { ...signedIn, user: { ...anaProfile, name: '\u200B\u3164\u2800' } } });
    await seen(heading('ana@example.test'));
    const regions = await page.getByRole('main').getByRole('region').allInnerTexts();
    expect(regions.findIndex((text) => text.startsWith('Details'))).toBeLessThan(
      regions.findIndex((text) => text.includes('Stored in')),
    );
  });

  it('asks the server again, and keeps the session when it does not answer', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.check', 'hold');
    await button('Check again').click();
    const error = { kind: 'offline' } as const;
    await stub.change({ session: { ...signedIn, check: { state: 'unchecked', error } } });
    await stub.release('sessions.check', { ok: false, error });
    await page.getByText('Not verified: This computer has no network connection.').waitFor();
    // Main says it twice, with the state and with the answer. The screen says it once.
    await button('Check again').and(page.locator('[aria-busy=false]')).waitFor();
    expect(await page.getByText('This computer has no network connection.').count()).toBe(1);
    await expect.poll(() => stub.callsOf('sessions.check')).toEqual([{ id: 's1' }]);
    expect(await heading('Ana Prueba').count()).toBe(1);
    await hasFocus(button('Check again'));
  });

  it('shows who it was while the session is restored', async () => {
    await stub.start({ session: { step: 'restoring', sessionId: 's1', user: { name: 'Ana Prueba', rest: [] } } });
    await page.getByText('Checking with the server…').waitFor();
    expect(await heading('Ana Prueba').count()).toBe(1);
    await stub.change({
      session: { step: 'signed-out', notice: { kind: 'session-ended', at: '2026-11-22T10:41:00.000Z' } },
    });
    await seen(page.getByRole('status').filter({ hasText: 'Your session ended' }));
    await hasFocus(page.getByLabel('Email', { exact: true }));
    expect(await heading('Log in again').count()).toBe(1);
  });

  it('logs out once, and says where that leads', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.logout', 'hold');
    await button('Log out').press('Enter');
    await button('Log out').press('Enter');
    const session = { step: 'signed-out', notice: { kind: 'logged-out' } } as const;
    await stub.release('sessions.logout', { state: { ...firstStart, session } });
    await seen(page.getByRole('status').filter({ hasText: 'You are logged out.' }));
    await hasFocus(page.getByLabel('Email', { exact: true }));
    expect(await heading('Log in').count()).toBe(1);
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(1);
  });

  it('says of a server without a logout that retrying does not help, wherever it is tried again', async () => {
    const error: AppError = { kind: 'unexpected', reason: 'operation-missing', status: 404 };
    const noHelp = page.getByText(/Retrying does not help/);
    await stub.start({
      session: { step: 'signed-out', notice: { kind: 'logged-out-no-way-to-tell', error } },
      sessions: heldSessions,
    });
    await button('Why?').click();
    await seen(page.getByText(/This server offers no logout/));
    await seen(noHelp);
    expect(await button('Retry logout').count()).toBe(0);

    await stub.start({ sessions: heldSessions });
    await button('Accounts').click();
    await page.getByRole('menuitem', { name: 'All sessions' }).click();
    await stub.fails('sessions.revoke', error);
    await button('Retry logout of carl@example.test').click();
    await seen(page.getByRole('main').getByRole('alert'));
    await button('Why?').click();
    await seen(noHelp);
  });
});
