import { expect, it } from 'vitest';
import { createProxyResolver, type ProxySession } from '../../../main/network/proxy-resolver.ts';

/** Sessions that answer with what was done to them. */
function sessions() {
  const opened: string[] = [];
  const sessionFor = (partition: string): ProxySession => {
    opened.push(partition);
    const steps: string[] = [];
    return {
      setSpellCheckerLanguages: (languages) => void steps.push(`languages ${languages.join()}`),
      setProxy: async ({ pacScript }) => void steps.push(pacScript),
      resolveProxy: async (url) => [...steps, url].join('; '),
    };
  };
  return { opened, resolve: createProxyResolver(sessionFor) };
}

const origin = 'https://example.test/';

it("asks a session that nothing was set of for the system's way", async () => {
  const { opened, resolve } = sessions();
  expect(await resolve(origin)).toBe(`languages ; ${origin}`);
  expect(await resolve(origin)).toBe(`languages ; ${origin}`);
  expect(opened).toEqual(['proxy-system']);
});

it('gives each script one session, that fetches no dictionary', async () => {
  const { opened, resolve } = sessions();
  const answers = await Promise.all(
    ['http://a/1.pac', 'http://a/2.pac', 'http://a/1.pac'].map((url) => resolve(origin, url)),
  );
  expect(answers).toEqual([
    `languages ; http://a/1.pac; ${origin}`,
    `languages ; http://a/2.pac; ${origin}`,
    `languages ; http://a/1.pac; ${origin}`,
  ]);
  expect(new Set(opened).size).toBe(2);
  expect(opened).toHaveLength(2);
});
