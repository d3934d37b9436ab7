import { expect, it, onTestFinished } from 'vitest';
import { createTransport } from '../../../main/client/transport.ts';
import { runConnectionTest } from '../../../main/account/servers/connection-test.ts';
import { startRecordingServer } from '../../support/recording-server.ts';

it('a look at an address reads every header of the answer, also one whose name came before', async () => {
  const body = '{"message":"Unauthenticated."}';
  const head = [
    'HTTP/1.1 401 Unauthorized',
    'Content-Type: application/json',
    'WWW-Authenticate: Bearer',
    'WWW-Authenticate: Basic realm="staff"',
    'Server: nginx',
    'Server: a cache before it',
    `Content-Length: ${body.length}`,
  ];
  const server = await startRecordingServer(() => `${head.join('\r\n')}\r\n\r\n${body}`);
  const transport = createTransport();
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });

  expect(await runConnectionTest(transport, server.origin)).toMatchObject({
    reached: true,
    status: 401,
    answered: 'asks-for-token',
    software: 'nginx',
  });
});
