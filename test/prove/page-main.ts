import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createApplication, type Application } from '../../main/application.ts';
import type { Ports } from '../../main/ports.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { Config, createStoredServer } from '../../main/account/config/config.ts';
import { createConfigStore, type ConfigStore } from '../../main/account/config/config-store.ts';
import { createFileNotices } from '../../main/files/file-notices.ts';
import { openPinFile } from '../../main/account/lock/pin.ts';
import type { ConnectionInput } from '../../preload/contract/connection.ts';
import { ok } from '../../preload/contract/result.ts';
import { noUpdates } from '../support/no-updates.ts';
import { createFakeCipher } from '../support/fake-cipher.ts';
import type { Victim } from './victim.ts';

/** What a person typed. The page of these tests does not know it: it only sees what is typed from now on. */
export const typedPassword = 'correct horse battery staple';

/** The value of an extra header of two servers, which a person typed before the page was taken over. */
export const gateValue = 'what only the gate may know';

/** A person at the dialogs of the system who refuses everything, and what was put to them. */
export function refusingPerson() {
  const asked: string[] = [];
  let open = 0;
  let mostOpen = 0;
  async function refuse(what: string): Promise<undefined> {
    asked.push(what);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    return undefined;
  }
  return {
    asked,
    mostOpen: (): number => mostOpen,
    dialogs: {
      chooseFile: (purpose) => refuse(`file ${purpose}`),
      // Each place is a question of its own.
      confirm: async (question) =>
        (await refuse(question.kind === 'new-origin' ? JSON.stringify(question) : question.kind)) ?? false,
      showEraseFailed: async () => undefined,
      showBadLink: async () => undefined,
      openExternal: async () => ok(null),
    } satisfies Ports['dialogs'],
  };
}

const systemConnection: ConnectionInput = {
  proxy: { mode: 'system' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};

/** The folder and the settings of a person who is logged in. */
export type Profile = { folder: string; store: Record<string, unknown> };

/** The application of a test, without a window, on the files of a profile. */
export async function openPageMain(
  { folder, store }: Profile,
  dialogs: Ports['dialogs'],
  pacProxy: string,
): Promise<{ application: Application; copied: string[] }> {
  const config = createConfigStore(
    { config: Config.parse(store), set: (values) => void Object.assign(store, values) },
    (error) => {
      throw error;
    },
  );
  const copied: string[] = [];
  const ports = await portsWithoutWindow(folder, config, {
    // The system has no proxy; a script is the attacker's.
    resolveProxy: async (_origin, pacUrl) => (pacUrl === undefined ? 'DIRECT' : `PROXY ${pacProxy}`),
    dialogs,
    clipboard: { readText: () => copied.at(-1) ?? '', writeText: (text) => copied.push(text) },
  });
  const application = createApplication(ports);
  await application.parts.builtIn.start();
  return { application, copied };
}

/** What the application is given where it has neither a window nor a built-in server. */
export async function portsWithoutWindow(
  folder: string,
  config: ConfigStore,
  given: Partial<Ports> & Pick<Ports, 'dialogs'>,
): Promise<Ports> {
  const { notices = createFileNotices() } = given;
  return {
    about: { version: '0', electron: { version: '', thirdParty: false } },
    folder,
    config,
    pin: await openPinFile(path.join(folder, 'lock.json'), { memoryKiB: 64, passes: 1 }, notices.add),
    notices,
    secretRegistry: new SecretRegistry(),
    log: { warn: () => undefined, report: () => 'reported' },
    systemLanguage: 'en',
    cipher: { ...createFakeCipher(), close: () => undefined, forget: async () => undefined },
    resolveProxy: async () => 'DIRECT',
    notify: () => undefined,
    clipboard: { readText: () => '', writeText: () => undefined },
    startBuiltIn: async () => ({ ok: false, message: 'not started' }),
    demoEmail: 'demo@example.test',
    onSettings: () => undefined,
    licenceFiles: [],
    bringToFront: () => undefined,
    notifications: { isFocused: () => true, show: () => undefined },
    updates: noUpdates,
    exit: () => undefined,
    ...given,
  };
}

/**
 * Makes a profile in which a person is logged in at two servers and has a logout that the first was not told of. The
 * second is trusted by its certificate alone. The first and a third, where they never logged in, get an extra header.
 */
export async function makeProfileFolder(
  folder: string,
  { shop, bank, gate }: { shop: Victim; bank: Victim; gate: Victim },
  bankPin: string,
): Promise<Profile> {
  await mkdir(folder, { recursive: true });
  const store: Record<string, unknown> = {};
  const profile = { folder, store };
  const agreeing = { ...refusingPerson().dialogs, confirm: async () => true };
  const { application } = await openPageMain(profile, agreeing, '');
  const { config, session, servers } = application.parts;
  config.change({
    servers: [
      ...config.get().servers,
      createStoredServer('shop', 'Shop', shop.baseUrl),
      { ...createStoredServer('bank', 'Bank', bank.baseUrl), pins: [bankPin] },
      { ...createStoredServer('gate', 'Gate', gate.baseUrl), agreed: [new URL(gate.baseUrl).origin] },
    ],
    activeServerId: 'shop',
  });
  const logIn = async (email: string): Promise<void> => {
    const done = await session.logins.login({ email, password: typedPassword });
    if (!done.ok) throw new Error(`Nobody could be logged in: ${done.error.kind}`);
  };
  await logIn('out@example.test');
  const [out] = application.parts.sessionStore.all();
  // The server answers 503 to that.
  await session.logout(out?.id ?? '', true);
  await logIn('ana@example.test');
  for (const [id, { baseUrl }] of Object.entries({ shop, gate })) {
    const details = { name: id, colour: 'gray', notes: '', registrationPath: 'registro', production: false } as const;
    const headers = [{ name: 'X-Gate', value: gateValue }];
    const entered = { ...details, pinned: {}, address: baseUrl, enteredConnection: { ...systemConnection, headers } };
    const saved = await servers.edit({ id, ...entered });
    if (!saved.ok) throw new Error(`No header could be set: ${saved.error.kind}`);
  }
  await servers.choose({ id: 'bank' });
  await logIn('ana@example.test');
  await servers.choose({ id: 'shop' });
  await application.close();
  return profile;
}

/** The same profile once more, to be spoilt. */
export async function copyOf({ folder, store }: Profile, to: string): Promise<Profile> {
  await cp(folder, to, { recursive: true });
  return { folder: to, store: structuredClone(store) };
}
