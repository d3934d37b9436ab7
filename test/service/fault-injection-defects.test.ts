import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { FaultInjection } from '../../main/service/fault-injection/fault-injection.ts';
import type { AccountStore } from '../../main/service/stores/account-store.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

const eve = { name: 'Eve Example', email: 'eve@example.test', password: 'quite another one' };

/** `check/defects.test.ts` shows that a check finds each defect, and no other. */
describe('a service with simulated vulnerabilities', () => {
  it('computes a hash for a known email, and none for an unknown one, when the time is to tell them apart', async () => {
    let computed = 0;
    const passwords = createPasswords(cheapArgon2, (hash, password) => {
      computed += 1;
      return verify(hash, password);
    });
    const known = await passwords.hash('a password');
    for (const on of [1, 0]) {
      const faultInjection = new FaultInjection({ defects: on ? ['unknown-email-by-time'] : [] });
      const { passwords: wrapped } = faultInjection.wrap({ accounts: {} as AccountStore, passwords }, Date.now);
      computed = 0;
      expect(await wrapped.matches('a password', undefined)).toBe(false);
      expect(computed).toBe(1 - on);
      expect(await wrapped.matches('a password', known)).toBe(true);
      expect(computed).toBe(2 - on);
    }
  });

  it('has several at once, in a dialect too', async () => {
    const { post, login, perfil, token } = await startBuiltInServer({
      defects: ['password-echoed', 'unknown-email-by-body', 'password-hash-in-profile'],
      dialect: 'sanctum',
    });
    expect(await (await post('registro', eve)).json()).toMatchObject({ password: eve.password });
    expect(await (await perfil(token)).json()).toHaveProperty('password_hash');
    const unknown = await login({ ...ada, email: 'nobody@example.test' });
    expect([unknown.status, await unknown.json()]).toEqual([
      422,
      { message: 'The selected email is invalid.', errors: { email: ['The selected email is invalid.'] } },
    ]);
    expect(await (await login({ ...ada, password: 'not the one' })).json()).toMatchObject({
      message: 'The provided credentials are incorrect.',
    });
  });
});
