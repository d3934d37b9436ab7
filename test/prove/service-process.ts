import { parseArgs } from 'node:util';
import { loadMockFile } from '../../main/service/mock/load-mock-file.ts';
import { startService } from '../../main/service/server.ts';

/**
 * This is the service, or a mock server of it, as a process of its own, for proofs that end it without warning. It has the least Argon2, since
 * the hashes are not on trial, and no limits on attempts. It prints one line of JSON when it is ready, and ends with
 * the channel to its parent.
 */
const { values } = parseArgs({ options: { database: { type: 'string' }, model: { type: 'string' } } });
if (process.channel) process.once('disconnect', () => process.exit());

const read = values.model === undefined ? undefined : await loadMockFile(values.model);
if (read?.ok === false) throw new Error(read.sentence);
const started = await startService({
  mock: read?.model,
  database: JSON.parse(values.database ?? ''),
  port: 0,
  rateLimit: 'off',
  argon2: { memoryKiB: 8, passes: 1, lanes: 1 },
  log: (line) => process.stderr.write(`${line}\n`),
});
if (started.ok) process.stdout.write(`${JSON.stringify({ baseUrl: started.service.baseUrl })}\n`);
else {
  process.stderr.write(`${started.message}\n`);
  process.exitCode = 3;
  if (process.connected) process.disconnect();
}
process.once('SIGTERM', () => {
  if (!started.ok) return;
  void started.service.close().then(() => process.connected && process.disconnect());
});
