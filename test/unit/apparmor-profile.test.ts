import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

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
