import { afterEach, describe, expect, it } from 'vitest';
import { callsPage } from '../../../support/calls-page.ts';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { list, options, option, button, details, part, openWith } = callsPage(() => stub);

describe('one call', () => {
  it('shows the request as it was written and the answer as it came, with marks where secrets were', async () => {
    await openWith();
    await option('/auth/login').click();
    const request = await (await part('Request')).innerText();
    expect(request).toContain('https://shop.example.test/api/v1/auth/login');
    expect(request).toContain('POST /api/v1/auth/login HTTP/1.1\nAccept: application/json\n');
    expect(request).toContain('"password": "‹password 1›"');
    const response = await (await part('Response')).innerText();
    expect(response).toContain('HTTP/1.1 200');
    expect(response).toMatch(/Set-Cookie: a=‹cookie 1›; Path=\/; HttpOnly\s+set-cookie: b=‹cookie 2›/);
    expect(response).toContain('"numero": 12345678901234567890.10');
    expect(response).toContain('¡Bienvenida, Ana!');
    const shown = await part('Response');
    expect(await shown.getByRole('img', { name: 'Secret left out: token 1' }).count()).toBe(1);
    await shown.getByRole('radio', { name: 'Raw', exact: true }).check();
    await expectText(shown, /"access_token":"‹token 1›","numero"/);
  });

  it('marks the headers that were added for the server, and no others', async () => {
    await openWith();
    await option('502').click();
    const request = await part('Request');
    await expectText(request, /X-Api-Key: ‹secret 1›\s*added for this server\s+Host: shop\.example\.test/);
    expect(await request.getByText('added for this server').count()).toBe(1);
    await option('/auth/login').click();
    await expectText(await part('Request'), /Accept: application\/json/);
    expect(await details().getByText('added for this server').count()).toBe(0);
  });

  it('is closed by a button, or by the way back where there is one pane, and the focus goes to the list', async () => {
    await openWith();
    const [close, back] = [button('Close request'), button('Back to the list')];
    for (const [width, shown, other] of [
      [1200, close, back],
      [700, back, close],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await option('/auth/login').click();
      await seen(shown);
      expect(await other.isVisible()).toBe(false);
      // The way out is in the line of the heading, also where what can be done goes below it.
      const [way, title] = [
        await shown.boundingBox(),
        await details().getByRole('heading', { level: 2 }).boundingBox(),
      ];
      expect(way?.y).toBeLessThan((title?.y ?? 0) + 20);
      await shown.click();
      await hasFocus(list());
      expect(await details().count()).toBe(0);
    }
    await page.setViewportSize({ width: 1000, height: 700 });
  });

  it('has the same number for the same secret in another call', async () => {
    await openWith();
    await option('/auth/login').click();
    await details().getByRole('img', { name: 'Secret left out: token 1' }).waitFor();
    await option('502').click();
    await expectText(await part('Request'), /Authorization: Bearer ‹token 1›/);
  });

  it('shows what the app understood, and leads to the form where other places are pinned', async () => {
    await openWith();
    await option('/auth/login').click();
    const understood = await part('Summary');
    await expectText(understood, /Logged in\s+a 2xx login with a token/);
    await expectText(understood, /1\s*Token\s+datos\.access_token\s+a field named access_token/);
    await expectText(understood.locator('[data-pointed=true]'), /^\s*"access_token": "‹token 1›",\s*1$/);
    await understood.getByRole('button', { name: 'Change response mapping' }).click();
    await seen(page.getByRole('heading', { level: 1, name: 'Servers' }));
    await seen(page.getByText('Shop', { exact: true }).first());
  });

  it('says in numbers where the time went, and over which connection', async () => {
    await openWith();
    await option('/auth/login').click();
    const timing = await part('Timing');
    await expectText(timing, /Timing breakdown/);
    expect((await timing.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^Timing breakdown DNS 3 ms Connect 9 ms TLS 37 ms Time to first byte 93 ms Download 10 ms Total 152 ms/,
    );
    const connection = await timing.getByRole('region', { name: 'Connection', exact: true }).innerText();
    for (const text of ['192.0.2.17:3128', 'http://proxy.example.test:3128', 'TLSv1.3', 'new', 'CN=shop.example.test'])
      expect(connection).toContain(text);
    await option('502').click();
    await expectText(timing, /reused/);
  });

  it('shows a page as text, and runs nothing of it', async () => {
    await openWith();
    await option('502').click();
    const response = await part('Response');
    await expectText(response, /<script>alert\(2\)<\/script>/);
    expect(await details().locator('script, img').count()).toBe(0);
    expect(await response.getByRole('button').allInnerTexts()).toEqual(['Store response text']);
  });

  it('says what it was of a body whose text is not kept, and of a text that it is kept nowhere', async () => {
    await openWith();
    await option('?token=').click();
    await expectText(await part('Response'), /image\/png, ?48\.2 kB\. Text not stored\.\s+SHA-256 c0ffee/);
    await option('502').click();
    const page502 = await part('Response');
    await expectText(page502, /and 3 more headers, not stored/);
    await expectText(page502, /not stored: visible until Llavero locks or quits/);
    await stub.answer('calls.saveText', { ok: true, value: null });
    await button('Store response text').click();
    await seen(page.getByText(/^Stored until you clear the requests/));
    expect(await button('Store response text').count()).toBe(0);
    expect(await stub.callsOf('calls.saveText')).toHaveLength(1);
  });

  it('says a failure in words, and that a head was not seen as it was written', async () => {
    await openWith();
    await option('/registro').click();
    await details().getByText('No server responds at staging.example.test:8000.').waitFor();
    expect(await (await part('Request')).innerText()).toContain('As prepared');
    expect(await (await part('Response')).innerText()).toBe('No response');
    expect(await (await part('Timing')).innerText()).toContain('Until failure');
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
    await expect
      .poll(() => stub.callsOf('calls.pin'))
      .toEqual([
        { id: 'login', pinned: true },
        { id: 'login', pinned: false },
      ]);
  });

  it('says when it is not kept any more', async () => {
    await openWith();
    await option('/gone').click();
    await seen(details().getByText('This request is no longer stored'));
  });

  it('shows a very long body piece by piece', async () => {
    const [login] = someCalls;
    const text = `{"a":"${'x'.repeat(300_000)}"}`;
    const response = { ...login!.recorded!.response!, body: { form: 'text' as const, text: [text], bytes: 300_008 } };
    await openWith([{ summary: login!.summary, recorded: { ...login!.recorded!, response } }]);
    await option('/auth/login').click();
    const shown = await part('Response');
    await shown.getByRole('button', { name: 'Show all (300 kB)' }).click();
    await eventually(async () => expect((await shown.innerText()).length).toBeGreaterThan(300_000));
  });

  it.each([1000, 800, 480])('nothing stands out of a window %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await openWith();
    for (const each of await options().all()) {
      if (!(await each.isVisible())) await button('Back to the list').click();
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
