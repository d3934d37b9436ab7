import { afterEach, describe, expect, it } from 'vitest';
import { callsDrawer } from '../../../support/calls-drawer.ts';
import { eventually, expectNoComplaints, expectText, seen } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { options, option, button, details, openWith } = callsDrawer(() => stub);

describe('one call', () => {
  const part = (name: string) => details().getByRole('region', { name, exact: true });

  it('shows the request as it was written and the answer as it came, with marks where secrets were', async () => {
    await openWith();
    await option('/auth/login').click();
    await part('Request').waitFor();
    const request = await part('Request').innerText();
    expect(request).toContain('POST /api/v1/auth/login HTTP/1.1\nAccept: application/json\n');
    expect(request).toContain('"password": "‹password 1›"');
    const response = await part('Response').innerText();
    expect(response).toContain('HTTP/1.1 200 OK');
    expect(response).toMatch(/Set-Cookie: a=‹cookie 1›; Path=\/; HttpOnly\s+set-cookie: b=‹cookie 2›/);
    expect(response).toContain('"numero": 12345678901234567890.10');
    expect(response).toContain('¡Bienvenida, Ana!');
    expect(await part('Response').getByRole('img', { name: 'Secret left out: token 1' }).count()).toBe(1);
    await part('Response').getByRole('button', { name: 'Raw', exact: true }).click();
    await expectText(part('Response'), /"access_token":"‹token 1›","numero"/);
  });

  it('has the same number for the same secret in another call', async () => {
    await openWith();
    await option('/auth/login').click();
    await details().getByRole('img', { name: 'Secret left out: token 1' }).waitFor();
    await option('502').click();
    await expectText(part('Request'), /Authorization: Bearer ‹token 1›/);
  });

  it('shows what the app understood, and leads to the form where other places are pinned', async () => {
    await openWith();
    await option('/auth/login').click();
    const understood = part('What the app understood');
    await expectText(understood, /datos\.access_token\s+a field named access_token/);
    await understood.getByRole('button', { name: 'Pin other paths' }).click();
    await seen(page.getByRole('dialog', { name: 'Edit Shop' }));
  });

  it('says in numbers where the time went, and over which connection', async () => {
    await openWith();
    await option('/auth/login').click();
    await part('Timing').waitFor();
    expect((await part('Timing').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Timing DNS 3 ms Connect 9 ms TLS 37 ms Time to first byte 93 ms Download 10 ms Total 152 ms',
    );
    const connection = await part('Connection').innerText();
    for (const text of ['192.0.2.17:3128', 'http://proxy.example.test:3128', 'TLSv1.3', 'new', 'CN=shop.example.test'])
      expect(connection).toContain(text);
    await option('502').click();
    await expectText(part('Connection'), /reused/);
  });

  it('shows a page as text, and runs nothing of it', async () => {
    await openWith();
    await option('502').click();
    await expectText(part('Response'), /<script>alert\(2\)<\/script>/);
    expect(await details().locator('script, img').count()).toBe(0);
    expect(await part('Response').getByRole('button').count()).toBe(0);
  });

  it('shows the first bytes of what is no text', async () => {
    await openWith();
    await option('?token=').click();
    await expectText(part('Response'), /Binary, 48\.2 kB\. The first bytes:/);
    expect(await part('Response').innerText()).toContain('0000  89 ae d3 f8 1d 42 67 8c  ·····Bg·');
  });

  it('says a failure in words, and that a head was not seen as it was written', async () => {
    await openWith();
    await option('/registro').click();
    await details().getByText('Nothing answers at staging.example.test:8000.').waitFor();
    expect(await part('Request').innerText()).toContain('As prepared');
    expect(await part('Response').count()).toBe(0);
    expect(await part('Timing').innerText()).toContain('Until it failed');
  });

  it('is pinned and let go again', async () => {
    await openWith();
    await option('/auth/login').click();
    const pin = details().getByRole('button', { name: 'Pin', exact: true });
    await pin.click();
    await eventually(async () => expect(await pin.getAttribute('aria-pressed')).toBe('true'));
    expect(await option('/auth/login').innerText()).toContain('pinned');
    await pin.click();
    await eventually(async () => expect(await pin.getAttribute('aria-pressed')).toBe('false'));
    expect(await stub.callsOf('calls.pin')).toEqual([
      { id: 'login', pinned: true },
      { id: 'login', pinned: false },
    ]);
  });

  it('says when it is not kept any more', async () => {
    await openWith();
    await option('/gone').click();
    await seen(details().getByText('This call is no longer kept'));
  });

  it('shows a very long body piece by piece', async () => {
    const [login] = someCalls;
    const text = `{"a":"${'x'.repeat(300_000)}"}`;
    const response = { ...login!.recorded!.response!, body: { form: 'text' as const, text: [text], bytes: 300_008 } };
    await openWith([{ summary: login!.summary, recorded: { ...login!.recorded!, response } }]);
    await option('/auth/login').click();
    await part('Response').getByRole('button', { name: 'Show all of it (300 kB)' }).click();
    await eventually(async () => expect((await part('Response').innerText()).length).toBeGreaterThan(300_000));
  });

  it.each([800, 600])('nothing stands out of a window %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await openWith();
    for (const each of await options().all()) {
      if (!(await each.isVisible())) await button('Close details').click();
      await each.click();
      await details().waitFor();
      const tooWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('#calls, article, article *')]
          .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline')
          .map((node) => node.outerHTML.slice(0, 100)),
      );
      expect(tooWide).toEqual([]);
    }
    await page.setViewportSize({ width: 1000, height: 700 });
  });
});
