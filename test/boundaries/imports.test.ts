import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}', 'scripts/**/*.mjs'], {
  cwd: root,
});

/** Lists every module that a file names in any import or export, relative ones as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const names = [...text.matchAll(/(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].map(([, name]) => name!);
  return names.map((name) => (name.startsWith('.') ? path.join(path.dirname(file), name) : name));
}

const isNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);
const isLocal = (name: string): boolean => /^(main|preload|renderer|scripts|test)\//.test(name);
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

type Rule = {
  says: string;
  files: (file: string) => boolean;
  allows: (imported: string, file: string) => boolean;
};

const contract = /^preload\/contract\//;
const within =
  (...folders: string[]) =>
  (name: string): boolean =>
    folders.some((folder) => name.startsWith(folder));

/** These files may know Electron. All else runs under plain Node. */
const electronFiles = [
  'main/index.ts',
  'main/start.ts',
  'main/menu.ts',
  'main/windows/',
  'main/ipc/serve.ts',
  'main/updates/system-updates.ts',
  'main/updates/updater.ts',
  'main/vault/safe-storage-cipher.ts',
  'main/vault/system-cipher.ts',
  'preload/index.ts',
  'scripts/draw-icons.mjs',
];

/**
 * The rooms of main, from the ground up. Each imports itself and those below it. `main/service/`, which imports nothing
 * else, and the entry of the application stand beside them.
 */
const rooms = [
  'main/error-code.ts',
  'main/lazy.ts',
  'main/normalize-text.ts',
  'main/json-limits.ts',
  'main/system-words.ts',
  'main/dialogs.ts',
  'main/questions/',
  'main/normalize-text.ts',
  'main/secrets/',
  'main/files/',
  'main/log.ts',
  'main/aside/',
  'main/client/',
  'main/network/',
  'main/vault/',
  'main/config/',
  'main/state/',
  'main/ipc/',
  'main/session/',
  'main/servers/',
  'main/calls/',
  'main/contract-run/',
  'main/double/',
  'main/built-in-server/',
  'main/doubles/',
  'main/lock/',
  'main/updates/',
  'main/storage/',
  'main/settings.ts',
  'main/about.ts',
  'main/notifications.ts',
  // The application, and how it begins and ends.
  'main/application',
  'main/menu-words.ts',
  'main/menu.ts',
  'main/windows/',
  'main/commands/',
  'main/start.ts',
  'main/aside-host.ts',
];

/** Returns how high a file stands; -1 for what is in no room. */
const floorOf = (file: string): number => rooms.findIndex((room) => file.startsWith(room));

const rules: Rule[] = [
  {
    says: 'the contract imports zod and nothing else',
    // A bundle gets the values of `languages.ts` and not its code, which looks into a folder.
    files: (file) => contract.test(file) && file !== 'preload/contract/languages.ts',
    allows: (name) => contract.test(name) || name === 'zod',
  },
  {
    says: 'the preload script imports electron and the names of the contract',
    files: (file) => file === 'preload/index.ts',
    allows: (name) => name === 'electron' || name === 'preload/contract/names.ts',
  },
  {
    says: 'the renderer imports the contract and libraries for screens',
    files: within('renderer/'),
    allows: (name) =>
      isLocal(name)
        ? within('renderer/', 'preload/contract/')(name)
        : !isNode(name) && !['electron', 'axios', 'fastify', 'electron-store'].includes(packageOf(name)),
  },
  {
    says: 'the service imports itself, what normalizes a text, node and its own libraries',
    files: within('main/service/'),
    allows: (name) =>
      isLocal(name)
        ? within('main/service/', 'main/normalize-text.ts', 'main/json-limits.ts')(name)
        : !['electron', 'axios', 'electron-store'].includes(packageOf(name)),
  },
  {
    says: 'the room for secrets imports itself, node and the contract',
    files: within('main/secrets/'),
    allows: (name) =>
      isLocal(name) ? within('main/secrets/', 'main/normalize-text.ts', 'preload/contract/')(name) : isNode(name),
  },
  {
    says: 'the client imports itself, the contract, the other thread, what reads files and errors, the room for secrets, node and axios',
    files: within('main/client/'),
    allows: (name) =>
      isLocal(name)
        ? within(
            'main/client/',
            'main/aside/',
            'main/secrets/',
            'main/files/',
            'main/error-code.ts',
            'main/normalize-text.ts',
            'preload/contract/',
          )(name)
        : !['electron', 'fastify', 'electron-store'].includes(packageOf(name)),
  },
  {
    says: 'the contract run sees raw answers: it imports the transport and what reads answers, never the client of the interface',
    // What the window asks of the contract run is put together from more than that.
    files: (file) => file.startsWith('main/contract-run/') && !file.endsWith('/contract-room.ts'),
    allows: (name) =>
      isLocal(name)
        ? within(
            'main/contract-run/',
            'main/client/',
            'main/calls/',
            'main/aside/',
            'main/secrets/',
            'main/files/',
            'main/error-code.ts',
            'main/json-limits.ts',
            'main/system-words.ts',
            'main/config/way.ts',
            'preload/contract/',
          )(name) && name !== 'main/client/client.ts'
        : isNode(name) || ['simple-statistics', 'zod', 'fast-xml-builder'].includes(name),
  },
  {
    says: 'check imports the contract run, what that uses, and never the service',
    files: (file) => file.startsWith('main/commands/check'),
    allows: (name) =>
      !isLocal(name) ||
      within(
        'main/commands/',
        'main/contract-run/',
        'main/double/',
        'main/client/',
        'main/calls/',
        'main/secrets/',
        'main/files/',
        'main/error-code.ts',
        'preload/contract/',
      )(name),
  },
  {
    says: 'imitate imports what check does, the room for doubles and the service',
    files: (file) => file.startsWith('main/commands/imitate'),
    allows: (name) =>
      !isLocal(name) ||
      within(
        'main/commands/',
        'main/contract-run/',
        'main/double/',
        'main/service/double/',
        'main/files/',
        'main/error-code.ts',
        'preload/contract/',
      )(name),
  },
  {
    says: 'the room for doubles imports what measures, the room for secrets, and of the service only what a model is and how it counts',
    files: within('main/double/'),
    allows: (name) =>
      isLocal(name)
        ? within(
            'main/double/',
            'main/contract-run/',
            'main/client/',
            'main/secrets/',
            'main/service/domain/code-points.ts',
            'main/service/limits.ts',
            'main/service/double/email-codes.ts',
            'main/service/double/allowed-headers.ts',
            'main/service/double/model.ts',
            'main/service/double/oddities.ts',
            'main/service/double/own-choices.ts',
            'main/service/double/refused.ts',
            'main/service/double/read-model.ts',
            'main/service/double/time-patterns.ts',
            'preload/contract/',
          )(name)
        : isNode(name),
  },
  {
    says: 'all other commands import the service, the checks of paths and nothing else of the application',
    files: (file) => file.startsWith('main/commands/') && !within('main/commands/check', 'main/commands/imitate')(file),
    allows: (name) => !isLocal(name) || within('main/commands/', 'main/service/', 'main/files/path-checks.ts')(name),
  },
  {
    says: 'nothing imports the commands but the entry of the application; the window reads what the command line said',
    files: (file) => !within('main/commands/', 'main/index.ts')(file),
    allows: (name, file) =>
      !name.startsWith('main/commands/') || (file === 'main/start.ts' && name === 'main/commands/command-line.ts'),
  },
  {
    says: 'only these files import electron',
    files: () => true,
    allows: (name, file) => name !== 'electron' || within(...electronFiles)(file),
  },
  {
    says: 'main imports nothing of the renderer, and only the contract of the preload',
    files: within('main/'),
    allows: (name) => !isLocal(name) || within('main/', 'preload/contract/')(name),
  },
  {
    says: 'only the composition root, serve and what is for doubles know the service',
    files: (file) =>
      file.startsWith('main/') &&
      !within(
        'main/service/',
        'main/start.ts',
        'main/built-in-server/start-service.ts',
        'main/commands/serve',
        'main/commands/imitate',
        'main/double/',
        'main/doubles/',
      )(file),
    allows: (name) => !name.startsWith('main/service/'),
  },
  {
    says: 'what starts the service knows nothing of the client',
    files: within('main/built-in-server/start-service.ts'),
    allows: (name) => !name.startsWith('main/client/'),
  },
  {
    says: 'a room of main imports itself and the rooms below it',
    files: (file) => floorOf(file) >= 0,
    allows: (name, file) => floorOf(name) <= floorOf(file),
  },
  {
    says: 'scripts import no code of the application',
    files: within('scripts/'),
    allows: (name) => !isLocal(name) || name.startsWith('scripts/'),
  },
  { says: 'nothing imports the tests', files: () => true, allows: (name) => !name.startsWith('test/') },
];

/** They act by the state as main has it, and show nothing of it. */
const actByState = [
  'renderer/api.ts',
  'renderer/place.ts',
  'renderer/screens/account/register/register-screen.tsx',
  'renderer/screens/servers/use-server-actions.ts',
  'renderer/screens/servers/use-server-form.ts',
  'renderer/screens/sessions/ask-again.ts',
];

describe('imports point one way', () => {
  it('knows every file of the window that asks for the state without the mask of the presenter’s view', () => {
    const asking = sources.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('currentAppState'));
    expect(asking.toSorted()).toEqual(actByState);
  });

  it('knows the room of every file of main', () => {
    const beside = within('main/service/', 'main/index.ts');
    const homeless = sources.filter((file) => file.startsWith('main/') && floorOf(file) < 0 && !beside(file));
    expect(homeless).toEqual([]);
  });

  it('finds the sources and what they import', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(importsOf('main/vault/vault.ts')).toContain('main/vault/cipher.ts');
  });

  it('knows every file that opens connections, of which only those of commands and of what runs here ask nobody', () => {
    const opening = sources.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('createTransport('));
    expect(opening.toSorted()).toEqual([
      'main/client/transport.ts',
      'main/commands/check-measure.ts',
      'main/double/prove-double.ts',
      'main/servers/transports.ts',
    ]);
  });

  it.each(rules)('$says', ({ files, allows }) => {
    const checked = sources.filter((file) => files(file));
    expect(checked).not.toEqual([]);
    const wrong = checked.flatMap((file) =>
      importsOf(file)
        .filter((name) => !allows(name, file))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
