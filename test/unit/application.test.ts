import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createRequestHandler } from '../../main/window/ipc/handle-request.ts';
import { contract } from '../../preload/contract/contract.ts';
import { startForeignServer } from '../support/foreign-server.ts';
import { makeMain } from '../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };

describe('the application', () => {
  it('has a handler for every method of the contract', async () => {
    const { handlers } = await makeMain({});
    expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(contract).toSorted());
    for (const [group, methods] of Object.entries(contract))
      for (const name of Object.keys(methods))
        expect([`${group}.${name}`, handlers[group as keyof typeof handlers]]).toEqual([
          `${group}.${name}`,
          expect.objectContaining({ [name]: expect.any(Function) }),
        ]);
  });

  it('calls no method that the contract does not have', async () => {
    const { handlers, mockServers } = await makeMain({});
    const ensureRunning = vi.spyOn(mockServers, 'ensureRunning');
    const handle = createRequestHandler({ handlers, report: () => 'id', isLocked: () => false });
    expect(await handle('mocks.ensureRunning', 'built-in')).toEqual({ ok: false, error: { kind: 'bug', id: 'id' } });
    expect(ensureRunning).not.toHaveBeenCalled();
  });

  it('tells the window one state for changes that belong together, and none for a change of nothing', async () => {
    const foreign = await startForeignServer();
    const other = await startForeignServer();
    const { servers, session, shown, config, state } = await makeMain({ foreign, other });
    await session.logins.register({ ...ana, path: 'registro' });
    await nextTurn();
    shown.length = 0;
    await servers.choose({ id: 'other' });
    await nextTurn();
    // No state shows the one server with the other's profile.
    expect(shown.map(({ activeServerId, session: { step } }) => [activeServerId, step])).toEqual([
      ['other', 'signed-out'],
    ]);
    const before = state.get();
    config.change({ lastEmails: { nobody: 'bea@example.test' } });
    await nextTurn();
    expect(state.get()).toBe(before);
    expect(shown).toHaveLength(1);
  });
});

describe('settings', () => {
  it('in front of a locked window change language and theme, and nothing else', async () => {
    const { handlers, lock, config, told } = await makeMain({});
    lock.lock('by-hand');
    expect(await handlers.settings.change({ language: 'es', theme: 'dark' })).toEqual({ ok: true, value: null });
    expect(told.at(-1)).toMatchObject({ locked: true, language: 'es', settings: { theme: 'dark' } });
    const refused = { ok: false, error: { kind: 'locked' } };
    expect(await handlers.settings.change({ lockAfterMinutes: 0 })).toEqual(refused);
    expect(await handlers.settings.change({ theme: 'light', clearOnQuit: true })).toEqual(refused);
    expect(config.get().settings).toMatchObject({ language: 'es', theme: 'dark', clearOnQuit: false });
  });

  it('that change tell the menu and the theme once they hold', async () => {
    const seen: string[] = [];
    const main = await makeMain({}, { ports: { onSettings: () => void seen.push(main.state.get().language) } });
    await main.handlers.settings.change({ language: 'es' });
    await main.handlers.settings.change({ language: undefined });
    expect(seen).toEqual(['es', 'es']);
  });
});

describe('erasing everything', () => {
  it('ends with an empty folder, without a session, and with the code 0', async () => {
    const foreign = await startForeignServer();
    const codes: number[] = [];
    const main = await makeMain({ foreign }, { ports: { exit: (code) => void codes.push(code) } });
    await main.session.logins.register({ ...ana, path: 'registro' });
    await nextTurn();
    await writeFile(path.join(main.folder, 'config.json'), '{}');
    expect(await readdir(main.folder)).toContain('vault.json');
    await main.handlers.storage.eraseEverything();
    expect(codes).toEqual([0]);
    expect(await readdir(main.folder)).toEqual([]);
    expect(main.sessionStore.all()).toEqual([]);
  });

  it.each([
    ['the person says no', false, false],
    ['the application was locked behind the dialog', true, true],
  ])('erases nothing when %s', async (_case, agrees, locks) => {
    const foreign = await startForeignServer();
    const main = await makeMain(
      { foreign },
      {
        ports: {
          dialogs: {
            chooseFile: async () => undefined,
            async confirm({ kind }) {
              if (kind !== 'erase') return true;
              if (locks) main.lock.lock('idle');
              return agrees;
            },
            showEraseFailed: () => expect.unreachable(),
            showBadLink: () => expect.unreachable(),
            openExternal: () => expect.unreachable(),
          },
          exit: () => expect.unreachable(),
        },
      },
    );
    await main.session.logins.register({ ...ana, path: 'registro' });
    expect(await main.handlers.storage.eraseEverything()).toEqual({ ok: true, value: { erased: false } });
    expect(main.sessionStore.all()).toHaveLength(1);
    expect(await readdir(main.folder)).toContain('vault.json');
  });
});
