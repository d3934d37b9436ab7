import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { describeWhere } from '../support/describe-where.ts';
import { z } from 'zod';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const scanner = path.join(root, 'test/static-scan');
const run = promisify(execFile);

/** Installs the scanner, or says why it cannot. It has packages of its own, since it needs TypeScript 4. */
async function install(): Promise<string | undefined> {
  if (existsSync(path.join(scanner, 'node_modules/.package-lock.json'))) return undefined;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', scanner];
  return run('npm', args).then(
    () => undefined,
    (error: unknown) => `its packages cannot be installed: ${String(error)}`,
  );
}
const missing = await install();

const Found = z.object({
  errors: z.array(z.unknown()),
  issues: z.array(z.object({ id: z.string(), file: z.string() })),
});

async function scan(folder: string): Promise<{ errors: unknown[]; issues: string[] }> {
  const { stdout } = await run(process.execPath, [path.join(scanner, 'scan.cjs'), folder]);
  const { errors, issues } = Found.parse(JSON.parse(stdout));
  return { errors, issues: issues.map(({ id, file }) => `${id} ${file}`).toSorted() };
}

/** What the scanner finds in our sources, and why it stays. */
const argued: Record<string, string> = {
  'CSP_GLOBAL_CHECK N/A': 'The policy is a header of main/window/app-protocol.ts, and no meta element of the page.',
  'ELECTRON_VERSION_JSON_CHECK package.json': 'It only names the version.',
  'AUXCLICK_JS_CHECK main/window/main-window.ts': 'No window is opened, by whichever button: taken-over.test.ts.',
  'OPEN_EXTERNAL_JS_CHECK main/window/open-external.ts':
    'The one way out: the address of the active server, after a dialog of the system: links.test.ts.',
  'PROTOCOL_HANDLER_JS_CHECK main/window/app-protocol.ts':
    'The pages of the application: files of its own build and nothing else, and each answer has the policy.',
  'PROTOCOL_HANDLER_JS_CHECK main/window/link-queue.ts':
    'A link holds the name of a server and nothing else, and main asks before it switches: server-link.test.ts.',
  'PRELOAD_JS_CHECK main/window/main-window.ts': 'It asks for a look at the preload script, which is a list of calls.',
};

// What else opens a hole is refused by the linter (no-restricted-properties, no-restricted-imports).
describeWhere(missing, 'electronegativity', () => {
  it('reads every source, and finds what is argued and no more', { timeout: 120_000 }, async () => {
    const folder = await makeTemporaryFolder();
    for (const name of ['main', 'preload', 'renderer', 'package.json'])
      await cp(path.join(root, name), path.join(folder, name), { recursive: true });
    expect(await scan(folder)).toEqual({ errors: [], issues: Object.keys(argued).toSorted() });
  });

  it('would find a window with holes', { timeout: 120_000 }, async () => {
    const folder = await makeTemporaryFolder();
    await mkdir(path.join(folder, 'main'));
    await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
    const window = 'new BrowserWindow({ webPreferences: { contextIsolation: false, sandbox: false } })';
    await writeFile(path.join(folder, 'main/window.ts'), `import { BrowserWindow } from 'electron';\n${window};\n`);
    const { issues } = await scan(folder);
    expect(issues).toEqual(
      expect.arrayContaining(['SANDBOX_JS_CHECK main/window.ts', 'CONTEXT_ISOLATION_JS_CHECK main/window.ts']),
    );
  });
});

it('Windows knows the application by the name of its installed shortcut', () => {
  const [, installed] = /^appId: (.+)$/m.exec(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) ?? [];
  expect(installed).toBeDefined();
  expect(readFileSync(path.join(root, 'main/index.ts'), 'utf8')).toContain(`setAppUserModelId('${installed}')`);
});
