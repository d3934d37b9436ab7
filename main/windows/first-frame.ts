import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FirstServer } from './first-look.ts';

/** By language and by kind of server, as `renderer/first-frame.tsx` made them when the application was built. */
export type Frames = Record<string, Record<FrameKind, string>>;
type FrameKind = 'built-in' | 'elsewhere' | 'elsewhere-by-host';

/** Reads the frames of the renderer in this folder. */
export function readFrames(folder: string): Frames {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is a file of ours in the package, as whole as the code beside it.
  return JSON.parse(readFileSync(path.join(folder, 'first-frames.json'), 'utf8')) as Frames;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (value: string): string => value.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Fills the log-in form in for a server. Everything that comes from outside is escaped. */
function frameFor(frames: Record<FrameKind, string>, server: FirstServer, version: string): string {
  const address = server.baseUrl.replace(/^https?:\/\//, '');
  const host = address.replace(/\/.*$/, '');
  // The form itself leaves out a host that the name begins with.
  const kind = server.builtIn ? 'built-in' : server.name.startsWith(host) ? 'elsewhere-by-host' : 'elsewhere';
  const values = new Map([
    ['__HOST__/__PATH__', address],
    ['__HOST____NAME__', server.name],
    ['__NAME__', server.name],
    ['__HOST__', host],
    ['__EMAIL__', server.email],
    ['__VERSION__', version],
  ]);
  return frames[kind]
    .replace(new RegExp([...values.keys()].join('|'), 'g'), (name) => escaped(values.get(name) ?? ''))
    .replace('data-colour="gray"', `data-colour="${escaped(server.colour)}"`);
}

/** Chromium paints nothing before the element behind the form was read: https://html.spec.whatwg.org/#link-type-expect */
const shownWhole = '<link rel="expect" href="#root" blocking="render">';

/** Puts the log-in form into the page, under the marks that the page's own script sets later. It is shown as a whole. */
export function withFirstFrame(
  page: string,
  frames: Record<FrameKind, string>,
  shown: { server: FirstServer; language: string; scheme: 'light' | 'dark'; version: string },
): string {
  const { server, language, scheme, version } = shown;
  const marks = `lang="${language}" data-mantine-color-scheme="${scheme}" data-server-colour="${server.colour}"`;
  return page
    .replace(/<html[^>]*>/, () => `<html ${marks} data-respect-reduced-motion="true">`)
    .replace('</title>', () => `</title>${shownWhole}`)
    .replace(
      '<div id="root">',
      () => `<div id="first-frame">${frameFor(frames, server, version)}</div><div id="root">`,
    );
}
