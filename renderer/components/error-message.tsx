import { Text } from '@mantine/core';
import { type Ref, useState } from 'react';
import { useAppState, api } from '../api.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { withoutWait, type During } from '../say-error.ts';
import { useErrorText } from '../use-say-error.ts';
import { useTrust } from './certificate-question.tsx';
import { MailIcon } from './icons.tsx';
import { Notice, type NoticeAction } from './notice.tsx';
import { UntrustedText, BreakableText } from './outside-text.tsx';
import { t } from '../i18n.ts';

interface ErrorTextProps {
  error: AppError;
  during: During;
  /** Texts of the server that belong to no field on the screen. */
  more?: readonly string[];
  /** Puts the first sentence into a longer one. */
  prefix?: (says: string) => string;
  /** Whether a button counts the wait. */
  counted?: boolean;
}

const nothing: readonly string[] = [];
const unchanged = (says: string) => says;

/** Returns the sentences of an error and what the server said of it, each once. */
function useSaid({ error, during, more = nothing, counted = false }: ErrorTextProps) {
  // An owner of an account can do nothing with codes and addresses. Before there is a state, they may be all there is.
  const isWorkbench = useAppState()?.settings.workbench !== false;
  const whole = useErrorText()(error, during);
  const said = counted ? withoutWait(whole, error) : whole;
  const fromServer = said.serverSays && !more.includes(said.serverSays) ? [said.serverSays, ...more] : more;
  return { ...said, fromServer, detail: isWorkbench ? said.detail : undefined };
}

/** What follows the first sentence: what the server said, what to try, and what helps a helper. */
function Rest({ said }: { said: ReturnType<typeof useSaid> }) {
  return (
    <>
      {said.fromServer.map((text) => (
        <p key={text} className="flush">
          <UntrustedText text={t('error.serverSays', { text })} />
        </p>
      ))}
      <p className="flush">
        <BreakableText text={said.advice} />
      </p>
      {said.detail && (
        <p className="flush hint">
          <UntrustedText text={t('error.detail', { text: said.detail })} />
        </p>
      )}
    </>
  );
}

/** Shows the sentences of an error: what happened, what the server said, what to try. */
export function ErrorText({ prefix = unchanged, ...error }: ErrorTextProps) {
  const said = useSaid(error);
  return (
    <>
      <Text size="sm" fw={600}>
        <BreakableText text={prefix(said.says)} />
      </Text>
      <Rest said={said} />
    </>
  );
}

interface ErrorMessageProps extends Omit<ErrorTextProps, 'prefix'> {
  /** How many fields have texts of their own beside this message. */
  wrongFields?: number;
  /** What can be done about it. */
  action?: NoticeAction | undefined;
  ref?: Ref<HTMLDivElement> | undefined;
}

/** Shows a failed attempt as an alert. A cancelled one is no alert, since the person wished it. */
export function ErrorMessage({ wrongFields = 0, action, ref, ...of }: ErrorMessageProps) {
  const said = useSaid(of);
  const open = useOpenInBrowser(of.error);
  const trust = useTrust(of.error);
  const { error, during } = of;
  const mayExist = during === 'register' && 'perhapsDone' in error && error.perhapsDone === true;
  const held = error.kind === 'account-held' ? error.state : undefined;
  // These wait for somebody, and nothing went wrong.
  const isWaiting = held === 'unconfirmed' || held === 'pending' || held === 'change-password';
  const tone =
    error.kind === 'cancelled' || isWaiting ? 'info' : mayExist || error.kind === 'throttled' ? 'warning' : 'error';
  return (
    <Notice
      // Another error is another notice, whose rest is folded again.
      key={said.says}
      tone={tone}
      {...(held === 'unconfirmed' && { icon: MailIcon })}
      ref={ref}
      line={<BreakableText text={mayExist ? t('error.mayExist') : said.says} />}
      action={action ?? trust.action ?? open.action}
      // What the person wished needs no reason.
      why={
        (error.kind !== 'cancelled' || mayExist) && (
          <>
            {mayExist && <p>{said.says}</p>}
            <Rest said={said} />
            {wrongFields > 0 && <p>{t('error.wrongFields', { number: wrongFields })}</p>}
            {trust.facts}
          </>
        )
      }
      news={trust.news ?? open.news}
    />
  );
}

/** These answers were pages for people, which only a browser can show. */
const pages: ReadonlySet<string> = new Set(['html', 'captive-portal', 'protection-page', 'redirect-to-login']);

/** Opens the address of the server in the browser; main asks first and shows the host. */
function useOpenInBrowser(error: AppError): { action?: NoticeAction; news?: string } {
  const sayError = useErrorText();
  const [failed, setFailed] = useState<AppError>();
  if (error.kind !== 'not-an-api-answer' || !pages.has(error.reason)) return {};

  async function open() {
    const result = await api.servers.openInBrowser();
    setFailed(result.ok ? undefined : result.error);
  }

  const said = failed && sayError(failed, 'server');
  return {
    action: { label: t('openInBrowser'), onPress: () => void open() },
    ...(said && { news: `${said.says} ${said.advice}` }),
  };
}
