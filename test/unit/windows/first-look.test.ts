import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { firstLook } from '../../../main/windows/first-look.ts';

function look(config: unknown, others: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'llavero-look-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  for (const [name, content] of Object.entries({ 'config.json': text, ...others }))
    writeFileSync(path.join(folder, name), content);
  return firstLook(folder);
}

const welcomed = { version: 2, settings: { welcomed: true } };
const acme = { id: 'acme', name: 'Acme', baseUrl: 'https://acme.example.test', colour: 'teal' };
const atAcme = {
  ...welcomed,
  environments: [acme],
  activeEnvironmentId: 'acme',
  lastEmails: { acme: 'ana@example.test' },
};

describe('the first look at the profile', () => {
  it('finds the server of the log-in form and the email that was last used there', () => {
    expect(look(welcomed).server).toEqual({ builtIn: true, name: '', baseUrl: '', colour: 'gray', email: '' });
    expect(look(atAcme).server).toEqual({
      builtIn: false,
      name: 'Acme',
      baseUrl: 'https://acme.example.test',
      colour: 'teal',
      email: 'ana@example.test',
    });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"version":2,'],
    ['a list', '[]'],
    ['an earlier version', { ...welcomed, version: 1 }],
    ['a newer version', { ...welcomed, version: 3 }],
    ['a first start', { version: 2, settings: { welcomed: false } }],
    ['the Workbench', { version: 2, settings: { welcomed: true, workbench: true } }],
    ['a window that is shown to others', { version: 2, settings: { welcomed: true, presenting: true } }],
    ['sessions that end with the application', { version: 2, settings: { welcomed: true, clearOnQuit: true } }],
    ['a session', { ...welcomed, sessions: { one: {} } }],
    ['a production server', { ...atAcme, environments: [{ ...acme, production: true }] }],
    ['a server with a trusted certificate', { ...atAcme, environments: [{ ...acme, pins: ['x'] }] }],
    ['a server without encryption', { ...atAcme, environments: [{ ...acme, baseUrl: 'http://acme.example.test' }] }],
  ])('finds no form where there is %s', (_what, config) => {
    expect(look(config).server).toBeUndefined();
  });

  it('finds no form where there is a PIN, also when only its copy is left', () => {
    expect(look(welcomed, { 'lock.json': '{}' }).server).toBeUndefined();
    expect(look(welcomed, { 'lock.json.last-good': '{}' }).server).toBeUndefined();
  });

  it('takes the theme, the size and the place where they are whole, and the last good copy where the file is not', () => {
    const window = { x: 1, y: 2, width: 800, height: 600, maximized: true };
    const whole = { settings: { theme: 'dark', language: 'es', presenting: true }, zoom: 1.5, window };
    const found = { theme: 'dark', language: 'es', zoom: 1.5, settings: { presenting: true }, place: window };
    expect(look(whole)).toMatchObject(found);
    expect(look('{', { 'config.json.last-good': JSON.stringify(whole) })).toMatchObject(found);
    const broken = { settings: { theme: 'pink', language: 1 }, zoom: 99, window: { ...window, width: 'wide' } };
    expect(look(broken)).toMatchObject({ theme: 'system', language: 'system', zoom: 1, place: undefined });
  });
});
