import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useAppState, api } from '../api.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { withoutWait, type During } from '../error-text.ts';
import { useErrorText } from '../use-error-text.ts';
import { useTrust } from './use-trust.tsx';
import { MailIcon } from './icons.tsx';
import { Alert, type AlertAction, type AlertProps } from './alert.tsx';
import { moveFocus } from '../move-focus.ts';
import { UntrustedText, BreakableText } from './untrusted-text.tsx';
import { t } from '../i18n.ts';

interface ErrorTextProps {
  error: AppError;
  during: During;
  /** Messages of the server that belong to no visible field. */
  more?: readonly string[];
  /** Whether a button counts down the wait. */
  counted?: boolean;
}

const nothing: readonly string[] = [];

/** Returns the texts of an error and the messages of the server, each once. */
function useErrorTexts({ error, during, more = nothing, counted = false }: ErrorTextProps) {
  // The simple mode hides technical details. Without a state, they may be the only information.
  const isWorkbench = useAppState()?.settings.workbench !== false;
  const whole = useErrorText()(error, during);
  const texts = counted ? withoutWait(whole, error) : whole;
  const fromServer = texts.serverMessage && !more.includes(texts.serverMessage) ? [texts.serverMessage, ...more] : more;
  return { ...texts, fromServer, detail: isWorkbench ? texts.detail : undefined };
}

/** Everything after the first sentence: messages of the server, advice and technical details. */
function MoreOfError({ texts }: { texts: ReturnType<typeof useErrorTexts> }) {
  return (
    <>
      {texts.fromServer.map((text) => (
        <p key={text} className="flush">
          <UntrustedText text={t('error.serverMessage', { text })} />
        </p>
      ))}
      <p className="flush">
        <BreakableText text={texts.advice} />
      </p>
      {texts.detail && (
        <p className="flush hint">
          <UntrustedText text={t('error.detail', { text: texts.detail })} />
        </p>
      )}
    </>
  );
}

/** All texts of an error: what happened, messages of the server, and advice. */
export function ErrorText(error: ErrorTextProps) {
  const texts = useErrorTexts(error);
  return (
    <>
      <Text size="sm" fw={600}>
        <BreakableText text={texts.message} />
      </Text>
      <MoreOfError texts={texts} />
    </>
  );
}

/** The texts of an error after the first sentence. */
export const ErrorDetails = (error: ErrorTextProps) => <MoreOfError texts={useErrorTexts(error)} />;

interface ErrorMessageProps extends ErrorTextProps {
  /** For a condition of the page; otherwise it follows from the error. */
  tone?: AlertProps['tone'];
  /** Embeds the first sentence in a longer one. */
  prefix?: (message: string) => string;
  /** The number of fields that have errors of their own. */
  wrongFields?: number;
  /** Replaces the action that follows from the error. */
  action?: AlertAction | undefined;
  /** Whether it takes the focus on mount. Not if a field does, or without a preceding user action. */
  takesFocus?: boolean;
}

/**
 * Shows why an action failed, below the control that caused it. It takes the focus and is scrolled into view. A
 * cancelled action is no alert, since the user wanted that.
 */
export function ErrorMessage({
  wrongFields = 0,
  tone: given,
  prefix,
  action,
  takesFocus = true,
  ...of
}: ErrorMessageProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    moveFocus(ref.current, { preventScroll: true });
    // Only as far as needed, so that the clicked button stays visible.
    ref.current?.closest('[data-message]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-deps -- Another error takes the focus again.
  }, [of.error, takesFocus]);
  const texts = useErrorTexts(of);
  const open = useOpenInBrowser(of.error);
  const trust = useTrust(of.error);
  const { error, during } = of;
  const isUnsure = 'perhapsDone' in error && error.perhapsDone === true;
  const mayExist = during === 'register' && isUnsure;
  const mayBeDone = isUnsure && (during === 'change-password' || during === 'delete-account');
  const held = error.kind === 'account-held' ? error.state : undefined;
  // These accounts wait for a further step, and nothing failed.
  const isWaiting = held === 'unconfirmed' || held === 'pending' || held === 'change-password';
  const tone =
    given ??
    (error.kind === 'cancelled' || isWaiting ? 'info' : mayExist || error.kind === 'throttled' ? 'warning' : 'error');
  return (
    <Alert
      // Keyed by the text, so that a new error starts collapsed.
      key={texts.message}
      tone={tone}
      {...(held === 'unconfirmed' && { icon: MailIcon })}
      {...(takesFocus && { ref })}
      title={<BreakableText text={mayExist ? t('error.mayExist') : (prefix?.(texts.message) ?? texts.message)} />}
      action={action ?? trust.action ?? open.action}
      // A cancellation needs no reason.
      details={
        (error.kind !== 'cancelled' || mayExist || mayBeDone) && (
          <>
            {mayExist && <p>{texts.message}</p>}
            <MoreOfError texts={texts} />
            {wrongFields > 0 && <p>{t('error.wrongFields', { number: wrongFields })}</p>}
            {trust.facts}
          </>
        )
      }
      result={trust.news ?? open.news}
    />
  );
}

/** Reasons whose response was a web page, which only a browser can show. */
const pages: ReadonlySet<string> = new Set(['html', 'captive-portal', 'protection-page', 'redirect-to-login']);

/** Opens the address of the server in the browser. Main asks for confirmation and shows the host. */
function useOpenInBrowser(error: AppError): { action?: AlertAction; news?: string } {
  const errorText = useErrorText();
  const [failed, setFailed] = useState<AppError>();
  if (error.kind !== 'not-an-api-answer' || !pages.has(error.reason)) return {};

  async function open() {
    const result = await api.servers.openInBrowser();
    setFailed(result.ok ? undefined : result.error);
  }

  const texts = failed && errorText(failed, 'server');
  return {
    action: { label: t('openInBrowser'), onPress: () => void open() },
    ...(texts && { news: `${texts.message} ${texts.advice}` }),
  };
}
