import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { writeOpenApi, writePostmanCollection } from '../../../main/calls/documents.ts';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const all: CallFilter = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false };

/** Records a journey with a mistake, and returns it with its secrets. */
async function recordedJourney() {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign });
  await main.session.login(ana);
  await main.session.register({ ...ana, path: 'registro' });
  await main.session.logOutShown(true);
  return { calls: main.calls.every(all), foreign, secrets: [...foreign.issued, ana.password] };
}

describe('the operations as observed', () => {
  it('are an OpenAPI document without a fault that Redocly finds, and without a secret', async () => {
    const { calls, foreign, secrets } = await recordedJourney();
    const text = writeOpenApi(calls);
    const config = await createConfig({
      extends: ['recommended'],
      // The interface says nothing of licences, and the server was only observed, wherever it is.
      rules: {
        'info-license': 'off',
        'no-server-example.com': 'off',
        'operation-4xx-response': 'off',
        'operation-2xx-response': 'off',
      },
    });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
    const document = JSON.parse(text);
    expect(document.servers).toEqual([{ url: foreign.baseUrl }]);
    expect(Object.keys(document.paths['/api/v1/auth/login'].post.responses)).toEqual(['200']);
    expect(
      document.paths['/api/v1/auth/perfil'].get.responses['200'].content['application/json'].example.datos.usuario
        .password,
    ).toBe('[hash 1]');
    expect(document.paths['/api/v1/auth/register'].post.responses).toEqual({
      default: { description: 'Not observed.' },
    });
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('are a Postman collection with variables for what differs, and without a secret', async () => {
    const { calls, foreign, secrets } = await recordedJourney();
    const text = writePostmanCollection(calls);
    const collection = JSON.parse(text);
    expect(collection.item.map(({ request }: { request: { url: { raw: string } } }) => request.url.raw)).toEqual(
      ['registro', 'register', 'login', 'perfil', 'salir'].map((name) => `{{baseUrl}}/api/v1/auth/${name}`),
    );
    expect(collection.variable[0]).toEqual({ key: 'baseUrl', value: foreign.baseUrl });
    expect(collection.item[3].request.auth.bearer[0].value).toBe('{{token}}');
    expect(collection.item[2].response[0]).toMatchObject({ code: 200 });
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('are written for nobody’s server when nothing was observed', () => {
    expect(JSON.parse(writeOpenApi([]))).not.toHaveProperty('servers');
    expect(JSON.parse(writePostmanCollection([])).variable[0].value).toBe('');
  });
});
