import { protocol, type ProtocolRequest, type ProtocolResponse, session } from 'electron';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contentSecurityPolicy } from './content-security-policy.ts';

export const appOrigin = 'app://llavero';

/** Registers the application's own scheme. It must run before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } },
  ]);
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Serves the built renderer at `app://llavero/`, instead of `file://`, which would be able to read the disk.
 * It fills in a page's style nonce, and removes the links to texts of other languages.
 *
 * `protocol.handle`, which came after it, reads all of Node's fetch and passes each answer on as a stream. That takes a
 * tenth of a bare window's start (`npm run bench -- --only start`).
 *
 * @param folder the built renderer
 * @param language the code of the page's language, for its `lang` and its links to texts
 */
export function serveRenderer(folder: string, language: string): void {
  function respond(request: ProtocolRequest): ProtocolResponse {
    const url = new URL(request.url);
    const name = url.pathname === '/' ? '/index.html' : decodeURIComponent(url.pathname);
    const file = path.join(folder, path.normalize(name));
    const type = contentTypes[path.extname(file)];
    const known = url.origin === 'null' || url.host === 'llavero';
    if (request.method !== 'GET' || !known || !type || !file.startsWith(folder + path.sep)) return notFound;
    const headers = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' };
    // A worker has the policy of its script, and ours reach nothing.
    if (name.endsWith('.js')) Object.assign(headers, { 'Content-Security-Policy': "default-src 'none'" });
    // Each promise would be a round through main's thread, while the page waits.
    const data = readFileSync(file);
    if (!name.endsWith('.html')) return { data, headers };
    const nonce = randomBytes(16).toString('base64');
    const page = inLanguage(data.toString('utf8'), language).replaceAll('__CSP_NONCE__', nonce);
    return {
      data: Buffer.from(page),
      headers: { ...headers, 'Content-Security-Policy': contentSecurityPolicy(nonce) },
    };
  }
  session.defaultSession.protocol.registerBufferProtocol('app', (request, answer) => {
    answer(respondOrNotFound(request));
  });
  function respondOrNotFound(request: ProtocolRequest): ProtocolResponse {
    try {
      return respond(request);
    } catch {
      return notFound;
    }
  }
}

const inLanguage = (page: string, language: string): string =>
  page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replaceAll(/<link [^>]*data-language="([^"]*)"[^>]*>/g, (link, of) => (of === language ? link : ''));

const notFound: ProtocolResponse = { statusCode: 404, data: Buffer.from('not found') };
