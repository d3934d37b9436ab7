import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}', 'scripts/**/*.mjs'], {
  cwd: root,
});

/** Lists every module that a file names in any import or export, types included, relative ones as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const names = [...text.matchAll(/(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].map(([, name]) => name!);
  return names.map((name) => (name.startsWith('.') ? path.join(path.dirname(file), name) : name));
}

const imports = new Map(sources.map((file) => [file, importsOf(file)]));

/** What the service and the secrets take of `main/files/`: functions of a text, and nothing that opens a file. */
const textRules = ['main/files/normalize-text.ts', 'main/files/json-limits.ts'];

/** The definition of a mock server, and its limits. */
const models = [
  'allowed-headers',
  'email-encoders',
  'mock-definition',
  'input-violations',
  'own-lengths',
  'load-mock-file',
  'rejected-violations',
  'time-patterns',
].map((name) => `main/service/mock/${name}.ts`);

/**
 * The districts, and whom each imports beside itself and `preload/contract/`, which all share; a part with rules of its
 * own comes before its district. What puts the application together (`main/index.ts`, `main/start.ts`,
 * `main/initial-state.ts`, `main/open-application.ts`, `main/application.ts`, `main/worker.ts`) imports all of them.
 */
const districts: Record<string, readonly string[]> = {
  'preload/contract/': [],
  'preload/': [],
  'renderer/': [],
  'scripts/': [],
  'main/files/': [],
  'main/interface/': ['main/files/json-limits.ts'],
  'main/client/secrets/': textRules,
  'main/client/': ['main/interface/', 'main/files/'],
  'main/servers-file/': ['main/client/', 'main/interface/', 'main/files/'],
  'main/service/': ['main/interface/', ...textRules],
  'main/check/mock-generator/': [
    'main/check/',
    'main/client/',
    'main/interface/',
    'main/service/domain/code-point-count.ts',
    'main/service/limits.ts',
    ...models,
  ],
  'main/check/': ['main/client/', 'main/interface/', 'main/files/'],
  'main/account/': ['main/servers-file/', 'main/client/', 'main/interface/', 'main/files/'],
  // It starts the service and knows nothing of the client.
  'main/tools/local-servers/start-service.ts': [
    'main/tools/local-servers/',
    'main/account/',
    'main/service/',
    'main/files/',
  ],
  'main/tools/local-servers/': [
    'main/tools/',
    'main/account/',
    'main/check/',
    'main/client/',
    'main/service/',
    'main/files/',
  ],
  // A command may try a description, too: it knows nothing of the window or of what the application holds.
  'main/tools/trial/': ['main/check/test-accounts.ts', 'main/client/', 'main/interface/'],
  'main/tools/': ['main/account/', 'main/check/', 'main/client/', 'main/interface/', 'main/files/'],
  'main/window/': ['main/account/', 'main/client/', 'main/files/'],
  // The files of the command `check` are called after it, and those that it shares with no other stand beside it.
  ...Object.fromEntries(
    [
      'check',
      'run-check.ts',
      'perform-check.ts',
      'summarize-check.ts',
      'find-server.ts',
      'interface-arguments.ts',
      'load-interface.ts',
      'resolve-server.ts',
      'run-arguments.ts',
      'servers-file-arguments.ts',
    ].map((file) => [
      `main/commands/${file}`,
      ['main/commands/', 'main/check/', 'main/servers-file/', 'main/client/', 'main/interface/', 'main/files/'],
    ]),
  ),
  // What imports files and texts keeps nothing, and is the same for the window and for the commands.
  'main/commands/read-interface.ts': ['main/commands/', 'main/tools/import/', 'main/interface/', 'main/files/'],
  'main/commands/run-mock.ts': ['main/commands/', 'main/check/', 'main/service/mock/'],
  'main/commands/': ['main/service/', 'main/interface/', 'main/files/path-checks.ts', 'main/files/web-origin.ts'],
};

/** These files may know Electron. All else runs under plain Node. */
const electronFiles = [
  'main/index.ts',
  'main/start.ts',
  'main/open-application.ts',
  'main/window/',
  'main/account/vault/safe-storage-cipher.ts',
  'main/account/vault/system-cipher.ts',
  'preload/index.ts',
];

/** Libraries that a district takes, or never takes. Where neither is said, it takes any but `electron`. */
const libraries: Record<string, { only?: readonly string[]; never?: readonly string[] }> = {
  'preload/contract/': { only: ['zod', 'i18next'] },
  'preload/': { only: ['electron'] },
  'renderer/': { never: ['axios', 'fastify'] },
  'main/service/': { never: ['axios'] },
  'main/client/': { never: ['fastify'] },
  'main/client/secrets/': { only: [] },
  'main/check/mock-generator/': { only: [] },
  'main/check/': {
    only: [
      'fast-xml-builder',
      'hast',
      'hast-util-to-html',
      'ipaddr.js',
      'mdast',
      'mdast-util-gfm',
      'mdast-util-to-markdown',
      'simple-statistics',
      'zod',
    ],
  },
};

const isNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);
const isLocal = (name: string): boolean => /^(?:main|preload|renderer|scripts|test)\//.test(name);
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
const districtOf = (file: string): string | undefined =>
  Object.keys(districts).find((district) => file.startsWith(district));

/** Lists the imports that a rule forbids, as sentences. */
const breaking = (forbids: (file: string, imported: string) => boolean): string[] =>
  [...imports].flatMap(([file, names]) =>
    names.filter((name) => forbids(file, name)).map((name) => `${file} imports ${name}`),
  );

function allowsLocal(file: string, name: string): boolean {
  const district = districtOf(file);
  if (district === undefined) return !name.startsWith('renderer/') && !name.startsWith('test/');
  // The preload script is bundled with the names alone, without zod.
  if (file === 'preload/index.ts') return name === 'preload/contract/channels.ts';
  return [district, 'preload/contract/', ...districts[district]!].some((allowed) => name.startsWith(allowed))
    ? district !== 'scripts/' || name.startsWith('scripts/')
    : false;
}

function allowsLibrary(file: string, name: string): boolean {
  const district = districtOf(file) ?? '';
  // A bundle gets what this file read and not its code, which looks into a folder.
  if (isNode(name))
    return !['preload/contract/', 'renderer/'].includes(district) || file === 'preload/contract/locales/files.ts';
  const { only, never = [] } = libraries[district] ?? {};
  return only ? only.includes(packageOf(name)) : !never.includes(packageOf(name));
}

/** They act by the state as main has it, and show nothing of it. */
const actByState = [
  'renderer/api.ts',
  'renderer/route.ts',
  'renderer/screens/account/profile/own-account.tsx',
  'renderer/screens/account/register/register-screen.tsx',
  'renderer/screens/servers/use-server-form.ts',
  'renderer/screens/sessions/log-in-again-dialog.tsx',
  'renderer/screens/sessions/reauthenticate.ts',
  'renderer/shell/commands.ts',
  'renderer/use-account-form.tsx',
];

describe('imports', () => {
  it('point down only: a district imports itself, the shared types and the districts that it names', () => {
    expect(sources.length).toBeGreaterThan(600);
    expect(imports.get('main/account/vault/vault.ts')).toContain('main/account/vault/cipher.ts');
    expect(breaking((file, name) => isLocal(name) && !allowsLocal(file, name))).toEqual([]);
  });

  it('of electron stand in the window and in the ciphers of the vault alone, and each district keeps to its libraries', () => {
    const isElectronFile = (file: string): boolean => electronFiles.some((each) => file.startsWith(each));
    expect(breaking((file, name) => name === 'electron' && !isElectronFile(file))).toEqual([]);
    const wrong = breaking((file, name) => !isLocal(name) && name !== 'electron' && !allowsLibrary(file, name));
    expect(wrong).toEqual([]);
  });

  it('keep fault injection outside of the service, and the commands outside of the window', () => {
    const isAround = (file: string): boolean =>
      /^main\/(?:service\/fault-injection|tools|commands)\//.test(file) || districtOf(file) === undefined;
    expect(breaking((file, name) => name.startsWith('main/service/fault-injection/') && !isAround(file))).toEqual([]);
    const isEntry = (file: string): boolean => file === 'main/index.ts' || file.startsWith('main/commands/');
    const isCommandLine = (file: string, name: string): boolean =>
      ['main/start.ts', 'main/open-application.ts'].includes(file) && name === 'main/commands/command-line.ts';
    const wrong = breaking(
      (file, name) => name.startsWith('main/commands/') && !isEntry(file) && !isCommandLine(file, name),
    );
    expect(wrong).toEqual([]);
  });

  it('of a measurement never reach the client of the interface, which would read answers for it', () => {
    const measures = (file: string): boolean => /^main\/(?:check|commands\/check)/.test(file);
    expect(breaking((file, name) => measures(file) && name === 'main/client/client.ts')).toEqual([]);
  });
});

describe('sources', () => {
  it('ask in few places for the state without the mask of the presenter’s view', () => {
    const asking = sources.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('currentAppState'));
    expect(asking.toSorted()).toEqual(actByState);
  });

  it('open connections in few places, of which only those of commands and of what runs here ask nobody', () => {
    const opening = sources.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('createTransport('));
    expect(opening.toSorted()).toEqual([
      'main/account/servers/transports.ts',
      'main/check/mock-generator/verify-mock.ts',
      'main/client/transport.ts',
      'main/commands/perform-check.ts',
    ]);
  });
});
