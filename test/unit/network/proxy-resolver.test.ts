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
  const system = () => ({ resolveProxy: async (url: string) => `system; ${url}` });
  return { opened, resolve: createProxyResolver({ system, sessionFor }) };
}

const origin = 'https://example.test/';

it("asks the default session for the system's way", async () => {
  const { opened, resolve } = sessions();
  expect(await resolve(origin)).toBe(`system; ${origin}`);
  expect(opened).toEqual([]);
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
