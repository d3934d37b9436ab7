import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random nonce. Returns nonce, tag and ciphertext. */
export function encryptWithKey(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if the key is another one, or the box was changed. */
export function decryptWithKey(key: Buffer, box: Buffer): string {
  const tag = box.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(tag);
  return decipher.update(box.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}
