import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import path from 'node:path';
import type { AppState } from '../../../preload/contract/models.ts';

/** Of the log, the newest. */
const mostLines = 200;

/**
 * A text for bug reports: versions, states and counts without addresses, accounts or names, and the end of the log, which
 * has no secrets. The user sees it before it is copied.
 */
export async function formatDiagnostics(state: AppState, logFolder: string): Promise<string> {
  const { version, electron, language, settings, servers, sessions, builtIn, vault, files, behaviour } = state;
  const facts: Record<string, string> = {
    Llavero: version,
    Electron: `${electron.version}${electron.thirdParty ? ' (third-party)' : ''}`,
    system: `${process.platform} ${release()} ${process.arch}`,
    language: `${language} (${settings.language})`,
    servers: String(servers.length),
    sessions: String(sessions.length),
    'built-in server': `${builtIn.state}${behaviour.isOn ? ', misbehaving on purpose' : ''}`,
    tokens: JSON.stringify(vault),
    lock: `${state.pin ? 'PIN' : 'no PIN'}, idle ${settings.lockAfterMinutes} min`,
    files: files.length === 0 ? 'as they should be' : JSON.stringify(files),
  };
  const log = await readFile(path.join(logFolder, 'main.log'), 'utf8').catch(() => '');
  const lines = log.trimEnd().split('\n').slice(-mostLines);
  const listed = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  return `${[...listed, '', 'Log:', ...(log === '' ? ['(empty)'] : lines)].join('\n')}\n`;
}
