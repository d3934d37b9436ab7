import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { useApp } from '../../api.ts';
import { ErrorMessage, ErrorText } from '../../components/error-message.tsx';
import { DoneIcon, ErrorIcon, InfoIcon, PlugIcon, WarningIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { useStore } from '../../store.ts';
import { useTested } from '../../tested-servers.ts';
import classes from './connection-test.module.css';
import { cancelTest, connectionTest, leaveTest, testConnection } from './servers-store.ts';
import { connectionValues } from './server-values.ts';
import { useServerFormContext } from './use-server-form.ts';

/** Keys of the connection, as typed and as saved. A result is shown only while its key is the typed one. */
function useReach(): { typed: string; saved: string } {
  const { form, server, changed } = useServerFormContext();
  const { address, connection } = form.values;
  return {
    typed: JSON.stringify([address, connection, changed?.interface]),
    saved: JSON.stringify([server?.baseUrl ?? '', connectionValues(server), undefined]),
  };
}

export function TestButton() {
  const { server, isRunHere, changed, valuesToSend } = useServerFormContext();
  const isAsking = useStore(connectionTest).step === 'asking';
  const asked = useReach().typed;

  function test() {
    const { address, connection } = valuesToSend();
    void testConnection({
      server,
      address,
      connection: isRunHere ? undefined : connection,
      described: changed?.interface,
      asked,
    });
  }

  return (
    <Button
      data-home
      variant="default"
      leftSection={<PlugIcon />}
      aria-busy={isAsking}
      aria-disabled={isAsking}
      onClick={test}
    >
      {t('server.test')}
    </Button>
  );
}

/**
 * The last test of the form, while its values are as they were tested.
 * @param tested the result of a test before the page was opened
 */
export function LastConnectionTest({ tested }: { tested: ConnectionReport | undefined }) {
  const { server } = useServerFormContext();
  const test = useStore(connectionTest);
  const { typed, saved } = useReach();
  const known = useTested(server);
  useEffect(() => leaveTest, []);
  if (test.step === 'failed' && test.asked === typed) {
    // A cancelled test returns the focus to its button.
    return <ErrorMessage error={test.error} during="server" takesFocus={test.error.kind !== 'cancelled'} />;
  }
  const earlier = test.step === 'idle' && typed === saved ? (tested ?? known) : undefined;
  const report = test.step === 'found' && test.asked === typed ? test.report : earlier;
  return <ConnectionTestResult isAsking={test.step === 'asking'} report={report} />;
}

interface ConnectionTestResultProps {
  isAsking?: boolean;
  report: ConnectionReport | undefined;
}

const icons = { idle: InfoIcon, good: DoneIcon, warn: WarningIcon, bad: ErrorIcon } as const;

/** The result of a test. Hidden before the first one, so that the live region exists already. */
export function ConnectionTestResult({ isAsking = false, report }: ConnectionTestResultProps) {
  const isQuestionOpen = useApp().asking;
  const shown = isAsking ? undefined : report;
  const tone = toneOf(shown);
  const Icon = icons[tone];
  return (
    <div className={classes.place} data-tone={tone} data-nothing={!isAsking && !shown}>
      <Icon />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An `output` may not hold paragraphs. */}
      <div className="grow slim" role="status">
        {isAsking && t(isQuestionOpen ? 'app.asking' : 'server.testing')}
        {shown && !shown.reached && <ErrorText error={shown.error} during="server" />}
        {shown?.reached && <Report report={shown} />}
      </div>
      {isAsking && (
        <Button variant="subtle" color="gray" size="xs" onClick={cancelTest}>
          {t('server.cancelTest')}
        </Button>
      )}
    </div>
  );
}

function toneOf(report: ConnectionReport | undefined): keyof typeof icons {
  if (!report) return 'idle';
  if (!report.reached) return report.error.kind === 'cancelled' ? 'idle' : 'bad';
  return report.answered === 'asks-for-token' ? 'good' : 'warn';
}

/** The status of the response is shown in Tools mode only. */
function Report({ report }: { report: Extract<ConnectionReport, { reached: true }> }) {
  const { baseUrl, status, milliseconds, answered, secure, software } = report;
  const isWorkbench = useApp().settings.workbench;
  const sentences = [
    t(`server.answered.${answered}`),
    isWorkbench ? t('server.reached', { baseUrl, status, milliseconds }) : t('server.reachedSimple', { milliseconds }),
    t(secure ? 'server.secure' : 'server.insecure'),
    ...(software === undefined ? [] : [t('server.software', { software })]),
  ];
  return <UntrustedText text={sentences.join(' ')} />;
}
