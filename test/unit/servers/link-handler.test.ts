import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDeepLink } from '../../../main/account/servers/link-scheme.ts';
import { parseServerLink } from '../../../main/account/servers/link-handler.ts';
import type { BadLink, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { makeMain } from '../../support/make-main.ts';

describe('a link to a server', () => {
  it.each([
    ['llavero://server/Shop', 'Shop'],
    ['LLAVERO://server/Shop/', 'Shop'],
    ['llavero://server/Tienda%20de%20prueba', 'Tienda de prueba'],
    ['llavero://server/staging.example.test%3A8000%2Fapp', 'staging.example.test:8000/app'],
  ])('has a name: %s', (link, name) => {
    expect(parseServerLink(link)).toBe(name);
  });

  it.each([
    'llavero://server/',
    'llavero://server/Shop?token=1|abc',
    'llavero://server/Shop#token',
    'llavero://user:secret@server/Shop',
    'llavero://server/Shop/more',
    'llavero://server:80/Shop',
    'llavero://environment/Shop',
    'llavero:server/Shop',
    'llavero://server/%',
    'llavero://server/two%0Alines',
    'llavero://server/turned%E2%80%AEround',
    `llavero://server/${'a'.repeat(101)}`,
    'https://server/Shop',
    ' llavero://server/Shop',
  ])('has nothing but a name: %s', (link) => {
    expect(parseServerLink(link)).toBeUndefined();
  });

  it('finds no more than 100 plain characters in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = parseServerLink(`llavero://server/${text}`);
        expect(name === undefined || (name.length <= 100 && !/[\p{Cc}\p{Cf}]/u.test(name))).toBe(true);
      }),
    );
  });

  it('is found among the arguments of a start', () => {
    expect(findDeepLink(['--lang=es', 'llavero://server/Shop'])).toBe('llavero://server/Shop');
    expect(findDeepLink(['serve', 'llavero'])).toBeUndefined();
  });
});

async function withLinks(agrees = true) {
  const asked: DialogQuestion[] = [];
  const bad: BadLink[] = [];
  const main = await makeMain(
    { Shop: { baseUrl: 'https://shop.example.test' }, Other: { baseUrl: 'https://other.example.test' } },
    {
      ports: {
        dialogs: {
          chooseFile: async () => undefined,
          async confirm(question) {
            asked.push(question);
            return agrees;
          },
          showEraseFailed: () => expect.unreachable(),
          async showBadLink(each) {
            bad.push(each);
          },
          openExternal: () => expect.unreachable(),
        },
      },
    },
  );
  return { main, asked, bad, open: main.application.openLink };
}

describe('following a link', () => {
  it('asks with the host before it switches', async () => {
    const { main, asked, open } = await withLinks();
    await open('llavero://server/Other');
    expect(asked).toEqual([{ kind: 'open-link', name: 'Other', baseUrl: 'https://other.example.test' }]);
    expect(main.state.get().activeServerId).toBe('Other');
    await open('llavero://server/Other');
    expect(asked).toHaveLength(1);
    await open('llavero://server/built-in');
    expect(main.state.get().activeServerId).toBe('built-in');
  });

  it('switches nothing after a refusal, and asks again about the next link', async () => {
    const { main, asked, open } = await withLinks(false);
    await open('llavero://server/Other');
    await open('llavero://server/Other');
    expect(asked).toHaveLength(2);
    expect(main.state.get().activeServerId).toBe('Shop');
  });

  it('says in one sentence what is wrong with a bad link, and keeps the server', async () => {
    const { main, asked, bad, open } = await withLinks();
    await open('llavero://server/Nowhere');
    await open('llavero://server/Other?token=x');
    expect(bad).toEqual([{ problem: 'unknown-server', name: 'Nowhere' }, { problem: 'not-a-link' }]);
    expect(asked).toEqual([]);
    expect(main.state.get().activeServerId).toBe('Shop');
  });

  it('does nothing while the application is locked', async () => {
    const { main, asked, bad, open } = await withLinks();
    main.lock.lock('by-hand');
    await open('llavero://server/Other');
    await open('llavero://server/Nowhere');
    expect([asked, bad]).toEqual([[], []]);
    expect(main.state.get().activeServerId).toBe('Shop');
  });
});
