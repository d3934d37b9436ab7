import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { jsonSchemaTransform, serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Language } from './messages.ts';
import type { Parts } from './parts.ts';
import { authPrefix, authRoutes } from './routes/auth-routes.ts';

type OperationId = 'registro' | 'register' | 'login' | 'perfil' | 'salir';
type Status = 200 | 201 | 400 | 401 | 413 | 415 | 422 | 429 | 500 | 503;

/** What each operation answers beside what every operation answers. */
const statuses: Record<OperationId, readonly Status[]> = {
  registro: [201, 400, 413, 415, 422, 429, 500, 503],
  register: [201, 400, 413, 415, 422, 429, 500, 503],
  login: [200, 400, 401, 413, 415, 422, 429, 500, 503],
  perfil: [200, 400, 401, 500, 503],
  salir: [200, 400, 401, 413, 415, 500, 503],
};

const needsToken: ReadonlySet<string> = new Set<OperationId>(['perfil', 'salir']);

type Texts = {
  title: string;
  description: string;
  token: string;
  operations: Record<OperationId, { summary: string; description: string }>;
  answers: Record<Status, string>;
  retryAfter: string;
  authenticate: string;
};

const texts: Record<Language, Texts> = {
  en: {
    title: 'Llavero authentication service',
    description:
      'Register, log in, read the profile, log out. Texts are in English or Spanish, by Accept-Language. Unknown fields are ignored.',
    token: 'A token of the form <id>|<48 letters and digits>, as login answers it.',
    operations: {
      registro: {
        summary: 'Create an account',
        description: 'The repeated password may be left out; when it is sent, it is compared.',
      },
      register: {
        summary: 'Create an account, with the password repeated',
        description: 'The repeated password must equal the password.',
      },
      login: {
        summary: 'Log in',
        description: 'Answers a bearer token. Each login gives a new one, and the others stay valid.',
      },
      perfil: { summary: 'Read the profile', description: 'Answers the account the token belongs to.' },
      salir: { summary: 'Log out', description: 'Ends the token that is sent, and no other.' },
    },
    answers: {
      200: 'Done.',
      201: 'The account was created. Log in to get a token.',
      400: 'The request is not valid HTTP, or its body is not JSON.',
      401: 'The credentials or the token are not accepted.',
      413: 'The body is larger than 16 KiB.',
      415: 'The body is not sent as application/json.',
      422: 'Fields are missing or wrong; `errors` names every one.',
      429: 'Too many attempts.',
      500: 'A fault of the service; `request_id` finds it in its log.',
      503: 'The service is too busy, or its database does not answer.',
    },
    retryAfter: 'Seconds to wait before the next attempt.',
    authenticate: 'The scheme to authenticate with: Bearer.',
  },
  es: {
    title: 'Servicio de autenticación de Llavero',
    description:
      'Registrarse, iniciar sesión, leer el perfil, cerrar sesión. Los textos están en inglés o en español, según Accept-Language. Los campos desconocidos se ignoran.',
    token: 'Un token de la forma <id>|<48 letras y cifras>, como lo da el inicio de sesión.',
    operations: {
      registro: {
        summary: 'Crear una cuenta',
        description: 'La contraseña repetida puede faltar; si se envía, se compara.',
      },
      register: {
        summary: 'Crear una cuenta, con la contraseña repetida',
        description: 'La contraseña repetida debe ser igual a la contraseña.',
      },
      login: {
        summary: 'Iniciar sesión',
        description: 'Responde con un token. Cada inicio de sesión da uno nuevo, y los demás siguen siendo válidos.',
      },
      perfil: { summary: 'Leer el perfil', description: 'Responde con la cuenta a la que pertenece el token.' },
      salir: { summary: 'Cerrar sesión', description: 'Anula el token que se envía, y ningún otro.' },
    },
    answers: {
      200: 'Hecho.',
      201: 'La cuenta se creó. Inicia sesión para obtener un token.',
      400: 'La petición no es HTTP válido, o su cuerpo no es JSON.',
      401: 'No se aceptan las credenciales o el token.',
      413: 'El cuerpo supera los 16 KiB.',
      415: 'El cuerpo no se envía como application/json.',
      422: 'Faltan campos o están mal; `errors` los nombra todos.',
      429: 'Demasiados intentos.',
      500: 'Un error del servicio; `request_id` lo encuentra en su historial de errores.',
      503: 'El servicio está demasiado ocupado, o su base de datos no responde.',
    },
    retryAfter: 'Segundos que hay que esperar antes del siguiente intento.',
    authenticate: 'El esquema con el que autenticarse: Bearer.',
  },
};

/** JSON schemas by status or class of statuses. */
const Answers = z.record(z.string(), z.record(z.string(), z.unknown()));

const isOperation = (id: unknown): id is OperationId => typeof id === 'string' && Object.hasOwn(statuses, id);

/**
 * Makes the OpenAPI 3.1 document of the service in one language, from the schemas of its routes. They are registered a
 * second time for it, on an application that never listens, so that the one that serves carries nothing of it.
 */
export async function describeService(parts: Parts, language: Language): Promise<object> {
  const text = texts[language];
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
      if (!schema || !isOperation(id)) return { schema, url };
      const answers = Answers.parse(schema['response']);
      const response = statuses[id].map((status) => [status, answerOf(status, answers, text)]);
      const described = {
        ...schema,
        ...text.operations[id],
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

/** Makes one answer of an operation: its schema by its own status or by its class, with its text and headers. */
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
