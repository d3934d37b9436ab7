import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, openAndTake } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { withPerson } from '../../support/with-person.ts';

describe('the proxies of an imported file', () => {
  const server = (name: string, connection: object) => ({ name, address: `https://${name}.test`, ...connection });
  const proxy = (host: string) => ({ mode: 'manual', proxy: { scheme: 'http', host, port: 80 }, noProxy: [] });
  const pac = { mode: 'pac', url: 'http://evil.test/x.pac' };

  async function importing(servers: object[], agrees: boolean) {
    const person = await withPerson({});
    person.answers['imported-proxies'] = agrees;
    person.file.chosen = path.join(await makeTemporaryFolder(), 'servers.json');
    await writeFile(person.file.chosen, fileOf(...servers));
    expect(await openAndTake(person.main)).toMatchObject({ taken: { ok: true } });
    return { ...person, modes: person.main.config.get().servers.map(({ connection }) => connection.proxy.mode) };
  }

  it('are listed in main’s question, and left out unless the person agrees', async () => {
    const servers = [server('a', { proxy: proxy('evil.test') }), server('b', { proxy: pac }), server('c', {})];
    const no = await importing(servers, false);
    expect(no.modes).toEqual(['system', 'system', 'system', 'system']);
    expect(no.asked).toEqual([
      {
        kind: 'imported-proxies',
        listed: [
          { proxy: proxy('evil.test'), hosts: ['a.test'] },
          { proxy: pac, hosts: ['b.test'] },
        ],
        unlisted: 0,
      },
    ]);
    // The file says something else than what is here, so that a person may take it over after all.
    no.answers['imported-proxies'] = true;
    await openAndTake(no.main);
    expect(no.kinds()).toEqual(['imported-proxies', 'connection', 'connection']);
    expect(no.main.config.get().servers.map(({ connection }) => connection.proxy.mode)).toEqual([
      'system',
      'manual',
      'pac',
      'system',
    ]);
    expect((await importing(servers, true)).modes).toEqual(['system', 'manual', 'pac', 'system']);
  });

  it('that find no room in the question are left out in any case', async () => {
    const servers = Array.from({ length: 12 }, (_, index) => server(`s${index}`, { proxy: proxy(`p${index}.test`) }));
    const { modes, asked } = await importing(servers, true);
    expect(asked).toMatchObject([{ unlisted: 4 }]);
    expect(modes.filter((mode) => mode === 'manual')).toHaveLength(8);
  });
});
