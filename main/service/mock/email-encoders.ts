import { createHash } from 'node:crypto';
import type { EmailEncoding } from './mock-definition.ts';

/** Writes an email in each of the codes that answers have for one. Digests are of small letters, as those of pictures. */
export const emailEncoders: Record<EmailEncoding, (email: string) => string> = {
  percent: (email) => encodeURIComponent(email),
  base64: (email) => Buffer.from(email).toString('base64'),
  md5: (email) => createHash('md5').update(email.trim().toLowerCase()).digest('hex'),
  sha256: (email) => createHash('sha256').update(email.trim().toLowerCase()).digest('hex'),
  'local-part': (email) => email.slice(0, Math.max(0, email.lastIndexOf('@'))),
};
