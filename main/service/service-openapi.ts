import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { jsonSchemaTransform, serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Operation } from '../../preload/contract/names.ts';
import { messages, type ServiceLanguage } from './messages.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { authPrefix, authRoutes } from './routes/auth-routes.ts';

type Status = 200 | 201 | 400 | 401 | 403 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** The statuses that each operation describes. */
const statuses: Record<Operation, readonly Status[]> = {
  registro: [201, 400, 413, 415, 422, 429, 500, 503],
  register: [201, 400, 413, 415, 422, 429, 500, 503],
  login: [200, 400, 401, 413, 415, 422, 429, 500, 503],
  profile: [200, 400, 401, 500, 503],
  logout: [200, 400, 401, 413, 415, 500, 503],
};

/** The same for the account calls. */
const accountStatuses = {
  'login-code': [200, 400, 401, 413, 415, 422, 429, 500, 503],
  'login-recovery-code': [200, 400, 401, 413, 415, 422, 429, 500, 503],
  'enable-factor': [200, 400, 401, 409, 413, 415, 422, 429, 500, 503],
  'confirm-factor': [200, 400, 401, 409, 413, 415, 422, 429, 500, 503],
  'change-password': [200, 400, 401, 413, 415, 422, 429, 500, 503],
  'forgot-password': [200, 400, 413, 415, 422, 429, 500, 503],
  'resend-confirmation': [200, 400, 413, 415, 422, 429, 500, 503],
  'delete-account': [200, 400, 401, 413, 415, 422, 429, 500, 503],
} as const satisfies Record<string, readonly Status[]>;

type DescribedCall = Operation | keyof typeof accountStatuses;

const needsToken: ReadonlySet<string> = new Set<DescribedCall>([
  'profile',
  'logout',
  'enable-factor',
  'confirm-factor',
  'change-password',
  'delete-account',
]);

type Texts = (typeof messages)[ServiceLanguage]['description'];

/** JSON schemas by status or class of statuses. */
const Answers = z.record(z.string(), z.record(z.string(), z.unknown()));

const isDescribed = (id: unknown): id is DescribedCall =>
  typeof id === 'string' && Object.hasOwn({ ...statuses, ...accountStatuses }, id);

/** The statuses of a call. */
function statusesOf(id: DescribedCall, hasAccountCalls: boolean): readonly Status[] {
  const all: Record<DescribedCall, readonly Status[]> = { ...statuses, ...accountStatuses };
  return id === 'login' && hasAccountCalls ? [...all.login, 403] : all[id];
}

/**
 * The OpenAPI 3.1 document of the service in one language, from the schemas of its routes. For it, they are registered on an
 * application that never listens, so that the serving one does not need @fastify/swagger.
 */
export async function createServiceOpenApi(parts: RouteDependencies, language: ServiceLanguage): Promise<object> {
  const text = messages[language].description;
  const hasAccountCalls = parts.accountCalls !== undefined;
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: text.title,
        description: text.description,
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: text.token } } },
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route);
      const id: unknown = schema?.['operationId'];
      if (!schema || !isDescribed(id)) return { schema, url };
      const answers = Answers.parse(schema['response']);
      const response = statusesOf(id, hasAccountCalls).map((status) => [status, answerOf(status, answers, text)]);
      const described = {
        ...schema,
        ...text.operations[id],
        ...(id === 'login' &&
          hasAccountCalls && { description: `${text.operations.login.description} ${text.accountCalls.login}` }),
        security: needsToken.has(id) ? [{ bearer: [] }] : [],
        response: Object.fromEntries(response),
      };
      return { schema: described, url };
    },
  });
  await app.register(async (scope) => authRoutes(scope, parts), { prefix: authPrefix });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

/** A response of an operation: its schema by its status or class of statuses, with its text and headers. */
function answerOf(status: Status, answers: Record<string, object>, text: Texts): object {
  const schema = answers[String(status)] ?? answers[`${Math.floor(status / 100)}xx`];
  const headers = {
    ...((status === 429 || status === 503) && {
      'Retry-After': { type: 'integer', minimum: 1, description: text.retryAfter },
    }),
    ...(status === 401 && { 'WWW-Authenticate': { type: 'string', description: text.authenticate } }),
  };
  return { ...schema, description: text.answers[status], ...(Object.keys(headers).length > 0 && { headers }) };
}
