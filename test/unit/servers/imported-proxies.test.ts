import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, importFile } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { withPerson } from '../../support/with-person.ts';

describe('the proxies of an imported file', () => {
  const server = (name: string, connection: object) => ({ name, address: `https://${name}.test`, ...connection });
  const proxy = (host: string) => ({ mode: 'manual', proxy: { scheme: 'http', host, port: 80 }, noProxy: [] });
  const pac = { mode: 'pac', url: 'http://evil.test/x.pac' };

  async function importing(servers: object[], agrees = true) {
    const person = await withPerson({});
    person.answers['import-servers'] = agrees;
    person.file.chosen = path.join(await makeTemporaryFolder(), 'servers.json');
    const write = (others: object[]) => writeFile(person.file.chosen, fileOf(...others));
    await write(servers);
    expect(await importFile(person.main)).toMatchObject({ ok: true });
    const imported = () => person.main.config.get().servers.slice(1);
    return { ...person, write, modes: () => imported().map(({ connection }) => connection.proxy.mode), imported };
  }

  it('are listed in the one question, with their servers, and used only after a yes', async () => {
    const servers = [server('a', { proxy: proxy('evil.test') }), server('b', { proxy: pac }), server('c', {})];
    const { asked, answers, modes, main, imported } = await importing(servers, false);
    expect(modes()).toEqual([]);
    expect(asked).toMatchObject([
      {
        kind: 'import-servers',
        proxies: [
          { proxy: proxy('evil.test'), hosts: ['a.test'] },
          { proxy: pac, hosts: ['b.test'] },
        ],
        unlisted: 0,
      },
    ]);
    answers['import-servers'] = true;
    await importFile(main);
    expect(asked).toHaveLength(2);
    expect(modes()).toEqual(['manual', 'pac', 'system']);
    // An origin is asked about when it is used.
    expect(imported().map(({ agreed }) => agreed)).toEqual([
      ['proxy http://evil.test:80'],
      ['script http://evil.test/x.pac'],
      [],
    ]);
  });

  it('of a server that is here are listed if they differ, also where one is removed, and approved with it', async () => {
    const { asked, write, modes, main, imported } = await importing([
      server('a', {}),
      server('b', { proxy: proxy('old.test') }),
      server('c', { proxy: proxy('old.test') }),
    ]);
    await write([
      server('a', { proxy: proxy('evil.test') }),
      server('b', { proxy: { mode: 'none' } }),
      server('c', { proxy: proxy('old.test') }),
    ]);
    expect(await importFile(main)).toMatchObject({ value: { changed: 2, unchanged: 1 } });
    expect(asked[1]).toMatchObject({
      proxies: [
        { proxy: proxy('evil.test'), hosts: ['a.test'] },
        { proxy: { mode: 'none' }, hosts: ['b.test'] },
      ],
    });
    expect(modes()).toEqual(['manual', 'none', 'manual']);
    expect(imported()[0]?.agreed).toEqual(['proxy http://evil.test:80']);
  });

  it('that find no room in the question are left out in any case', async () => {
    const servers = Array.from({ length: 12 }, (_, index) => server(`s${index}`, { proxy: proxy(`p${index}.test`) }));
    const { modes, asked, main } = await importing(servers);
    expect(asked).toMatchObject([{ unlisted: 4 }]);
    expect(modes().filter((mode) => mode === 'manual')).toHaveLength(8);
    // The rest finds room in the next question.
    expect(await importFile(main)).toMatchObject({ value: { changed: 4, unchanged: 8 } });
    expect(asked[1]).toMatchObject({ unlisted: 0 });
    expect(modes()).toEqual(Array.from({ length: 12 }, () => 'manual'));
  });
});
