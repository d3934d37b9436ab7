import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readStartupAppearance } from '../../../main/window/startup-appearance.ts';

function look(config: unknown, others: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'llavero-look-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  for (const [name, content] of Object.entries({ 'config.json': text, ...others }))
    writeFileSync(path.join(folder, name), content);
  return readStartupAppearance(folder);
}

const window = { x: 1, y: 2, width: 800, height: 600, maximized: true };
const whole = { settings: { theme: 'dark', presenting: true }, zoom: 1.5, window };
const found = { theme: 'dark', zoom: 1.5, settings: { presenting: true }, bounds: window };

it('takes the theme, the size and the place', () => {
  expect(look(whole)).toEqual(found);
});

it('takes the last good copy where the file is not whole', () => {
  expect(look('{', { 'config.json.last-good': JSON.stringify(whole) })).toEqual(found);
});

it.each([
  ['no JSON', '{"version":2,'],
  ['a list', '[]'],
  ['wrong values', { settings: { theme: 'pink' }, zoom: 99, window: { ...window, width: 'wide' } }],
])('opens as at a first start where there is %s', (_what, config) => {
  expect(look(config)).toEqual({ theme: 'system', zoom: 1, settings: { presenting: false }, bounds: undefined });
});
