import { expect, it } from 'vitest';
import { briefly, changed, startMock, learnFrom } from '../../service/support/mock-servers.ts';
import { startBuiltInServer } from '../../service/support/fault-injection.ts';
import { openPage } from '../../support/open-page.ts';

/** Opens the page, and notes what it asks for and what its policy stops. */
async function openService(baseUrl: string) {
  const first = `${baseUrl}/health`;
  const page = await openPage(first);
  // Until then the window would go there in the place of where the test goes.
  await page.waitForURL(first);
  const asked = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${baseUrl}/`);
  return { page, asked, complaints };
}

it('the service shows its routes to a browser, and they can be tried there without a network', async () => {
  const { service } = await startBuiltInServer({}, { isEmpty: true });
  const { page, asked, complaints } = await openService(service.baseUrl);
  await page.getByRole('heading', { name: 'Llavero built-in server' }).waitFor();
  const registration = page.locator('#operations-default-registro');
  await registration.getByRole('button').first().click();
  await registration.getByRole('button', { name: 'Execute' }).click();
  await registration.locator('.live-responses-table').getByText('"created_at"').waitFor();
  expect({ asked: [...asked].filter((origin) => origin !== 'null'), complaints }).toEqual({
    asked: [service.baseUrl],
    complaints: [],
  });
});

it('the mock server shows whose it is, with names out of its model as text alone', async () => {
  const { model } = await learnFrom('service', briefly);
  const name = "<img src=x onerror=\"location='/ran'\"><script>location='/ran'</script>";
  const { baseUrl } = await startMock(changed(model, (each) => void (each.serverName = name)));
  const { page, complaints } = await openService(baseUrl);
  await page.getByRole('heading', { name: `Mock of ${name}` }).waitFor();
  await page.locator('#operations-default-login').waitFor();
  expect({ complaints, url: page.url() }).toEqual({ complaints: [], url: `${baseUrl}/` });
});
