import { TextInput, VisuallyHidden } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { CodeMethod } from '../../../../preload/contract/interface.ts';
import type { PendingLoginInfo } from '../../../../preload/contract/models.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import fieldClasses from '../../../components/field.module.css';
import { ErrorIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { SubmitButton } from '../../../components/submit-button.tsx';
import { t } from '../../../i18n.ts';
import { useAction } from '../../../use-action.ts';
import { useNow } from '../../../use-now.ts';
import { useRetryAfter } from '../../../use-retry-after.ts';
import classes from './code.module.css';

/** Milliseconds after which the server may be asked for another code. */
const sendAgainAfterMs = 30_000;

interface CodeFormProps {
  login: PendingLoginInfo;
  method: CodeMethod;
  onMethod: (method: CodeMethod) => void;
  /** The id of the sentence that says what the code is for. */
  describedBy: string;
  /** Absent where the form is in a dialog with a button of its own. */
  onCancel?: (() => void) | undefined;
  onResult?: ((result: Result<null>) => void) | undefined;
}

/** Asks for the code of a second factor, and offers the other ways to give one. */
export function CodeForm({ login, method, onMethod, describedBy, onCancel, onResult }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { run, pending, failure, dismiss } = useAction();
  const request = useCodeRequest(login, method);
  const wait = useRetryAfter(failure);
  const fieldRef = useRef<HTMLInputElement>(null);
  const isRecovery = method === 'recovery';
  const isWrong = failure?.error.kind === 'wrong-code';
  useEffect(() => fieldRef.current?.focus(), []);

  function change(next: CodeMethod): void {
    dismiss();
    request.dismiss();
    setCode('');
    setMissing(false);
    onMethod(next);
    fieldRef.current?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (pending || (wait && wait.left > 0)) return;
    setMissing(code === '');
    if (code === '') {
      dismiss();
      fieldRef.current?.focus();
      return;
    }
    const result = await run(() => api.session.sendCode({ method, code }));
    if (result) onResult?.(result);
    if (result?.ok !== false || result.error.kind !== 'wrong-code') return;
    setCode('');
    fieldRef.current?.focus();
  }

  const wrong = isMissing ? t('code.missing') : isWrong ? t(`code.wrong.${method}`) : undefined;
  const others = login.methods.filter((each) => each.method !== method);
  const otherFailure = isWrong ? request.failure : (failure ?? request.failure);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        ref={fieldRef}
        name="code"
        label={t(`code.label.${method}`)}
        required
        classNames={{ root: fieldClasses.field, input: classes.code }}
        errorProps={{}}
        aria-describedby={describedBy}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        data-autofocus
        data-home
        value={code}
        description={isRecovery ? t('code.recoveryHelp') : <TimeLeft login={login} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={wrong !== undefined && <Wrong>{wrong}</Wrong>}
        onChange={({ currentTarget: { value } }) => {
          setMissing(false);
          // Apps and emails show codes in groups.
          setCode(isRecovery ? value : value.replaceAll(/[\s-]/g, ''));
        }}
      />
      <SubmitButton label={t('screen.login')} waitingLabel={t('screen.login')} sending={pending} wait={wait}>
        {otherFailure && wait?.left !== 0 && (
          <ErrorMessage error={otherFailure.error} during="login" counted={wait !== undefined} />
        )}
      </SubmitButton>
      <div className={classes.others}>
        {request.isOffered && (
          <button
            type="button"
            className={linkClasses.link}
            data-size="small"
            aria-disabled={request.left > 0}
            aria-busy={request.pending}
            onClick={() => (request.left > 0 ? undefined : void request.send())}
          >
            {request.left > 0 ? t('code.sendAgainIn', { seconds: request.left }) : t('code.sendAgain')}
          </button>
        )}
        {others.map((other) => (
          <button
            key={other.method}
            type="button"
            className={linkClasses.link}
            data-size="small"
            onClick={() => change(other.method)}
          >
            {t(other.method === 'email' && !other.isSent ? 'code.useReceived' : `code.use.${other.method}`)}
          </button>
        ))}
        {onCancel && (
          <button type="button" className={linkClasses.link} data-size="small" data-quiet onClick={onCancel}>
            {t('app.cancel')}
          </button>
        )}
      </div>
      <VisuallyHidden component="output">{request.isSent && t('code.sent')}</VisuallyHidden>
    </form>
  );
}

/** With an icon, since an error must not be shown by colour alone (WCAG 1.4.1). */
const Wrong = ({ children }: { children: ReactNode }) => (
  <span className={fieldClasses.wrong}>
    <ErrorIcon />
    <span>{children}</span>
  </span>
);

/** Has the server send a code as soon as the method is chosen, and again on request. */
function useCodeRequest({ methods }: PendingLoginInfo, method: CodeMethod) {
  const { run, pending, failure, dismiss } = useAction();
  const [sentAt, setSentAt] = useState<number>();
  const isOffered = methods.some((each) => each.method === method && each.isSent);
  const until = sentAt === undefined ? undefined : sentAt + sendAgainAfterMs;
  const now = useNow(until);
  const asked = useRef(false);

  async function send(): Promise<void> {
    const result = await run(() => api.session.requestCode({ method }));
    if (result?.ok) setSentAt(Date.now());
  }
  const sendOnce = useEffectEvent(() => {
    if (asked.current) return;
    asked.current = true;
    void send();
  });
  useEffect(() => {
    if (isOffered) sendOnce();
  }, [isOffered]);

  const left = until === undefined ? 0 : Math.max(0, Math.min(30, Math.ceil((until - now) / 1000)));
  return { isOffered, isSent: isOffered && sentAt !== undefined, left, pending, failure, dismiss, send };
}

/** Seconds at which the rest of the time is announced. */
const announced = [10, 30, 60] as const;

/** The last minute until the server ends the login. */
function TimeLeft({ login: { expiresAt } }: { login: PendingLoginInfo }) {
  const until = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  const now = useNow(until);
  const id = useId();
  const left = until === undefined ? Infinity : Math.max(0, Math.ceil((until - now) / 1000));
  const passed = announced.find((seconds) => left <= seconds);
  return (
    <span id={id}>
      {passed !== undefined && <span aria-hidden>{t('code.left', { count: left })}</span>}
      <VisuallyHidden component="output">{passed !== undefined && t('code.left', { count: passed })}</VisuallyHidden>
    </span>
  );
}
