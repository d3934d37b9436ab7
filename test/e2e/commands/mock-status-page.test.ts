import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { openPage } from '../../support/open-page.ts';
import { briefly, changed, startMock, learnFrom } from '../../service/support/mock-servers.ts';

/** Whatever of it runs, or is loaded, asks for an address with `ran` in it. */
const hostile = `<html xmlns="http://www.w3.org/1999/xhtml"><head><base href="/ran/"/><link rel="stylesheet" href="/ran-style"/>
<meta http-equiv="refresh" content="0;url=/ran-refresh"/><script>location = '/ran-script'</script></head><body onload="location = '/ran-load'">
<img src="/ran-image" onerror="location = '/ran-error'"/><iframe src="/ran-frame"></iframe><form action="/ran-form"><input autofocus="autofocus" onfocus="form.submit()"/></form>
<svg xmlns="http://www.w3.org/2000/svg" onload="location = '/ran-svg'"><script>location = '/ran-in-svg'</script></svg><p>read</p></body></html>`;

/** Goes to an address, and returns what was asked for until nothing more is asked. */
async function askedAt(page: Page, url: string): Promise<string[]> {
  const asked: string[] = [];
  // What the policy stops is asked for in the page, and never sent.
  const note = (response: { url: () => string }): unknown => asked.push(new URL(response.url()).pathname);
  page.on('response', note);
  await page.goto(url).catch(() => undefined);
  await page.waitForLoadState('networkidle');
  page.off('response', note);
  return asked.filter((each) => each.includes('ran'));
}

it('a page of a mock server runs nothing and loads nothing, whatever its model says', async () => {
  const { model } = await learnFrom('service', briefly);
  const types = ['text/html', 'text/html; charset=utf-7', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', ''];
  const { baseUrl } = await startMock(
    changed(model, ({ answers }) => {
      for (const [at, type] of types.entries()) {
        answers.push({
          operation: 'other',
          situation: 'unknown-path',
          path: `/page-${at}`,
          method: 'GET',
          status: 200,
          headers: type === '' ? [] : [['content-type', [type]]],
          body: { kind: 'text', text: [hostile.slice(0, 200), hostile.slice(200)] },
          calls: [],
        });
      }
    }),
  );
  const bare = createServer(({ url }, response) =>
    url === '/' ? response.writeHead(200, { 'content-type': 'text/html' }).end(hostile) : response.end(),
  );
  await new Promise<void>((resolve) => void bare.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => bare.close().closeAllConnections());

  const page = await openPage(`${baseUrl}/page-0`);
  for (const at of types.keys()) expect([at, await askedAt(page, `${baseUrl}/page-${at}`)]).toEqual([at, []]);
  // The same page runs where nothing says that it may not.
  expect(await askedAt(page, `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`)).not.toEqual([]);
});
