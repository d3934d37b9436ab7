// As the documents of Fastify and @fastify/jwt do it: schemas that ajv checks, Fastify's own error bodies, an
// `authenticate` decorator, and a list of revoked tokens behind the option `trusted`.
// After https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/ and https://github.com/fastify/fastify-jwt
import { randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import fastifyJwt from '@fastify/jwt';
import Fastify from 'fastify';

const derive = promisify(scrypt);
const users = new Map();
const revoked = new Set();

const fastify = Fastify();

fastify.register(fastifyJwt, {
  secret: 'supersecret',
  sign: { expiresIn: '1h' },
  trusted: (_request, { jti }) => !revoked.has(jti),
});

fastify.decorate('authenticate', async (request, reply) => {
  try {
    await request.jwtVerify();
  } catch (error) {
    reply.send(error);
  }
});

/** An error with a status is answered by Fastify as `{ statusCode, error, message }`. */
const refusal = (statusCode, message) => Object.assign(new Error(message), { statusCode });

const email = { type: 'string', format: 'email' };
const registration = {
  body: {
    type: 'object',
    required: ['name', 'email', 'password'],
    properties: { name: { type: 'string', minLength: 1 }, email, password: { type: 'string', minLength: 8 } },
  },
  response: {
    201: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' }, email } },
  },
};
const login = {
  body: { type: 'object', required: ['email', 'password'], properties: { email, password: { type: 'string' } } },
};

fastify.register(
  async (routes) => {
    const register = async (request, reply) => {
      const { name, email, password } = request.body;
      if (users.has(email)) throw refusal(409, 'Email already exists');
      const salt = randomBytes(16);
      const user = { id: users.size + 1, name, email, salt, hash: await derive(password, salt, 64) };
      users.set(email, user);
      return reply.code(201).send(user);
    };
    routes.post('/registro', { schema: registration }, register);
    routes.post('/register', { schema: registration }, register);

    routes.post('/login', { schema: login }, async (request) => {
      const { email, password } = request.body;
      const user = users.get(email);
      const isRight = user && timingSafeEqual(user.hash, await derive(password, user.salt, 64));
      if (!isRight) throw refusal(401, 'Invalid email or password');
      return { token: fastify.jwt.sign({ sub: email, jti: randomUUID() }) };
    });

    routes.get('/perfil', { onRequest: [fastify.authenticate] }, async (request) => {
      const { id, name, email } = users.get(request.user.sub);
      return { user: { id, name, email } };
    });

    routes.post('/salir', { onRequest: [fastify.authenticate] }, async (request, reply) => {
      revoked.add(request.user.jti);
      return reply.code(204).send();
    });
  },
  { prefix: '/api/v1/auth' },
);

await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
