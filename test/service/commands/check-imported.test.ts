import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { check, quickly } from '../support/check.ts';

const env = { LLAVERO_CHECK_EMAIL: 'ana@example.test', LLAVERO_CHECK_PASSWORD: 'S3cret-ana!' };

/** It shows no credential, so how a session goes along is a guess. Its address is not the one that is asked. */
const pasted = `curl https://api.shop.test/auth/login -d '{"email":"a@b.test","password":"x"}'
curl https://api.shop.test/users/me`;

it('an account goes nowhere by a guess, unless the line accepts guesses', async () => {
  const file = path.join(await makeTemporaryFolder(), 'pasted.txt');
  await writeFile(file, pasted);
  const server = await startRecordingServer(
    () => 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  );
  const line = [server.origin, '--interface', file, ...quickly, '--only', 'login.right-credentials'];

  const refused = await check(line, { env });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toMatch(
    /^(?:Guess: .+\n)*Guess: security .+\n(?:Guess: .+\n)*Nothing was sent: .+ --accept-guesses\.\n$/,
  );
  expect(server.requests).toEqual([]);

  const accepted = await check([...line, '--accept-guesses'], { env });
  expect(accepted.code).toBe(1);
  expect(
    server.requests.some(({ target, body }) => target === '/auth/login' && body.includes(env.LLAVERO_CHECK_EMAIL)),
  ).toBe(true);
  await server.close();
});
