import { hash } from 'node:crypto';
import { z } from 'zod';
import type { RateLimitStore } from '../rate-limit-store.ts';
import type { Queries, Statement } from './queries.ts';

/** As in memory. The next sweep drops the oldest of more. */
const MOST_KEYS = 100_000;
const SWEEP_EVERY_MS = 10_000;

/** Milliseconds since 1970 by the database's clock, which all instances share. */
const DATABASE_CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const TakenRow = z.object({ end_ms: z.int() });
const WaitRow = z.object({ wait_ms: z.int() });

/**
 * One row for each key, with the instants at which its attempts expire: rising, and at most as many as the limit, since the
 * last `most` decide. The conflict's branch locks the row, so counting and refusing are one step for all instances. A refusal
 * writes nothing.
 *
 * An instant more than two windows ahead was written before the clock was set back, and is dropped with the others, since it
 * would lock somebody out for that long. A clock that is set back by less lets nobody in.
 *
 * $1 digest of the key, $2 the window in milliseconds, $3 the limit
 */
const takeText = (clock: string): string =>
  `INSERT INTO llavero.attempts AS kept (key_digest, ends_ms) VALUES ($1, ARRAY[${clock} + $2::bigint])
   ON CONFLICT (key_digest) DO UPDATE SET ends_ms =
     CASE WHEN kept.ends_ms[cardinality(kept.ends_ms)] > EXCLUDED.ends_ms[1] + $2 THEN EXCLUDED.ends_ms
     ELSE array_append(
       CASE WHEN cardinality(kept.ends_ms) >= $3::integer
            THEN array_remove(kept.ends_ms, kept.ends_ms[1]) ELSE kept.ends_ms END,
       greatest(EXCLUDED.ends_ms[1], kept.ends_ms[cardinality(kept.ends_ms)] + 1))
     END
   WHERE cardinality(kept.ends_ms) < $3
      OR kept.ends_ms[cardinality(kept.ends_ms) - $3 + 1] <= EXCLUDED.ends_ms[1] - $2
      OR kept.ends_ms[cardinality(kept.ends_ms)] > EXCLUDED.ends_ms[1] + $2
   RETURNING ends_ms[cardinality(ends_ms)] AS end_ms`;

/** The time until fewer attempts than the limit remain. $1 digest of the key, $2 the limit */
const waitText = (clock: string): string =>
  `SELECT ends_ms[cardinality(ends_ms) - $2::integer + 1] - ${clock} AS wait_ms
   FROM llavero.attempts WHERE key_digest = $1 AND cardinality(ends_ms) >= $2`;

/** Removes one attempt. All instants differ, so a second call changes nothing. $1 digest of the key, $2 the instant */
const GIVE_BACK =
  'UPDATE llavero.attempts SET ends_ms = array_remove(ends_ms, $2::bigint) WHERE key_digest = $1 AND $2 = ANY (ends_ms)';

/**
 * Deletes expired rows, and the oldest of too many, without waiting for another instance.
 * $1 the most
 */
const sweepText = (clock: string): string =>
  `DELETE FROM llavero.attempts WHERE key_digest IN (
     SELECT key_digest FROM llavero.attempts
     WHERE coalesce(ends_ms[cardinality(ends_ms)], 0) <= ${clock}
        OR key_digest IN (SELECT key_digest FROM llavero.attempts
                          ORDER BY coalesce(ends_ms[cardinality(ends_ms)], 0) DESC OFFSET $1)
     FOR UPDATE SKIP LOCKED)`;

/** Only the digest of a key is stored, since a key contains an address and may be long. */
const digestOf = (key: string): Uint8Array => hash('sha256', key, 'buffer');

/**
 * Shared by all instances on one database.
 * @param options.clock SQL of the time in milliseconds, a bigint
 */
export function createPostgresRateLimitStore(
  queries: Queries,
  { clock = DATABASE_CLOCK, mostKeys = MOST_KEYS }: { clock?: string; mostKeys?: number } = {},
): RateLimitStore & { sweep(): Promise<void> } {
  const take: Statement = { name: 'take-attempt', text: takeText(clock) };
  const selectWait: Statement = { name: 'select-wait', text: waitText(clock) };
  const giveBack: Statement = { name: 'give-back-attempt', text: GIVE_BACK };
  const deleteLeft: Statement = { name: 'sweep-attempts', text: sweepText(clock) };
  let sweptAt = performance.now();

  async function sweep(): Promise<void> {
    await queries.write(deleteLeft, [mostKeys]);
  }

  return {
    sweep,

    async consume(key, { most, windowSeconds }) {
      const digest = digestOf(key);
      const taken = await queries.write(take, [digest, windowSeconds * 1000, most]);
      if (taken.rows.length === 0) {
        const [row] = (await queries.read(selectWait, [digest, most])).rows;
        // An attempt may have expired between the two statements.
        const waitMs = row === undefined ? 0 : WaitRow.parse(row).wait_ms;
        return { granted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
      }

      if (performance.now() - sweptAt >= SWEEP_EVERY_MS) {
        sweptAt = performance.now();
        // Not awaited. If it fails, the next one does its work, and attempts report the error.
        sweep().catch(() => undefined);
      }

      const { end_ms: end } = TakenRow.parse(taken.rows[0]);
      return {
        granted: true,
        async giveBack() {
          await queries.write(giveBack, [digest, end]);
        },
      };
    },
  };
}
