import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ada, makeService } from './support/make-service.ts';

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const Document = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

async function describedIn(language: string) {
  const service = await makeService();
  const answer = await service.app.inject({
    url: '/api/v1/openapi.json',
    headers: { 'accept-language': language },
  });
  expect(answer.statusCode).toBe(200);
  return { service, text: answer.body, document: Document.parse(answer.json()) };
}

describe('the OpenAPI document', () => {
  it.each(['en', 'es'])('has no fault that Redocly finds: %s', async (language) => {
    const { text } = await describedIn(language);
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('has the five operations of the interface, and what each answers', async () => {
    const { document } = await describedIn('en');
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ called: `${method} ${path}`, operation })),
    );
    expect(
      operations
        .map(({ called, operation }) => `${called} ${operation.security.length}`)
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual([
      'get /api/v1/auth/perfil 1',
      'post /api/v1/auth/login 0',
      'post /api/v1/auth/register 0',
      'post /api/v1/auth/registro 0',
      'post /api/v1/auth/salir 1',
    ]);
    const schemaOf = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.content[
        'application/json'
      ]?.schema;
    expect(schemaOf('register')?.['required']).toEqual(['name', 'email', 'password', 'cpassword']);
    expect(schemaOf('registro')?.['required']).toEqual(['name', 'email', 'password']);
    expect(schemaOf('login')?.['required']).toEqual(['email', 'password']);
    expect(schemaOf('registro')).toMatchObject({
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255 },
        email: { type: 'string', maxLength: 254 },
        password: { type: 'string', minLength: 8, maxLength: 128, format: 'password' },
      },
    });
  });

  it('speaks the language of the request', async () => {
    const { document } = await describedIn('es-EC');
    expect(document.paths['/api/v1/auth/salir']?.['post']?.summary).toBe('Cerrar sesión');
  });

  it('lists every status that a journey and its mistakes meet', async () => {
    const { service, document } = await describedIn('en');
    const said = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {});
    const register = [await service.registro(ada), await service.registro(ada), await service.post('registro', '{')];
    for (const { statusCode } of register) expect(said('/api/v1/auth/registro', 'post')).toContain(String(statusCode));
    const login = [await service.login(ada), await service.login({ ...ada, password: 'no' })];
    for (const { statusCode } of login) expect(said('/api/v1/auth/login', 'post')).toContain(String(statusCode));
    expect(said('/api/v1/auth/perfil', 'get')).toContain(String((await service.perfil('1|x')).statusCode));
  });
});
