import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useAppState } from '../api.ts';
import { useTexts } from '../texts.tsx';
import { askedWait } from '../use-wait.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { besideCountdown, type During } from '../say-error.ts';
import { sayLength } from '../say-length.ts';
import { useSayError } from '../use-say-error.ts';
import { CertificateQuestion } from './certificate-question.tsx';
import { Message } from './message.tsx';
import { OpenInBrowser } from './open-in-browser.tsx';
import { OutsideText, WholeWords } from './outside-text.tsx';

interface ErrorTextProps {
  error: AppError;
  during: During;
  /** Texts of the server that belong to no field on the screen. */
  more?: readonly string[];
  /** Puts the first sentence into a longer one. */
  prefix?: (says: string) => string;
  /** Whether a countdown of the wait stands on the screen. */
  counted?: boolean;
}

const nothing: readonly string[] = [];
const unchanged = (says: string) => says;

/** Shows the sentences of an error: what happened, what to try, what the server said. */
export function ErrorText({ error, during, more = nothing, prefix = unchanged, counted = false }: ErrorTextProps) {
  const { t } = useTexts();
  // An owner of an account can do nothing with codes and addresses. Before there is a state, they may be all there is.
  const isWorkbench = useAppState()?.settings.workbench !== false;
  const whole = useSayError()(error, during);
  const said = counted ? besideCountdown(whole, error, t) : whole;
  const fromServer = said.serverSays && !more.includes(said.serverSays) ? [said.serverSays, ...more] : more;
  return (
    <>
      <Text size="sm" fw={600}>
        <WholeWords text={prefix(said.says)} />
      </Text>
      <Text size="sm">
        <WholeWords text={said.advice} />
      </Text>
      {fromServer.map((text) => (
        <Text key={text} size="sm">
          <OutsideText text={t('error.serverSays', { text })} />
        </Text>
      ))}
      {said.detail && isWorkbench && (
        <Text size="xs" c="dimmed">
          <OutsideText text={t('error.detail', { text: said.detail })} />
        </Text>
      )}
    </>
  );
}

interface ErrorMessageProps extends ErrorTextProps {
  /** Whole seconds left to wait, where nothing else on the screen says them. */
  wait?: number | undefined;
  /** How many fields have texts of their own beside this message. */
  wrongFields?: number;
  /** What can be done about it. */
  children?: ReactNode;
  ref?: Ref<HTMLDivElement> | undefined;
}

/** Shows a failed attempt as an alert. A cancelled one is no alert, since the person wished it. */
export function ErrorMessage({ wait, wrongFields = 0, children, ref, ...error }: ErrorMessageProps) {
  const { t } = useTexts();
  return (
    <Message
      tone={error.error.kind === 'cancelled' ? 'info' : 'error'}
      ref={ref}
      aside={
        <>
          {wait !== undefined && askedWait(error.error) > 0 && <Countdown wait={wait} />}
          <CertificateQuestion error={error.error} />
          <OpenInBrowser error={error.error} />
          {children}
        </>
      }
    >
      <ErrorText {...error} />
      {wrongFields > 0 && <Text size="sm">{t('error.wrongFields', { number: wrongFields })}</Text>}
    </Message>
  );
}

/** Counts the seconds down silently, and announces only the end of the wait. */
export function Countdown({ wait }: { wait: number }) {
  const { t, i18n } = useTexts();
  const over = t('wait.over');
  return (
    <>
      <Text size="sm" role="timer">
        {wait > 0 ? t('wait.left', { time: sayLength(wait, i18n.language) }) : over}
      </Text>
      <VisuallyHidden component="output">{wait > 0 ? '' : over}</VisuallyHidden>
    </>
  );
}
