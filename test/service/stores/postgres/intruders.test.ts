import { describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { ada, freshDatabase, freshRole, openStore, realServer, sql, urlWith } from './databases.ts';

vi.setConfig({ testTimeout: 30_000 });

/** A database with two roles that may do anything in it, and a function of the second one that notes as whom it runs. */
async function withMallory() {
  const url = await freshDatabase();
  const [service, mallory] = [await freshRole(url), await freshRole(url)];
  await sql(
    url,
    `GRANT ALL ON DATABASE ${new URL(url).pathname.slice(1)} TO ${service.name}, ${mallory.name};
     GRANT ALL ON SCHEMA public TO ${mallory.name};
     CREATE TABLE public.caught (who text);
     GRANT ALL ON public.caught TO PUBLIC`,
  );
  await sql(
    mallory.url,
    `CREATE FUNCTION public.steal() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO public.caught VALUES (current_user); RETURN NEW; END $$;
     CREATE FUNCTION public.peek(bigint DEFAULT 0) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS
       $$ BEGIN INSERT INTO public.caught VALUES (current_user); RETURN 1; END $$;
     CREATE DOMAIN public.number AS bigint CHECK (public.peek(VALUE) = 1)`,
  );
  return { url, service, mallory, caught: () => sql(url, 'SELECT * FROM public.caught') };
}

const notOurs = (url: string, what: string) => ({
  ok: false,
  kind: 'not-ours',
  message: `The schema "llavero" of the database "${new URL(url).pathname.slice(1)}" is not safe to use: ${what}.`,
});
const of = (role: string) =>
  ` the role "${role}", which is neither the user of this program nor given with --database-owner`;
const notMade = ', which this program did not make';

/** A schema as ours would be, made by somebody else beforehand. */
const squat = (marker: string) => `CREATE SCHEMA llavero; ${marker};
  GRANT ALL ON SCHEMA llavero TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA llavero TO PUBLIC`;

describe.skipIf(!realServer)('a schema that somebody else made', () => {
  it.each([
    ['empty', 'CREATE SCHEMA llavero; GRANT ALL ON SCHEMA llavero TO PUBLIC'],
    ['with our marker', squat('CREATE TABLE llavero.llavero_migrations (version int, applied_at timestamptz)')],
    [
      'with a view in the place of our marker',
      squat(`CREATE VIEW llavero.llavero_migrations AS
             SELECT public.peek()::int AS version, now() AS applied_at`),
    ],
  ])('is refused, and nothing of it runs: %s', async (_what, text) => {
    const { url, service, mallory, caught } = await withMallory();
    await sql(mallory.url, text);
    expect(await openPostgres(service.url)).toEqual(notOurs(url, `it belongs to${of(mallory.name)}`));
    // A superuser may do anything with it, and is no safer.
    expect(await openPostgres(url)).toMatchObject({ kind: 'not-ours' });
    expect(await caught()).toEqual([]);
  });

  it('is refused too when its role made us a member of it', async () => {
    const { url, service, mallory } = await withMallory();
    await sql(url, `GRANT ${mallory.name} TO ${service.name}`);
    await sql(mallory.url, 'CREATE SCHEMA llavero');
    expect(await openPostgres(service.url)).toMatchObject({ kind: 'not-ours' });
    await sql(url, `REVOKE ${mallory.name} FROM ${service.name}`);
  });

  it('is used when we were told of its role, and of no other', async () => {
    const { url, service, mallory: owner } = await withMallory();
    await (await openStore(owner.url)).accounts.close();
    await sql(
      owner.url,
      `GRANT USAGE ON SCHEMA llavero TO ${service.name};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA llavero TO ${service.name}`,
    );
    for (const owners of [[], ['postgres'], [`${owner.name}x`], [owner.name.toUpperCase()], [service.name]]) {
      expect(await openPostgres(service.url, { owners })).toEqual(notOurs(url, `it belongs to${of(owner.name)}`));
    }
    const { accounts } = await openStore(service.url, undefined, ['nobody', owner.name]);
    expect(await accounts.createAccount(ada)).toMatchObject({ ok: true });
  });
});

describe.skipIf(!realServer)('tables of ours', () => {
  const handedOver = 'as a table that was handed over may have';
  it.each([
    ['another owner', 'ALTER TABLE llavero.tokens OWNER TO MALLORY', 'its tokens belongs to@'],
    ['a table of another owner beside them', 'CREATE TABLE MINE llavero.more (n int)', 'its more belongs to@'],
    [
      'a trigger',
      'CREATE TRIGGER steal AFTER INSERT ON llavero.accounts FOR EACH ROW EXECUTE FUNCTION public.steal()',
      'its table accounts has the trigger steal!',
    ],
    [
      'a trigger of a constraint, before a statement, and switched off',
      `CREATE CONSTRAINT TRIGGER "st eal" AFTER UPDATE ON llavero.attempts DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION public.steal();
       ALTER TABLE llavero.attempts DISABLE TRIGGER "st eal"`,
      'its table attempts has the trigger "st eal"!',
    ],
    [
      'a trigger on the record of versions',
      'CREATE TRIGGER steal BEFORE INSERT ON llavero.llavero_migrations EXECUTE FUNCTION public.steal()',
      'its table llavero_migrations has the trigger steal!',
    ],
    [
      'somebody who may add triggers later',
      'GRANT TRIGGER ON llavero.tokens TO MALLORY',
      'triggers may be put on its table tokens by@',
    ],
    [
      'everybody who may add triggers later',
      'GRANT ALL ON llavero.tokens TO PUBLIC',
      'triggers may be put on its table tokens by the role "PUBLIC", which is neither the user of this program nor given with --database-owner',
    ],
    [
      'a rule',
      'CREATE RULE copy AS ON INSERT TO llavero.accounts DO ALSO INSERT INTO public.caught VALUES (NEW.email)',
      'its table accounts has the rule copy!',
    ],
    [
      'a policy',
      `CREATE POLICY steal ON llavero.accounts USING (public.peek(id) = 1);
       ALTER TABLE llavero.accounts ENABLE ROW LEVEL SECURITY`,
      'its table accounts has row security!',
    ],
    [
      'a default',
      'ALTER TABLE llavero.tokens ALTER last_used_at_ms SET DEFAULT public.peek()',
      'its table tokens has a default or a generated value for last_used_at_ms!',
    ],
    [
      'a generated column',
      'ALTER TABLE llavero.accounts ADD more bigint GENERATED ALWAYS AS (public.peek(id)) STORED',
      'its table accounts has a default or a generated value for more!',
    ],
    [
      'a check',
      'ALTER TABLE llavero.accounts ADD CONSTRAINT "look" CHECK (public.peek(id) = 1)',
      'its table accounts has the constraint look!',
    ],
    [
      'a foreign key of another table',
      'CREATE TABLE public.watcher (id bigint REFERENCES llavero.tokens ON DELETE CASCADE)',
      'its table tokens has the constraint watcher_id_fkey!',
    ],
    [
      'an index with a function',
      'CREATE INDEX look ON llavero.accounts (public.peek(id))',
      'its table accounts has the index look!',
    ],
    [
      'an index of some rows by a function',
      'CREATE INDEX look ON llavero.accounts (id) WHERE public.peek(id) = 1',
      'its table accounts has the index look!',
    ],
    [
      'statistics with a function',
      'CREATE STATISTICS look ON public.peek(id), email FROM llavero.accounts',
      'its table accounts has the statistics look!',
    ],
    [
      'a type of somebody else',
      'ALTER TABLE llavero.tokens ALTER last_used_at_ms TYPE public.number',
      'its table tokens has the foreign type of last_used_at_ms!',
    ],
    [
      'a table that inherits their rows',
      'CREATE TABLE public.child () INHERITS (llavero.accounts)',
      'its table accounts shares its rows with another table!',
    ],
    [
      'a view in the place of one',
      `ALTER TABLE llavero.attempts RENAME TO kept;
       CREATE VIEW llavero.attempts AS SELECT * FROM llavero.kept; ALTER VIEW llavero.attempts OWNER TO SERVICE`,
      'its attempts is no plain table!',
    ],
    [
      'a publication of somebody else',
      'CREATE PUBLICATION rows FOR TABLE llavero.accounts; ALTER PUBLICATION rows OWNER TO MALLORY',
      'the rows of its table accounts are published by@',
    ],
  ])(`are refused with %s, ${handedOver}`, async (_what, text, sentence) => {
    const { url, service, mallory, caught } = await withMallory();
    await (await openStore(service.url)).accounts.close();
    const asMallory = text.replaceAll('MALLORY', mallory.name).replaceAll('SERVICE', service.name);
    if (text.includes('MINE')) {
      await sql(url, `GRANT ALL ON SCHEMA llavero TO ${mallory.name}`);
      await sql(mallory.url, asMallory.replace('MINE ', ''));
    } else await sql(url, asMallory);
    await sql(url, 'TRUNCATE public.caught');

    const what = sentence.replace(/@$/, of(mallory.name)).replace(/!$/, notMade);
    expect(await openPostgres(service.url)).toEqual(notOurs(url, what));
    expect(await caught()).toEqual([]);
  });

  it('stay usable for whoever may only read and write them', async () => {
    const { service, mallory } = await withMallory();
    await (await openStore(service.url)).accounts.close();
    await sql(service.url, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA llavero TO ${mallory.name}`);
    expect(await openPostgres(service.url)).toMatchObject({ ok: true });
  });
});

describe.skipIf(!realServer)('functions of somebody else in the schema "public"', () => {
  it('are never taken for those of PostgreSQL', async () => {
    const { url, service, mallory, caught } = await withMallory();
    const body = (result: string) =>
      `LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.caught VALUES (current_user); RETURN ${result}; END $$`;
    // PostgreSQL's own take any array: these fit better.
    await sql(
      mallory.url,
      `CREATE FUNCTION public.array_append(bigint[], bigint) RETURNS bigint[] ${body('$1')};
       CREATE FUNCTION public.array_remove(bigint[], bigint) RETURNS bigint[] ${body('$1')};
       CREATE FUNCTION public.cardinality(bigint[]) RETURNS int ${body('1')};
       CREATE FUNCTION public.unnest(text[], text[]) RETURNS SETOF record ${body('NEXT')}`.replace(
        'RETURN NEXT',
        'RETURN',
      ),
    );
    await sql(url, `ALTER ROLE ${service.name} SET search_path = public, pg_catalog`);
    const { accounts, attempts } = await openStore(service.url);
    await accounts.createAccount(ada);
    for (const _ of [1, 2, 3]) {
      const taken = await attempts.take('a', { most: 2, windowSeconds: 60 });
      if (taken.granted) await taken.giveBack();
      await attempts.take('a', { most: 2, windowSeconds: 60 });
    }
    await accounts.noteTokenUses(new Map([[1, 1]]));
    expect(await caught()).toEqual([]);
    expect(await sql(urlWith(url, {}), 'SELECT 1 FROM public.caught')).toEqual([]);
  });
});
