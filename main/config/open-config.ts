import ElectronStore from 'electron-store';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { setAside } from '../files/set-aside.ts';
import { createConfig, type ConfigStore } from './config.ts';

/**
 * Opens `config.json` in the user-data folder. One that is no JSON object is set aside first: electron-store would
 * otherwise refuse to start on it.
 */
export async function openConfig(
  folder: string,
  onFailure: (error: unknown) => void,
): Promise<{ config: ConfigStore; brokenFile?: string }> {
  const file = path.join(folder, 'config.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const brokenFile = text !== undefined && !isJsonObject(text) ? await setAside(file) : undefined;
  const store = new ElectronStore<Record<string, unknown>>({ cwd: folder, name: 'config' });
  const config = createConfig(store, onFailure);
  return brokenFile === undefined ? { config } : { config, brokenFile };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
