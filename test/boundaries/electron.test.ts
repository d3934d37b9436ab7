import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx,html}'], { cwd: root });

/** These open a hole in an Electron application. The place, if any, is the only one that has to name it. */
const holes: [what: string, pattern: RegExp, argued?: string][] = [
  ['links outside', /\bopenExternal\b|\bshell\.open|[{,]\s*shell\s*[,}]/, 'main/windows/outside-links.ts'],
  ['HTML as text', /dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\b|insertAdjacentHTML|document\.write/],
  ['scripts from main into the page', /executeJavaScript|insertCSS|executeInMainWorld/],
  [
    'weak windows',
    /nodeIntegration\w*: true|sandbox: false|contextIsolation: false|webSecurity: false|webviewTag: true/,
  ],
  ['weak content', /allowRunningInsecureContent: true|experimentalFeatures: true|enableBlinkFeatures|allowpopups/i],
  ['weak policies', /unsafe-inline|unsafe-eval|unsafe-hashes|bypassCSP/],
  ['forgiven certificates of the page', /setCertificateVerifyProc|'certificate-error'|ignore-certificate-errors=/],
  ['privileges of a scheme', /bypassCSP|supportFetchAPI|corsEnabled|allowServiceWorkers|registerFileProtocol/],
  ['pages by file', /loadFile\(|file:\/\//, 'main/windows/app-protocol.ts'],
  ['all of ipcRenderer', /exposeInMainWorld\([^)]*ipcRenderer/],
  ['synchronous calls', /sendSync|ipcMain\.on\(/],
];

// This is the static scan beside the linter's rules. What electronegativity finds is in static-scan.test.ts.
describe('the sources of the application', () => {
  it.each(holes)('have no %s', (_what, pattern, argued) => {
    const found = sources.filter(
      (file) => file !== argued && pattern.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});

it('Windows knows the application by the name of its installed shortcut', () => {
  const [, installed] = /^appId: (.+)$/m.exec(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) ?? [];
  expect(installed).toBeDefined();
  expect(readFileSync(path.join(root, 'main/index.ts'), 'utf8')).toContain(`setAppUserModelId('${installed}')`);
});
