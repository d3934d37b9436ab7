import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { App } from './route-dependencies.ts';

const withCode = (message: string, code: string, statusCode: number, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, statusCode });

/** Parses bodies of a media type as UTF-8. An empty body counts as none. */
function addParser(app: App, type: string, read: (text: string) => unknown): void {
  app.addContentTypeParser(type, { parseAs: 'buffer' }, ({ headers }: FastifyRequest, body, done) => {
    if (body.length === 0) return done(null);
    // Nothing is decompressed here (RFC 9110, 15.5.16).
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      return done(withCode('The body is encoded', 'LLAVERO_ENCODING', 415));
    // Replaced bytes would be another password than the one that was sent.
    if (!isUtf8(Buffer.from(body))) return done(withCode('The body is not UTF-8', 'LLAVERO_UTF8', 400));
    try {
      done(null, read(new TextDecoder().decode(Buffer.from(body))));
    } catch (cause) {
      done(withCode('The body is not JSON', 'LLAVERO_JSON', 400, cause));
    }
  });
}

/** The only parser: JSON in UTF-8. */
export function addJsonParser(app: App): void {
  app.removeAllContentTypeParsers();
  addParser(app, 'application/json', (text) => JSON.parse(text));
}

/** For API types that send forms. */
export const addFormParser = (app: App): void =>
  addParser(app, 'application/x-www-form-urlencoded', (text) => Object.fromEntries(new URLSearchParams(text)));
