import { expect, it } from 'vitest';
import { createProxyResolver, type ProxySession } from '../../../main/window/proxy-resolver.ts';

/** Sessions in which a setting comes into force only with the third question after it, as Chromium's may. */
function sessions({ failures = 0 } = {}) {
  const opened: string[] = [];
  const asked: string[] = [];
  const languages: string[][] = [];
  const sessionFor = (partition: string): ProxySession => {
    opened.push(partition);
    const settings = ['DIRECT'];
    let questions = 0;
    return {
      setSpellCheckerLanguages: (given) => void languages.push(given),
      setProxy: async (config) => {
        if (opened.length <= failures) throw new Error('no network service');
        settings.push(config.mode === 'pac_script' ? `PROXY of ${config.pacScript}` : `PROXY ${config.proxyRules}`);
        questions = 0;
      },
      resolveProxy: async (url) => {
        asked.push(url);
        questions += 1;
        return (questions < 3 ? settings.at(-2) : undefined) ?? settings.at(-1)!;
      },
    };
  };
  return { opened, asked, languages, resolve: createProxyResolver(sessionFor) };
}

const origin = 'https://example.test/';

it("asks a session that nothing was set of for the system's way", async () => {
  const { opened, asked, languages, resolve } = sessions();
  expect(await resolve(origin)).toBe('DIRECT');
  expect(await resolve(origin)).toBe('DIRECT');
  expect(asked).toEqual([origin, origin]);
  expect(opened).toEqual(['proxy-system']);
  expect(languages).toEqual([[]]);
});

it('never answers before the script is in force, and gives each script one session that fetches no dictionary', async () => {
  const { opened, asked, languages, resolve } = sessions();
  const answers = await Promise.all(
    ['http://a/1.pac', 'http://a/2.pac', 'http://a/1.pac'].map((url) => resolve(origin, url)),
  );
  expect(answers).toEqual(['PROXY of http://a/1.pac', 'PROXY of http://a/2.pac', 'PROXY of http://a/1.pac']);
  expect(new Set(opened).size).toBe(2);
  expect(opened).toHaveLength(2);
  expect(languages).toEqual([[], []]);
  expect(asked.filter((url) => url === origin)).toHaveLength(3);
});

it('tries again after a script could not be set', async () => {
  const { opened, resolve } = sessions({ failures: 1 });
  await expect(resolve(origin, 'http://a/1.pac')).rejects.toThrow('no network service');
  expect(await resolve(origin, 'http://a/1.pac')).toBe('PROXY of http://a/1.pac');
  expect(opened).toHaveLength(2);
});
