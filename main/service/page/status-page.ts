import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { operations } from '../../../preload/contract/names.ts';
import { defaultInterface } from '../../interface/shipped.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import type { MockDefinition } from '../mock/mock-definition.ts';
import { chooseLanguage } from '../language.ts';
import { messages, type ServiceLanguage } from '../messages.ts';
import { createInterfaceOpenApi, hasCall } from './interface-openapi.ts';
import { pageAsset, pageAssets } from './page-assets.ts';

const folder = '/_llavero';

/** Only our own scripts run. Swagger UI has its icons in the style sheet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page contains foreign text in its heading only, and loads nothing from other computers. */
const script = (document: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(document)},
  dom_id: '#try',
  validatorUrl: null,
  tryItOutEnabled: true,
  supportedSubmitMethods: ['get', 'post', 'put', 'patch', 'delete'],
  defaultModelsExpandDepth: -1,
});
`;

const style = `
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c2126; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; }
code { font-size: 0.875rem; overflow-wrap: anywhere; }
.swagger-ui .info, .swagger-ui .scheme-container { display: none; }
.swagger-ui .wrapper { padding: 0; }
`;

type Texts = (typeof messages)[ServiceLanguage]['page'];

type StatusPageOptions = {
  /** Another API type than that of `interface.md`. */
  adapter: ApiAdapter | undefined;
  /** The mock that is served. */
  mock: MockDefinition | undefined;
};

/** The page of a service that is opened in a browser. */
export type StatusPage = { answers: (request: FastifyRequest, reply: FastifyReply) => boolean };

/**
 * The page at `/`: the kind of server, its routes, and Swagger UI to try them. For browsers only; the response to
 * programs is the same as without it.
 */
export function createStatusPage({ adapter, mock }: StatusPageOptions): StatusPage {
  const isOwn = !adapter && !mock;
  const shown = adapter ?? new ApiAdapter(defaultInterface, '');
  // The original's own response at `/` has precedence.
  const isTaken = mock?.answers.some(({ operation, path }) => operation === 'other' && path === '/') === true;
  const document = isOwn ? '/api/v1/openapi.json' : `${folder}/openapi.json`;
  const files: Record<string, readonly [type: string, text: () => string | Promise<Buffer>]> = {
    [`${folder}/page.js`]: ['text/javascript; charset=utf-8', () => script(document)],
    [`${folder}/page.css`]: ['text/css; charset=utf-8', () => style],
    [`${folder}/openapi.json`]: ['application/json', () => JSON.stringify(createInterfaceOpenApi(shown))],
    ...Object.fromEntries(pageAssets.map(([name, type]) => [`${folder}/${name}`, [type, () => pageAsset(name)]])),
  };

  const pageIn = (language: ServiceLanguage): string => {
    const words = messages[language].page;
    const routes = operations.filter((name) => hasCall(shown, name));
    return html(language, headOf(words, mock, language), words, [
      ...routes.map((name) => `${shown.methodOf(name)} ${shown.path(name)}`),
      ...(mock ? [] : ['GET /health']),
      `GET ${document}`,
    ]);
  };

  return {
    answers(request, reply) {
      if (!['GET', 'HEAD'].includes(request.method) || isTaken) return false;
      const [path = ''] = request.originalUrl.split('?', 1);
      const file = Object.hasOwn(files, path) ? files[path] : undefined;
      const isPage = path === '/' && wantsPage(request);
      if (!file && !isPage) return false;
      reply.header('content-security-policy', policy).header('cache-control', 'no-store');
      if (!file) {
        const language = chooseLanguage(request.headers['accept-language']);
        reply.type('text/html; charset=utf-8').send(pageIn(language));
        return true;
      }
      const [type, make] = file;
      const made = make();
      reply.type(type);
      if (typeof made === 'string') reply.send(made);
      // All browsers accept gzip, and nothing else loads these.
      else void made.then((bytes) => reply.header('content-encoding', 'gzip').send(bytes));
      return true;
    },
  };
}

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers: { accept: headers.accept ?? '*/*' } }).mediaType(['application/json', 'text/html']) ===
  'text/html';

/** The title and the sentence, in which name and address may be foreign text. */
function headOf(
  words: Texts,
  model: MockDefinition | undefined,
  language: ServiceLanguage,
): { title: string; about: string } {
  if (!model) return { title: words.title, about: words.about };
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    title: words.mock.replace('{{name}}', () => model.serverName ?? model.baseUrl),
    about: words.aboutMock
      .replace('{{address}}', () => model.baseUrl)
      .replace('{{date}}', () => date.format(new Date(model.measuredAt))),
  };
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const html = (
  language: ServiceLanguage,
  { title, about }: { title: string; about: string },
  words: Texts,
  routes: readonly string[],
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/page.css">
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(about)}</p>
<h2>${words.routes}</h2>
<ul>
${routes.map((route) => `<li><code>${escaped(route)}</code></li>`).join('\n')}
</ul>
<h2>${words.try}</h2>
<div id="try"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/page.js"></script>
</body>
</html>
`;
