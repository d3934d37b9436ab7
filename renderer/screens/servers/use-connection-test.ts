import { useEffect, useRef, useState } from 'react';
import type { EnteredConnection, EnteredInterface } from '../../../preload/contract/connection.ts';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { setTested } from '../../tested-servers.ts';
import { enteredConnectionOf } from './entered-connection.ts';

export type ShownTest =
  | { step: 'idle' }
  | { step: 'asking' }
  | { step: 'found'; asked: string; report: ConnectionReport }
  | { step: 'failed'; asked: string; error: AppError };

interface Asked {
  address: string;
  /** It is undefined for the built-in server. */
  connection: EnteredConnection | undefined;
  /** It is undefined where it stays as it is. */
  described: EnteredInterface | undefined;
  /** Returns both as they are sent, which may differ from what is shown. */
  toSend: () => { address: string; connection: EnteredConnection };
  /** It is undefined for a new server. */
  server: Server | undefined;
  /** What was found before the form was opened. */
  tested: ConnectionReport | undefined;
}

/** Asks what answers at the address, over the connection as both are typed now. Nothing about a person is sent. */
export function useConnectionTest({ address, connection, described, toSend, server, tested }: Asked) {
  const typed = JSON.stringify([address, connection, described]);
  const [test, setTest] = useState<ShownTest>(
    tested ? { step: 'found', asked: typed, report: tested } : { step: 'idle' },
  );
  const askRef = useRef<HTMLButtonElement>(null);
  const asking = useRef(false);
  // Nobody waits for it any more when the form is gone.
  useEffect(
    () => () => {
      if (asking.current) void api.servers.cancelTest();
    },
    [],
  );

  async function ask() {
    if (asking.current) return;
    asking.current = true;
    setTest({ step: 'asking' });
    const sent = toSend();
    const result = await api.servers.test({
      address: sent.address,
      enteredConnection: connection && sent.connection,
      enteredInterface: described,
      id: server?.id,
    });
    asking.current = false;
    const isAsSaved = !described && JSON.stringify(connection) === JSON.stringify(enteredConnectionOf(server));
    if (result.ok && isAsSaved) setTested(result.value, server?.interface.digest);
    setTest(
      result.ok
        ? { step: 'found', asked: typed, report: result.value }
        : { step: 'failed', asked: typed, error: result.error },
    );
  }

  function cancel() {
    void api.servers.cancelTest();
    // The button that had the focus goes away.
    askRef.current?.focus();
  }

  // A finding holds only for the address and connection that were asked about.
  const shown: ShownTest = 'asked' in test && test.asked !== typed ? { step: 'idle' } : test;
  return { shown, askRef, ask, cancel };
}
