import { describe, expect, it } from 'vitest';
import type { EditableRequest, SecretReference } from '../../../preload/contract/calls.ts';
import {
  bodyTypeOf,
  changesOf,
  draftOf,
  requestOf,
  secretNamesOf,
  withBodyType,
  withReferences,
} from '../../../renderer/screens/calls/request-draft.ts';

const token: SecretReference = { secret: 'token', id: 't' };
const password: SecretReference = { secret: 'password', id: 'p' };
const editable: EditableRequest = {
  baseUrl: 'https://shop.example.test',
  method: 'POST',
  path: ['/registro?k=', token],
  headers: [
    { name: 'Content-Type', value: ['application/json'] },
    { name: 'Authorization', value: ['Bearer ', token] },
  ],
  body: ['{"name":"Ana","n":1.0,"password":"', password, '"}'],
};
const names = secretNamesOf(editable, ({ secret }) => `${secret} 1`);
const original = draftOf(editable, names);

describe('the draft of a request', () => {
  it('is the same request where nothing was touched', () => {
    const { baseUrl: _baseUrl, ...request } = editable;
    expect(requestOf(original, editable, names)).toEqual(request);
  });

  it('puts references back wherever their names stand, and takes what was typed over one as a text', () => {
    expect(withReferences('‹token 1›a‹password 1›‹token 1› ‹token 2›', names)).toEqual([
      token,
      'a',
      password,
      token,
      ' ‹token 2›',
    ]);
    expect(withReferences('', names)).toEqual([]);
  });

  it('sends no empty row and no empty body', () => {
    const headers = [...original.headers, { key: 9, name: ' ', value: '' }];
    const request = requestOf({ ...original, headers, body: '' }, editable, names);
    expect(request.headers).toHaveLength(2);
    expect(request).not.toHaveProperty('body');
  });

  it('counts what is changed, new and gone', () => {
    expect(changesOf(original, original)).toMatchObject({ headerCount: 0, lineCount: 0, method: false, path: false });
    const [type, authorization] = original.headers;
    const changed = changesOf(
      {
        method: 'PUT',
        path: '/x',
        headers: [
          { ...type!, value: 'text/plain' },
          { key: 2, name: 'X', value: '' },
        ],
        body: original.body.replace('Ana', 'Eva').replace('  "n": 1.0,\n', ''),
      },
      original,
    );
    expect(authorization!.key).toBe(1);
    expect(changed).toEqual({
      method: true,
      path: true,
      headers: new Set([0, 2]),
      headerCount: 3,
      lines: new Set([1]),
      lineCount: 2,
    });
  });

  it('says what the body is by its header, and adds one that is missing', () => {
    expect(bodyTypeOf(original)).toBe('json');
    const form = withBodyType(original, 'form');
    expect(bodyTypeOf(form)).toBe('form');
    expect(form.headers).toHaveLength(2);
    const added = withBodyType({ ...original, headers: [] }, 'text');
    expect(added.headers).toEqual([{ key: 0, name: 'Content-Type', value: 'text/plain' }]);
  });
});
