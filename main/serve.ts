import { serveCommand } from './service/serve-command.ts';

const stop = new AbortController();
const end = (): void => stop.abort();

// Once each: a second signal ends the process the hard way.
process.once('SIGTERM', end);
process.once('SIGINT', end);
// Whoever started this with a channel is gone when the channel is.
if (process.channel) process.once('disconnect', end);

process.exitCode = await serveCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  stop: stop.signal,
});
// An open channel would keep the process running.
if (process.connected) process.disconnect();
