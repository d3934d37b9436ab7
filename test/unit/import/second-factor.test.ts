import { expect, it } from 'vitest';
import { found } from './look.ts';

const curl = (body: Record<string, unknown>): string =>
  `curl https://shop.test/api/sessions -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
const ana = { email: 'ana@x.test', password: 'S3cret-ana!' };

it.each([
  ['otp', '123456'],
  ['totp', 654321],
  ['two_factor_code', '{{code_of_app}}'],
])('a curl with a code in it makes the code call: %s', async (name, code) => {
  const { draft, parts, dropped } = await found(curl({ ...ana, [name]: code }));
  const body = { email: '{{email}}', password: '{{password}}' };
  expect(draft.calls.login).toMatchObject({ method: 'POST', body });
  expect(draft.calls.login?.body).toEqual(body);
  expect(draft.secondFactor).toEqual({
    outputs: {},
    cookies: [],
    totp: { method: 'POST', path: draft.calls.login!.path, body: { ...body, [name]: '{{code}}' } },
  });
  // Nothing but its name tells that.
  expect(parts).toContainEqual({ at: 'secondFactor', is: 'guess', why: 'by-name', detail: name });
  expect(JSON.stringify({ draft, dropped })).not.toContain(String(code));
});

it.each([
  ['a code of a country', { ...ana, code: 'ES' }],
  ['a client code', { ...ana, client_code: 'shop' }],
])('%s makes none', async (_what, body) => {
  expect((await found(curl(body))).draft.secondFactor).toBeUndefined();
});
