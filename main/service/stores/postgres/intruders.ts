import type { ClientBase } from 'pg';
import { z } from 'zod';

const Found = z.object({ what: z.string(), whose: z.string().nullable() });

/**
 * Each part of the query finds one kind of thing that our own migrations never make, so that what is left is known: plain
 * tables of columns with PostgreSQL's own types, primary and unique keys, our one foreign key, and their indexes. A table
 * that an administrator hands over to our user keeps what its former owner put there, so an owner alone proves nothing.
 *
 * It reads the catalogue only. A table of the schema is not read before: it may be a view that calls functions.
 *
 * $1 the schema, $2 our tables, $3 the roles that may own them
 */
const FIND = `
  WITH schema AS (
    SELECT oid, nspowner FROM pg_catalog.pg_namespace WHERE nspname = $1
  ), inside AS (
    SELECT c.*, pg_catalog.quote_ident(c.relname) AS shown FROM pg_catalog.pg_class c JOIN schema ON c.relnamespace = schema.oid
  ), ours AS (
    SELECT * FROM inside WHERE relname = ANY ($2::name[]) AND relkind <> 'i'
  ), trusted AS (
    SELECT oid FROM pg_catalog.pg_roles WHERE rolname = ANY ($3::name[]) OR rolname = current_user
  )
  SELECT 'it belongs to' AS what, pg_catalog.pg_get_userbyid(nspowner)::text AS whose
    FROM schema WHERE nspowner NOT IN (SELECT oid FROM trusted)
  UNION ALL
  (SELECT 'its ' || shown || ' belongs to', pg_catalog.pg_get_userbyid(relowner)::text
    FROM inside WHERE relowner NOT IN (SELECT oid FROM trusted) ORDER BY relname LIMIT 1)
  UNION ALL
  SELECT 'triggers may be put on its table ' || ours.shown || ' by',
         CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(granted.grantee)::text END
    FROM ours, pg_catalog.aclexplode(ours.relacl) AS granted
    WHERE granted.privilege_type = 'TRIGGER' AND granted.grantee NOT IN (SELECT oid FROM trusted)
  UNION ALL
  SELECT 'its ' || shown || ' is no plain table', NULL
    FROM ours WHERE relkind <> 'r' OR relispartition
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the trigger ' || pg_catalog.quote_ident(t.tgname), NULL
    FROM pg_catalog.pg_trigger t JOIN ours ON t.tgrelid = ours.oid
    WHERE NOT t.tgisinternal
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the rule ' || pg_catalog.quote_ident(r.rulename), NULL
    FROM pg_catalog.pg_rewrite r JOIN ours ON r.ev_class = ours.oid
    WHERE ours.relkind = 'r'
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has row security', NULL
    FROM ours WHERE relrowsecurity OR relforcerowsecurity
       OR EXISTS (SELECT 1 FROM pg_catalog.pg_policy p WHERE p.polrelid = ours.oid)
  UNION ALL
  SELECT 'its table ' || ours.shown || ' shares its rows with another table', NULL
    FROM ours JOIN pg_catalog.pg_inherits i ON ours.oid IN (i.inhrelid, i.inhparent)
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has a default or a generated value for ' || pg_catalog.quote_ident(a.attname), NULL
    FROM ours JOIN pg_catalog.pg_attribute a ON a.attrelid = ours.oid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.atthasdef
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the foreign type of ' || pg_catalog.quote_ident(a.attname), NULL
    FROM ours JOIN pg_catalog.pg_attribute a ON a.attrelid = ours.oid JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND t.typnamespace <> 'pg_catalog'::regnamespace
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the constraint ' || pg_catalog.quote_ident(k.conname), NULL
    FROM pg_catalog.pg_constraint k JOIN ours ON ours.oid IN (k.conrelid, k.confrelid)
    WHERE k.contype NOT IN ('p', 'u', 'n')
      AND NOT (k.contype = 'f' AND k.conrelid IN (SELECT oid FROM ours) AND k.confrelid IN (SELECT oid FROM ours))
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the index ' || pg_catalog.quote_ident(c.relname), NULL
    FROM ours JOIN pg_catalog.pg_index x ON x.indrelid = ours.oid JOIN pg_catalog.pg_class c ON c.oid = x.indexrelid
    WHERE x.indexprs IS NOT NULL
       OR (x.indpred IS NOT NULL AND pg_catalog.pg_get_expr(x.indpred, x.indrelid) <> '(bound_to IS NOT NULL)')
       OR EXISTS (SELECT 1 FROM pg_catalog.pg_opclass o
                  WHERE o.oid = ANY (x.indclass::oid[]) AND o.opcnamespace <> 'pg_catalog'::regnamespace)
  UNION ALL
  SELECT 'its table ' || ours.shown || ' has the statistics ' || pg_catalog.quote_ident(s.stxname), NULL
    FROM pg_catalog.pg_statistic_ext s JOIN ours ON s.stxrelid = ours.oid
  UNION ALL
  SELECT 'the rows of its table ' || ours.shown || ' are published by', pg_catalog.pg_get_userbyid(p.pubowner)::text
    FROM ours JOIN pg_catalog.pg_publication_rel r ON r.prrelid = ours.oid
    JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid JOIN pg_catalog.pg_roles o ON o.oid = p.pubowner
    WHERE NOT o.rolsuper AND p.pubowner NOT IN (SELECT oid FROM trusted)
  LIMIT 1`;

/**
 * Looks for something in the schema through which code of somebody else could run as this program's user, or rows of ours
 * could reach somebody else.
 *
 * @param owners roles that may own it beside our own user
 * @returns the first thing found, as the end of a sentence about the schema; undefined where there is none, or no schema
 */
export async function findIntruder(
  client: ClientBase,
  { schema, tables, owners }: { schema: string; tables: readonly string[]; owners: readonly string[] },
): Promise<string | undefined> {
  const { rows } = await client.query(FIND, [schema, tables, owners]);
  if (rows.length === 0) return undefined;
  const { what, whose } = Found.parse(rows[0]);
  const end =
    whose === null
      ? ', which this program did not make'
      : ` the role "${whose}", which is neither the user of this program nor given with --database-owner`;
  // Names are somebody else's choice.
  return (what + end).replaceAll(/\p{Cc}/gu, '?');
}
