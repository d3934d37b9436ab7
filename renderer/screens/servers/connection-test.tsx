import { Button } from '@mantine/core';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { useApp } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { DoneIcon, ErrorIcon, InfoIcon, WarningIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import type { AppError } from '../../../preload/contract/result.ts';
import classes from './connection-test.module.css';
import type { ShownTest } from './use-connection-test.ts';
import { t } from '../../i18n.ts';

type Tone = 'idle' | 'good' | 'warn' | 'bad';
const icons = { idle: InfoIcon, good: DoneIcon, warn: WarningIcon, bad: ErrorIcon } as const;

/** Says how the last test of the connection ended. Nothing is seen of it before there was one. */
export function ConnectionTestResult({ test, onCancel }: { test: ShownTest; onCancel?: () => void }) {
  const isAsked = useApp().asking;
  const error = errorOf(test);
  const tone = toneOf(test, error);
  const Icon = icons[tone];
  return (
    <div className={classes.place} data-tone={tone} data-nothing={test.step === 'idle'}>
      <Icon />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An `output` may not hold paragraphs. */}
      <div className="grow slim" role="status">
        {test.step === 'asking' && t(isAsked ? 'app.asking' : 'server.testing')}
        {error && <ErrorText error={error} during="server" />}
        {test.step === 'found' && test.report.reached && <Report report={test.report} />}
      </div>
      {test.step === 'asking' && (
        <Button variant="subtle" color="gray" size="xs" onClick={onCancel}>
          {t('server.cancelTest')}
        </Button>
      )}
    </div>
  );
}

function errorOf(test: ShownTest): AppError | undefined {
  if (test.step === 'failed') return test.error;
  return test.step === 'found' && !test.report.reached ? test.report.error : undefined;
}

function toneOf(test: ShownTest, error: AppError | undefined): Tone {
  if (error) return error.kind === 'cancelled' ? 'idle' : 'bad';
  if (test.step !== 'found' || !test.report.reached) return 'idle';
  return test.report.answered === 'asks-for-token' ? 'good' : 'warn';
}

/** Says what answered. The status of the answer is for those who work with the Workbench. */
function Report({ report }: { report: Extract<ConnectionReport, { reached: true }> }) {
  const isWorkbench = useApp().settings.workbench;
  return <UntrustedText text={sentencesOf(report, isWorkbench).join(' ')} />;
}

function sentencesOf(
  { baseUrl, status, milliseconds, answered, secure, software }: Extract<ConnectionReport, { reached: true }>,
  isWorkbench: boolean,
): string[] {
  return [
    t(`server.answered.${answered}`),
    isWorkbench ? t('server.reached', { baseUrl, status, milliseconds }) : t('server.reachedSimple', { milliseconds }),
    t(secure ? 'server.secure' : 'server.insecure'),
    ...(software === undefined ? [] : [t('server.software', { software })]),
  ];
}
