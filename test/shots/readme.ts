import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startServer, type AnyServer, type RunningServer } from '../servers/start-server.ts';
import { addServer, withShotWindow } from './real-window.ts';

const build = path.resolve(import.meta.dirname, '../../build');
const shipped = path.resolve(import.meta.dirname, '../../main/interface/shipped');
const runCommand = path.resolve(import.meta.dirname, '../../scripts/run-command.mjs');
const example = path.resolve(import.meta.dirname, '../../main/check/example-report.md');
/** Narrow and doubled in size, so that three of them beside each other can be read. */
const shape = { width: 560, height: 640, scale: 1.5 };

const ana = { name: 'Ana Ferrer', email: 'ana.ferrer@example.com', password: 'correct horse battery' };

/** The first minute of a presenter. */
async function demo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the demo', exact: true }).click();
  await page.getByRole('region', { name: 'DEMO' }).waitFor();
}

/** The account of a person at better-auth, which speaks another interface. */
async function profile(page: Page, { origin }: RunningServer): Promise<void> {
  const text = await readFile(path.join(shipped, 'better-auth-bearer.json'), 'utf8');
  const id = await addServer(page, { name: 'Book club', address: origin, colour: 'teal', interface: text });
  await page.evaluate((each) => window.api.servers.choose({ id: each }), id);
  await page.evaluate(() => window.api.settings.change({ welcomed: true }));
  await register(origin, await drawPerson(page));
  await page.getByLabel('Email', { exact: true }).fill(ana.email);
  await page.getByLabel('Password', { exact: true }).fill(ana.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Check again' }).waitFor();
}

async function register(origin: string, image: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Origin: origin };
  const body = JSON.stringify({ ...ana, image });
  const answer = await fetch(`${origin}/api/auth/sign-up/email`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Draws the picture that the person has on their account, and which is nobody's face. */
const drawPerson = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 192;
    canvas.height = 192;
    const pen = canvas.getContext('2d')!;
    const disc = (colour: string, x: number, y: number, radius: number, widen = 1): void => {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.ellipse(x, y, radius * widen, radius, 0, 0, Math.PI * 2);
      pen.fill();
    };
    pen.fillStyle = '#f3d9b1';
    pen.fillRect(0, 0, 192, 192);
    disc('#4a2c20', 96, 84, 58);
    disc('#0e7c7b', 96, 196, 62, 1.25);
    disc('#e8a87c', 96, 140, 22);
    disc('#f0b48a', 96, 88, 42);
    disc('#4a2c20', 96, 54, 26, 1.7);
    return canvas.toDataURL('image/png');
  });

/** A check of json-server-auth, which others use as their server. */
async function report(page: Page, { origin }: RunningServer): Promise<void> {
  const id = await addServer(page, { name: 'json-server-auth', address: origin, colour: 'amber' });
  await page.evaluate((each) => window.api.servers.choose({ id: each }), id);
  await page.evaluate(() => window.api.settings.change({ welcomed: true, workbench: true, callsPerSecond: 100 }));
  await page.keyboard.press('Control+t');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'New check', exact: true }).first().waitFor({ timeout: 120_000 });
}

/** Writes the whole report of which the README shows the beginning, as the command does it. */
async function exampleReport({ origin }: RunningServer): Promise<void> {
  await promisify(execFile)(process.execPath, [runCommand, 'check', origin, '--report', `md=${example}`]).catch(
    (ended: unknown) => {
      // So it ends for broken rules, which this server has.
      if (!(ended instanceof Error && 'code' in ended && ended.code === 1)) throw ended;
    },
  );
  console.log(`Made ${example}`);
}

/** Takes the pictures of the README, and its example of a report, of the built application at real servers. */
export async function takeForReadme(): Promise<void> {
  await take('demo', demo);
  await atServer('better-auth', (server) => take('profile', (page) => profile(page, server)));
  await atServer('json-server-auth', (server) => take('report', (page) => report(page, server)));
  await atServer('json-server-auth', exampleReport);
}

async function atServer(name: AnyServer, work: (server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startServer(name, { BEARER: '1' });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

/** Takes one picture of the application after its first start. */
function take(name: string, show: (page: Page) => Promise<void>): Promise<void> {
  return withShotWindow(shape, async (page) => {
    await show(page);
    await page.mouse.move(0, 0);
    const file = path.join(build, `readme-${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    console.log(`Made ${file}`);
  });
}
