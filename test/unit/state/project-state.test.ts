import { describe, expect, it } from 'vitest';
import { Config, createStoredServer } from '../../../main/account/config/config.ts';
import { projectState, type ProjectionInput } from '../../../main/account/state/project-state.ts';

const staging = createStoredServer('staging', 'Staging', 'https://staging.example.test');

const project = (config: Partial<Config>, known: Partial<ProjectionInput> = {}) =>
  projectState({
    about: { version: '1', electron: { version: '2', thirdParty: false } },
    systemLanguage: 'es',
    config: { ...Config.parse({}), ...config },
    sessions: [],
    files: [],
    builtIn: { state: 'starting' },
    behaviour: { isOn: false, dialect: null, defects: [], faults: [], left: [], seed: 1 },
    clockAheadMs: 0,
    vault: { state: 'asking' },
    mockServers: new Map(),
    lastCalls: new Map(),
    mockCreation: undefined,
    updates: { state: 'off', why: 'not-configured' },
    pin: false,
    screenReader: false,
    session: { step: 'signed-out' },
    pendingLogin: undefined,
    asking: false,
    ...known,
  });

describe('what the window shows', () => {
  it('has the address of the built-in server while that runs, whatever is stored of it', () => {
    const baseUrlOf = (known: Partial<ProjectionInput>) =>
      project({}, known).servers.map(({ id, baseUrl }) => [id, baseUrl]);
    expect(baseUrlOf({})).toEqual([['built-in', '']]);
    expect(baseUrlOf({ builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:4848' } })).toEqual([
      ['built-in', 'http://127.0.0.1:4848'],
    ]);
    expect(baseUrlOf({ builtIn: { state: 'failed', message: 'no port' } })).toEqual([['built-in', '']]);
  });

  it('has the server that was chosen last as the active one, else the built-in server', () => {
    const servers = [...Config.parse({}).servers, staging];
    expect(project({ servers, activeServerId: 'staging' }).activeServerId).toBe('staging');
    expect(project({ servers, activeServerId: 'gone' }).activeServerId).toBe('built-in');
  });

  it('has no approved origin, and no path that an earlier build stored', () => {
    const stored = { ...staging, agreed: ['https://approved.test'], file: { path: '/home/ana/servers.json' } };
    expect(JSON.stringify(project({ servers: [stored] }))).not.toMatch(/approved|home/);
  });

  it('is in the language of the settings, else in that of the system', () => {
    const { settings } = Config.parse({});
    expect(project({}).language).toBe('es');
    expect(project({ settings: { ...settings, language: 'en' } }).language).toBe('en');
  });
});
