import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

/** The files of Swagger UI that the page loads, with their types. */
export const pageAssets = [
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
] as const;

/** A file of Swagger UI, compressed with gzip as in the build. */
export async function pageAsset(name: (typeof pageAssets)[number][0]): Promise<Buffer> {
  const isSource = import.meta.filename.endsWith('.ts');
  if (!isSource) return readFile(new URL(`service-page/${name}.gz`, import.meta.url));
  return gzipSync(await readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)));
}
