import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { smallServer } from './small-server.ts';

type Rules = NonNullable<Parameters<typeof smallServer>[0]>;

const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Wanted = {
  /** The claims besides `sub`. */
  claims?: () => Record<string, unknown>;
  /** What is looked at before the claims are believed. A right server looks at all of it. */
  verifies?: 'all' | 'nothing' | 'all-but-none' | 'beginning-of-signature';
};

/** Makes a small server give JSON Web Tokens of HS256, and believe those that it verified, or others. */
export function jsonWebTokens({ claims = () => ({}), verifies = 'all' }: Wanted = {}): Rules {
  const key = randomBytes(32);
  const signed = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

  function isGood(header: string, payload: string, signature: string): boolean {
    const right = signed(`${header}.${payload}`);
    if (verifies === 'nothing') return true;
    // The run changes the middle of the longest run of letters, which may stand early: eight signs held it by chance.
    if (verifies === 'beginning-of-signature') return right.slice(0, 4) === signature.slice(0, 4);
    const said: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    if (verifies === 'all-but-none' && JSON.stringify(said).includes('"alg":"none"')) return true;
    return right.length === signature.length && timingSafeEqual(Buffer.from(right), Buffer.from(signature));
  }

  return {
    newToken(email) {
      const text = `${json({ alg: 'HS256', typ: 'JWT' })}.${json({ sub: email, ...claims() })}`;
      return `${text}.${signed(text)}`;
    },

    ownerOf(token) {
      try {
        const [header = '', payload = '', signature = ''] = token.split('.');
        if (!isGood(header, payload, signature)) return undefined;
        // Only this server writes such claims, unless it believes anybody's.
        const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
        const isOver = typeof exp === 'number' && exp < Date.now() / 1000;
        return typeof sub === 'string' && !isOver ? sub : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
