import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '../../../main/commands/check-options.ts';
import { imitateOptions } from '../../../main/commands/imitate-options.ts';
import { serveOptions } from '../../../main/commands/serve-options.ts';

const root = path.resolve(import.meta.dirname, '../../..');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'llavero-completions-'));
  execFileSync(process.execPath, [path.join(root, 'main/commands/write-completions.ts'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers for the last of some words. */
function offered(...words: string[]): string[] {
  const script = `source "$0/bash-completion/completions/llavero"
COMP_WORDS=(llavero "$@"); COMP_CWORD=$#
_llavero
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status } = spawnSync('bash', ['-c', script, folder, ...words], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.split('\n').filter(Boolean);
}

describe('completions of shells', () => {
  it('offer the commands, all options of each, and the values that can be listed', () => {
    expect(offered('')).toEqual(['check', 'imitate', 'serve']);
    for (const [command, options] of Object.entries({
      check: checkOptions,
      imitate: imitateOptions,
      serve: serveOptions,
    }))
      expect(offered(command, '--').toSorted()).toEqual(
        Object.keys(options)
          .map((name) => `--${name}`)
          .toSorted(),
      );
    expect(offered('check', '--variant', 're')).toEqual(['registro', 'register']);
    expect(offered('check', 'https://shop.example.test', '--lang', '')).toEqual(['en', 'es']);
    expect(offered('serve', '--rate-limit', 'of')).toEqual(['off']);
  });

  it('name the same options for zsh and fish', () => {
    const zsh = readFileSync(path.join(folder, 'zsh/vendor-completions/_llavero'), 'utf8');
    const fish = readFileSync(path.join(folder, 'fish/vendor_completions.d/llavero.fish'), 'utf8');
    for (const name of [checkOptions, imitateOptions, serveOptions].flatMap((each) => Object.keys(each))) {
      expect(zsh).toContain(`--${name}`);
      expect(fish).toContain(`-l ${name}`);
    }
  });
});

describe('the AppArmor profile', () => {
  it('says what that of electron-builder says, for our path', () => {
    const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    const template = readFileSync(
      path.join(root, 'node_modules/app-builder-lib/templates/linux/apparmor-profile.tpl'),
      'utf8',
    )
      .replace(/ *# Site-specific.*\n/, '')
      .replaceAll('"', '')
      .replaceAll('/opt/${sanitizedProductName}/${executable}', '/usr/lib/llavero/llavero-bin')
      .replaceAll('${executable}', 'llavero');
    expect(lines(readFileSync(path.join(root, 'build/linux/apparmor-profile'), 'utf8'))).toEqual(lines(template));
  });
});
