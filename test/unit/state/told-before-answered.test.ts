import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { contract, type MethodName } from '../../../preload/contract/contract.ts';
import type { Method } from '../../../preload/contract/method.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { createRequestHandler } from '../../../main/window/ipc/handle-request.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import type { Main } from '../../support/make-main.ts';
import { anaRegistration, makeSignedIn } from '../../support/signed-in.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const there = { id: 'foreign' };
const shownId = ({ sessionStore }: Main): string => sessionStore.all()[0]!.id;
const entered = { name: 'X', colour: 'red', notes: '', registrationPath: 'registro', production: false, pinned: {} };

type Asked = (main: Main, other: string) => unknown;
/** Each method that changes the state, with what the window asks of it. A first function is what happens before. */
const changing: { [N in MethodName]?: Asked | [before: (main: Main) => unknown, asked: Asked] } = {
  'session.login': [
    ({ session }) => session.addAccount(),
    () => ({ email: anaRegistration.email, password: anaRegistration.password }),
  ],
  'session.register': [
    ({ session }) => session.addAccount(),
    () => ({ ...anaRegistration, email: 'bea@example.test', path: 'registro' }),
  ],
  'session.adoptToken': ({ foreign }: Main & { foreign?: { issued: Iterable<string> } }) => ({
    token: [...(foreign?.issued ?? [])].at(-1),
  }),
  'session.addAccount': () => undefined,
  'sessions.choose': [({ session }) => session.addAccount(), (main) => ({ id: shownId(main) })],
  'sessions.check': [({ servers }) => servers.choose({ id: 'built-in' }), (main) => ({ id: shownId(main) })],
  'sessions.logout': (main) => ({ id: shownId(main), tellServer: true }),
  'sessions.logoutEverywhere': () => undefined,
  'sessions.forget': (main) => ({ id: shownId(main) }),
  'sessions.logInAgain': () => ({
    serverId: 'foreign',
    email: anaRegistration.email,
    password: anaRegistration.password,
  }),
  'servers.chooseAddress': (_main, other) => ({ address: `${other}/` }),
  'servers.choose': () => ({ id: 'built-in' }),
  'servers.create': (_main, other) => ({ ...entered, address: other }),
  'servers.edit': ({ foreign }: Main & { foreign?: { baseUrl: string } }) => ({
    ...entered,
    ...there,
    address: foreign?.baseUrl,
  }),
  'servers.duplicate': () => there,
  'servers.move': () => ({ ...there, by: -1 }),
  'servers.allowOrigins': () => ({ id: 'built-in', origins: ['http://localhost:5173'] }),
  'servers.remove': () => there,
  'servers.importFile': [
    async ({ servers }) => {
      await servers.exportFile();
      await servers.remove(there);
    },
    () => ({ again: false }),
  ],
  'lock.now': () => undefined,
  'lock.unlock': [({ lock }) => lock.lock('by-hand'), () => ({})],
  'lock.resetForgottenPin': [
    async ({ lock }) => {
      await lock.setPin('1234', undefined);
      lock.lock('by-hand');
    },
    () => undefined,
  ],
  'lock.setPin': () => ({ pin: '1234' }),
  'lock.removePin': [({ lock }) => lock.setPin('1234', undefined), () => ({ current: '1234' })],
  'builtIn.setBehaviour': () => ({ defects: ['stack-traces'] }),
  'builtIn.moveClock': () => ({ to: 'hour' }),
  'demo.start': () => undefined,
  'demo.reset': () => undefined,
  'demo.logInAs': [({ builtIn }) => builtIn.reset({ set: 'three', seed: 1 }), () => ({ id: 1 })],
  'settings.change': () => ({ theme: 'dark' }),
};

/**
 * These need a whole run, a feed, a certificate, a keyring that is away or a server with more calls, or change nothing of
 * what is shown.
 */
const elsewhere: ReadonlySet<MethodName> = new Set([
  'app.showQuestion',
  'session.cancel',
  'session.sendCode',
  'session.requestCode',
  'session.cancelCode',
  'session.forgotPassword',
  'session.resendConfirmation',
  'sessions.deleteAccount',
  'sessions.revoke',
  'servers.confirmProduction',
  'servers.trust',
  'servers.distrust',
  'servers.exportFile',
  'calls.saveText',
  'calls.cancelReplay',
  'interfaces.saveImportDraft',
  'interfaces.discardImportDraft',
  'vault.retry',
  'builtIn.start',
  'builtIn.setAccountCalls',
  'demo.startWithCode',
  'mocks.cancel',
  'mocks.compare',
  'mocks.start',
  'mocks.stop',
  'mocks.moveClock',
  'mocks.setBehaviour',
  'updates.check',
  'updates.download',
  'updates.cancel',
  'updates.install',
]);

async function start() {
  const folder = await makeTemporaryFolder();
  const started = await startExtendedService({
    database: { file: path.join(folder, 'service.sqlite') },
    port: 0,
    argon2: { memoryKiB: 8, passes: 1, lanes: 1 },
    faultInjection: { keepRequests: 100 },
    clock: true,
    clients: 'watched',
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  const file = path.join(folder, 'servers.json');
  let time = Date.parse('2026-11-21T10:00:00Z');
  const now = () => new Date((time += 1000));
  const main = await makeSignedIn({ service: started.service, file, ports: { now } });
  return { main, other: (await startForeignServer()).baseUrl };
}

it.each(Object.entries(changing))('the new state is told before the answer of %s', async (name, how) => {
  const { main, other } = await start();
  const [before, asked] = Array.isArray(how) ? how : [() => undefined, how];
  await before(main);
  await nextTurn();
  main.told.length = 0;
  const report = (error: unknown): never => {
    throw error;
  };
  const answerOf = createRequestHandler({ handlers: main.handlers, report, isLocked: main.state.isLocked });
  const result = await answerOf(name, asked(main, other));
  // Nothing is waited for here: this is what the window has been told when the answer leaves.
  expect(main.told.at(-1)).toEqual(main.state.shown());
  expect(result).toMatchObject({ ok: true });
});

it('every method that answers nothing is looked at for that, or is named with those that change no state here', () => {
  const groups: Record<string, Record<string, Method>> = contract;
  const silent = Object.entries(groups).flatMap(([group, methods]) =>
    Object.entries(methods).flatMap(([name, { hasOutput }]) => (hasOutput ? [] : [`${group}.${name}`])),
  );
  const known = new Set<string>([...Object.keys(changing), ...elsewhere]);
  expect(silent.filter((name) => !known.has(name))).toEqual([]);
});
