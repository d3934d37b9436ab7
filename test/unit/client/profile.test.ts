import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProfileLimits, type ProfileField } from '../../../preload/contract/models.ts';
import { pipe } from '../../support/answer-lines.ts';
import { readProfile } from '../../support/answers-of-main.ts';
import { shownPlaces, unseenPlaces } from '../../support/unseen-places.ts';

const namesOf = (rest: readonly ProfileField[]) => rest.map(({ name }) => name);

const ana = { id: '7', name: 'Ana Prueba', email: 'ana@example.test' };
const attributes = Object.fromEntries(Array.from({ length: 10 }, (_each, at) => [`field${at}`, `value ${at}`]));

describe('a profile', () => {
  it('of JSON:API keeps each of its attributes', () => {
    const { id, ...known } = ana;
    const data = { type: 'users', id, attributes: { ...known, ...attributes }, links: { self: '/users/7' } };
    const company = { type: 'companies', id: '3', attributes: { title: 'Acme' } };
    const sent = { jsonapi: { version: '1.1' }, data, included: [company], meta: { plan: 'Pro' } };
    const { rest, summary } = readProfile(sent);
    expect(summary.user).toEqual(ana);
    expect(namesOf(rest)).toEqual(['type', ...Object.keys(attributes), 'included', 'meta']);
    expect(rest[1]!.place).toBe('/data/attributes/field0');
    expect(unseenPlaces(sent)).toEqual(['/jsonapi/version', '/data/links/self']);
  });

  it('of Kratos keeps each of its traits', () => {
    const traits = {
      name: { first: 'Ana', last: 'Prueba', middle: 'B' },
      email: ana.email,
      phone: '600',
      ...attributes,
    };
    const sent = { id: '7', schema_id: 'default', traits, metadata_public: { plan: 'Pro' } };
    const { rest, summary } = readProfile(sent);
    expect(summary.user).toEqual(ana);
    expect(namesOf(rest)).toEqual(['schema_id', 'name', 'phone', ...Object.keys(attributes), 'metadata_public']);
    expect(unseenPlaces(sent)).toEqual([]);
  });

  it.each<[what: string, sent: object, names: string[], who?: string[]]>([
    ['what stands around the record', { data: { user: ana, roles: ['x'] }, company: 'Acme' }, ['roles', 'company']],
    ['the other records of a list', { users: [ana, { id: 8, name: 'Eve' }] }, ['users'], [ana.email]],
    ['all emails, where there is another one', { ...ana, emails: [ana.email, 'b@example.test'] }, ['emails']],
    ['pages of a person under the name of links', { ...ana, links: { blog: 'https://a.test' } }, ['links']],
    ['a state of the person', { ...ana, status: 'active', type: 'admin' }, ['status', 'type']],
    ['a count that equals the id', { ...ana, logins: 7 }, ['logins']],
    ['what is empty', { ...ana, tags: [], plan: {}, bio: '', phone: null }, ['tags', 'plan', 'bio', 'phone']],
    [
      'a secret, as one',
      { ...ana, api_key: 'k', password_changed_at: '2026-01-02' },
      ['api_key', 'password_changed_at'],
    ],
  ])('keeps %s', (_what, sent, names, who = []) => {
    expect(namesOf(readProfile(sent, who).rest)).toEqual(names);
    expect(unseenPlaces(sent, who)).toEqual([]);
  });

  it.each<[string, object]>([
    ['links of HAL', { ...ana, _links: { self: { href: '/me' } } }],
    ['links of Spring', { ...ana, links: [{ rel: 'self', href: '/me' }] }],
    ['contexts of JSON-LD', { '@context': '/c', '@id': '/me', '@type': 'Person', ...ana }],
    ['versions of Mongoose', { ...ana, __v: 0 }],
    ['annotations of OData', { '@odata.context': '/c', ...ana }],
    ['flags of the answer', { success: true, status: 'ok', message: 'Found', error: null, data: ana }],
    ['the id, the name and the email once more', { ...ana, _id: '7', username: ana.email, full_name: ana.name }],
  ])('has no row for %s', (_what, sent) => {
    expect(readProfile(sent).rest).toEqual([]);
  });

  it('has moments, numbers and types of MongoDB as what they are', () => {
    const { rest } = readProfile(
      `{"id":7,"email":"a@b.test","n":100.10,"born":"1990-05-17","at":"2026-06-30 22:15:00","created_at":1782857700,
      "seen_at":{"$date":{"$numberLong":"1782857700000"}},"ref":{"$oid":"65a"},"phone":1782857700,
      "php":{"date":"2026-06-30 22:15:00.000000","timezone_type":3,"timezone":"UTC"},
      "city":{"date":"2026-06-30 22:15:00.000000","timezone_type":3,"timezone":"America/Bogota"}}`,
    );
    const moment = { is: 'moment', at: '2026-06-30T22:15:00.000Z', isZoneSaid: true };
    expect(Object.fromEntries(rest.map(({ name, value }) => [name, value]))).toMatchObject({
      n: { is: 'number', digits: '100.10' },
      born: { is: 'day', day: '1990-05-17' },
      at: { ...moment, isZoneSaid: false },
      created_at: moment,
      seen_at: moment,
      ref: { is: 'text', text: '65a' },
      phone: { is: 'number', digits: '1782857700' },
      php: moment,
      city: { is: 'fields' },
    });
  });

  it('has no value of a secret in its rows', () => {
    const hash = '$2b$09$aaaaaaaaaaaaaaaaaaaaaa';
    const { rest } = readProfile({
      id: 7,
      name: 'Ana',
      email: 'a@b.test',
      roles: ['admin'],
      active: true,
      nothing: null,
      password: 'typed in clear',
      remember_token: 'abc',
      api_key: 'k',
      legacy: hash,
      last: pipe,
      nested: { salt: 'k8Zx41qA', note: 'kept', list: [hash] },
    });
    const secret = { is: 'secret' };
    expect(rest).toEqual([
      { name: 'roles', place: '/roles', value: { is: 'list', items: [{ is: 'text', text: 'admin' }] } },
      { name: 'active', place: '/active', value: { is: 'flag', yes: true } },
      { name: 'nothing', place: '/nothing', value: { is: 'nothing' } },
      ...['password', 'remember_token', 'api_key', 'legacy', 'last'].map((name) => ({
        name,
        place: `/${name}`,
        value: secret,
      })),
      {
        name: 'nested',
        place: '/nested',
        value: {
          is: 'fields',
          fields: [
            { name: 'salt', value: secret },
            { name: 'note', value: { is: 'text', text: 'kept' } },
            { name: 'list', value: { is: 'list', items: [secret] } },
          ],
        },
      },
    ]);
  });
});

describe('a large profile', () => {
  it('counts what is not shown', () => {
    const many = Array.from({ length: 30_000 }, (_each, at) => at);
    const { rest, left } = readProfile({ ...ana, many });
    const shown = rest.flatMap(({ place, value }) => shownPlaces(place, value)).length;
    expect([shown, shown + left]).toEqual([ProfileLimits.values, many.length]);
  });

  it('says how much of a text is not shown, and cuts no sign in two', () => {
    const { rest } = readProfile({ ...ana, bio: `x${'😀'.repeat(ProfileLimits.charactersOfText)}` });
    const [{ value }] = rest as [ProfileField];
    expect(value).toMatchObject({ is: 'text', left: ProfileLimits.charactersOfText + 2 });
    expect(value.is === 'text' && value.text.isWellFormed()).toBe(true);
  });

  it('crosses to the window within its limits', () => {
    const long = 'x'.repeat(ProfileLimits.charactersOfText);
    const { rest, left } = readProfile({
      ...ana,
      ...Object.fromEntries(Array.from({ length: 50 }, (_each, at) => [`t${at}`, long])),
    });
    expect(JSON.stringify(rest).length).toBeLessThan(ProfileLimits.characters * 1.1);
    expect([rest.length, left]).toEqual([50, 0]);
    expect(readProfile({ ...ana, ['k'.repeat(5000)]: { a: 1, b: [] } })).toMatchObject({ rest: [], left: 2 });
  });
});

describe('every value of a profile', () => {
  const plumbing = fc.constantFrom('_links', '@context', '__v', '_class', '@odata.type');
  const name = fc.oneof(
    fc.string({ maxLength: 9 }).map((text) => `x${text}`),
    fc.constantFrom('__proto__', 'constructor', ''),
  );
  const leaf = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constantFrom(null, '', '2026-06-30', '2026-06-30 22:15:00', 1782857700),
  );
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: name }, plumbing), tie('value')), { maxLength: 4 })
        .map((all) => Object.fromEntries(all)),
    ),
  }));
  const fields = fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: name }, plumbing), anything), { maxLength: 6 })
    .map((all) => Object.fromEntries(all));
  const wraps = fc.constantFrom<(record: object, more: object) => object>(
    (record, more) => ({ ...more, ...ana, ...record }),
    (record, more) => ({ ...more, data: { ...ana, ...record } }),
    (record, more) => ({ user: { ...ana, ...record }, ...more }),
    (record, more) => ({ data: { ...more, usuario: [{ ...ana, ...record }] } }),
    (record, more) => ({ ...more, data: { id: '7', attributes: { ...record, name: ana.name, email: ana.email } } }),
    (record, more) => ({ id: '7', traits: { ...record, ...ana }, ...more }),
  );
  const isPlumbing = (place: string) => /\/(?:_links|@context|__v|_class|@odata\.type)(?:\/|$)/.test(place);

  it('is shown, or is for programs', () => {
    fc.assert(
      fc.property(wraps, fields, fields, (wrap, record, more) => {
        const sent = JSON.parse(JSON.stringify(wrap(record, more)));
        expect(readProfile(sent).summary.user).toEqual(ana);
        expect(unseenPlaces(sent).filter((place) => !isPlumbing(place))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
