import { describe, expect, it } from 'vitest';
import { defaultInterfaceSummary } from '../../../main/interface/default-interface-summary.ts';
import { defaultInterface, shippedInterfaces } from '../../../main/interface/shipped.ts';
import { previewInterface } from '../../../main/interface/interface-preview.ts';
import { createInterfaceSummary } from '../../../main/interface/interface-summary.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';

describe('an interface as it is shown', () => {
  it('is written out for our own as its description says', () => {
    expect(createInterfaceSummary(new ApiAdapter(defaultInterface, ''))).toEqual(defaultInterfaceSummary);
  });

  it('names a variable of a path that has no value yet, and never shows a secret one', () => {
    const text = JSON.stringify({
      name: 'X',
      prefix: '/{{realm}}',
      calls: { login: { path: '/in' }, profile: { path: '/me' } },
      headers: { apikey: '{{key}}' },
      variables: { realm: {}, key: { secret: true } },
    });
    expect(previewInterface(text)).toMatchObject({
      readable: true,
      interface: {
        calls: { login: 'POST /{{realm}}/in', profile: 'GET /{{realm}}/me' },
        registrations: [],
        logout: false,
        variables: [
          { name: 'realm', secret: false, isSet: false },
          { name: 'key', secret: true, isSet: false },
        ],
      },
    });
  });

  it('is made of every description that is shipped', async () => {
    for (const { name, text } of await shippedInterfaces())
      expect(previewInterface(text)).toMatchObject({
        readable: true,
        interface: { name, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
  });
});

describe('the calls of a description', () => {
  it('are shown with what is filled in, the credential only where there is one, and the place of the token', () => {
    const text = JSON.stringify({
      name: 'X',
      prefix: '/api',
      calls: { login: { path: '/in', body: { who: { mail: '{{email}}' }, kind: 1 } }, profile: { path: '/me' } },
      headers: { apikey: '{{key}}' },
      security: { type: 'apiKey', in: 'cookie', name: '*sid' },
      variables: { key: { secret: true } },
    });
    const apikey = { name: 'apikey', value: '{{key}}', isHeader: true };
    expect(previewInterface(text)).toMatchObject({
      token: 'cookie',
      sent: [
        {
          call: 'login',
          method: 'POST',
          path: '/api/in',
          parts: [
            { name: 'who.mail', value: '{{email}}', isHeader: false },
            { name: 'kind', value: '1', isHeader: false },
            apikey,
          ],
        },
        {
          call: 'profile',
          method: 'GET',
          path: '/api/me',
          parts: [{ name: 'Cookie', value: '*sid={{token}}', isHeader: true }, apikey],
        },
      ],
    });
  });

  it('are those of our own where no text is given', () => {
    const reading = previewInterface('');
    expect(reading).toMatchObject({ readable: true, interface: defaultInterfaceSummary });
    expect(reading.readable && reading.sent.map(({ call }) => call)).toEqual([
      'register',
      'register',
      'login',
      'profile',
      'logout',
    ]);
  });
});
