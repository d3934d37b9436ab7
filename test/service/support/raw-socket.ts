import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a TCP connection whose bytes the test writes itself, and on which it waits for what the other side says. */
export async function openSocket(port: number, host = '127.0.0.1') {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => (received += text));
  // A reset also closes the connection, which is what the tests wait for.
  socket.on('error', () => {});
  const closed = new Promise<void>((settle) => {
    socket.on('close', () => settle());
  });
  await once(socket, 'connect');

  return {
    write: (text: string) => socket.write(text),
    /** Answers everything received until the other side closed. */
    async untilClosed(): Promise<string> {
      await closed;
      return received;
    },
    /** Answers everything received as soon as it matches. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(received) && !socket.closed) await Promise.race([once(socket, 'data'), closed]);
      return received;
    },
  };
}

/** Reads the status and the JSON of the one answer in a text. */
export function readAnswer(text: string): { status: number; headers: string; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), headers: head.toLowerCase(), body: JSON.parse(body) };
}
