import type { ConnectionChoices } from '../../../preload/contract/connection.ts';
import type { CallLimits, ResponseMapping, Settings } from '../../../preload/contract/settings.ts';
import { builtInId } from './server-ids.ts';

/** The version of `config.json`, which a file that was written by hand may lack. */
export const configVersion = 1;

const dialect: ResponseMapping = { learned: {}, pinned: {} };
const connection: ConnectionChoices = {
  proxy: { mode: 'system' },
  limits: { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 },
};

/** What a server in `config.json` has besides its id, and besides what is absent by default. */
export const defaultServer = {
  name: '',
  colour: 'gray',
  notes: '',
  registrationPath: 'registro',
  dialect,
  baseUrl: '',
  production: false,
  pins: [],
  connection,
  secrets: [],
  extraHeaders: [],
  agreed: [],
} as const;

const settings: Settings = {
  language: 'system',
  theme: 'system',
  lockAfterMinutes: 0,
  lockOnScreenLock: false,
  lockOnSleep: false,
  clearOnQuit: false,
  callsPerSecond: 5,
  workbench: false,
  welcomed: false,
  notifications: false,
  presenting: false,
  lookForUpdates: true,
};
const callLimits: CallLimits = { count: 500, bytes: 20_000_000 };

/** The content of `config.json` for a new user. */
export const defaultConfig = {
  settings,
  callLimits,
  service: { loginsPerMinute: 5, registrationsPerMinute: 10, tokenDays: 30 },
  servers: [{ id: builtInId, ...defaultServer }],
  activeServerId: builtInId,
  sessions: {},
  currentSessions: {},
  lastEmails: {},
  allowedOrigins: {},
  unfinishedImports: [],
  zoom: 1,
};
