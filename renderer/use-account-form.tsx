import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { cleanEmail, isSeveralEmails } from '../preload/contract/clean-email.ts';
import { currentAppState, isReadAloud, api } from './api.ts';
import { moveFocus } from './move-focus.ts';
import classes from './components/field.module.css';
import { ErrorIcon } from './components/icons.tsx';
import type { AppError, Result } from '../preload/contract/result.ts';
import { shorten } from './error-text.ts';
import { useAction } from './use-action.ts';
import { useRetryAfter } from './use-retry-after.ts';
import { t, useCurrentLanguage } from './i18n.ts';

/** Fields that servers name in validation errors. */
const serverFields = ['name', 'username', 'email', 'password', 'cpassword'] as const;
export type Field = (typeof serverFields)[number];
export type AccountValues = Record<Field, string>;

/** Errors that are found without the server. */
type LocalProblem = Field | 'differs' | 'several';

function LocalErrorText({ problem }: { problem: LocalProblem }) {
  // The form stores this element, so React does not re-render it by itself.
  useCurrentLanguage();
  return <FieldError>{t(`local.${problem}`)}</FieldError>;
}

function localErrors(values: AccountValues, fields: readonly Field[]) {
  const problems = fields.flatMap((field): [Field, LocalProblem][] => {
    if (values[field] === '') return [[field, field]];
    if (field === 'email' && isSeveralEmails(values.email)) return [[field, 'several']];
    return field === 'cpassword' && values.cpassword !== values.password ? [[field, 'differs']] : [];
  });
  return Object.fromEntries(
    problems.map(([field, problem]) => [field, <LocalErrorText key={field} problem={problem} />]),
  );
}

/** With an icon, since an error must not be shown by colour alone (WCAG 1.4.1). */
const FieldError = ({ children }: { children: ReactNode }) => (
  <span className={classes.wrong}>
    <ErrorIcon />
    <span>{children}</span>
  </span>
);

/** Shown if the email was cleaned before it was sent. */
const cleanedProps = () => ({
  description: <output>{t('field.emailCleaned')}</output>,
  inputWrapperOrder: ['label', 'input', 'description', 'error'] satisfies (
    | 'label'
    | 'input'
    | 'description'
    | 'error'
  )[],
});

/** Quotes the server's errors of a field: a single one inline, several as a list. */
function ServerTexts({ texts }: { texts: readonly string[] }) {
  const [first = '', ...others] = texts.map(shorten);
  return (
    <FieldError>
      {others.length === 0 ? (
        <bdi>{t('error.serverMessage', { text: first })}</bdi>
      ) : (
        <>
          {t('error.serverMessageAll')}
          {[first, ...others].map((text) => (
            // The error is a `p`, which may not contain a list.
            <bdi key={text} className={classes.texts}>
              {t('error.quoted', { text })}
            </bdi>
          ))}
        </>
      )}
    </FieldError>
  );
}

/** Splits the server's errors into those of visible fields and the others. */
function splitFieldErrors(error: AppError, shown: readonly Field[]) {
  if (error.kind === 'unauthenticated' && error.field && error.message !== undefined && shown.includes(error.field))
    return { byField: [{ field: error.field, texts: [error.message] }], more: [] };
  if (error.kind !== 'validation') return { byField: [], more: [] };
  const present = serverFields.flatMap((field) => {
    const texts = error.fields[field];
    return texts && texts.length > 0 ? [{ field, texts }] : [];
  });
  const byField = present.filter(({ field }) => shown.includes(field));
  const hidden = present.filter(({ field }) => !shown.includes(field));
  return { byField, more: [...error.form, ...hidden.flatMap(({ texts }) => texts)].map(shorten) };
}

function textsOf(byField: readonly { field: Field; texts: readonly string[] }[], field: Field): ReactNode {
  const texts = byField.find((one) => one.field === field)?.texts;
  return texts && <ServerTexts texts={texts} />;
}

interface AccountFormOptions {
  /** The fields, in visual order. */
  fields: readonly Field[];
  initialValues: Partial<AccountValues>;
  send: (values: AccountValues, remember: boolean) => Promise<Result<unknown>>;
  onValuesChange: (values: AccountValues) => void;
}

/** Errors are no alerts: the first invalid field takes the focus and is announced with its error. */
const fieldProps = { required: true, classNames: { root: classes.field }, errorProps: {} } as const;

/** Selects the rejected value, so that the next key replaces it. */
function focusAndSelect(field: HTMLElement | null): void {
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

/** Shared by the login and the registration form: local validation, one request at a time, errors and focus. */
export function useAccountForm({ fields, initialValues, send, onValuesChange }: AccountFormOptions) {
  const { run, pending, failure, dismiss } = useAction();
  const wait = useRetryAfter(failure);
  const [secretsVisible, setSecretsVisible] = useState(false);
  const [remember, setRemember] = useState(true);
  const [sent, setSent] = useState<{ values: AccountValues; isCleaned: boolean }>();
  const form = useForm<AccountValues>({
    initialValues: { name: '', username: '', email: '', password: '', cpassword: '', ...initialValues },
    onValuesChange,
    validate: (values) => localErrors(values, fields),
  });
  useEffect(
    () => () => {
      // Leaving the form cancels an open system dialog.
      if (currentAppState()?.asking === true) void api.session.cancel();
    },
    [],
  );

  const { byField, more } = failure ? splitFieldErrors(failure.error, fields) : { byField: [], more: [] };
  const hasSummary = byField.length === 0 || more.length > 0;
  // A rejected password is typed again at once. With a screen reader, the message takes the focus instead.
  const isTypedAgain = failure?.error.kind === 'unauthenticated' && !isReadAloud();
  function focusFirst(isWrong: (field: Field) => boolean): void {
    const first = fields.find(isWrong);
    if (first) moveFocus(form.getInputNode(first));
  }
  const focusFailure = useEffectEvent(() => {
    if (hasSummary && isTypedAgain) focusAndSelect(form.getInputNode('password'));
    else if (!hasSummary) focusFirst((field) => byField.some((one) => one.field === field));
  });
  useEffect(() => {
    if (failure) focusFailure();
  }, [failure]);

  const submit = form.onSubmit(
    (values) => {
      if ((wait && wait.left > 0) || pending) return;
      const toSend = { ...values, email: cleanEmail(values.email) };
      if (toSend.email !== values.email) form.setFieldValue('email', toSend.email);
      setSent({ values: toSend, isCleaned: toSend.email !== values.email });
      void run(() => send(toSend, remember));
    },
    (errors) => {
      dismiss();
      focusFirst((field) => field in errors);
    },
  );

  const firstEmpty = fields.find((field) => form.values[field] === '') ?? fields[0]!;
  return {
    submit,
    sending: pending,
    wait,
    /** For an `ErrorMessage`. Undefined if the errors of the fields say everything, and once a wait is over. */
    failure:
      failure && hasSummary && wait?.left !== 0
        ? {
            error: failure.error,
            more,
            counted: wait !== undefined,
            wrongFields: byField.length,
            takesFocus: !isTypedAgain,
          }
        : undefined,
    secretsVisible,
    toggleSecrets: () => setSecretsVisible((visible) => !visible),
    remember,
    setRemember,
    input: (field: Field) => ({
      ...fieldProps,
      ...form.getInputProps(field),
      name: field,
      // After a wait, the focus goes to the button instead.
      'data-home': (field === firstEmpty && wait === undefined) || undefined,
      // A server error concerns the value that was sent, so it disappears when that is changed.
      error: form.errors[field] ?? (sent?.values[field] === form.values[field] ? textsOf(byField, field) : undefined),
      ...(field === 'email' && sent?.isCleaned && sent.values.email === form.values.email && cleanedProps()),
    }),
    /** Checks one field as a submission does. If it is invalid, it takes the focus and false is returned. */
    checkAccount(field: Field): boolean {
      const { hasError } = form.validateField(field);
      if (hasError) focusFirst((each) => each === field);
      return !hasError;
    },
    value: (field: Field) => form.values[field],
    focus: (field: Field) => form.getInputNode(field)?.focus(),
    focusFirstEmpty: () => form.getInputNode(firstEmpty)?.focus(),
    fill: (values: AccountValues) => form.setValues(values),
    repeatPassword: () => form.setFieldValue('cpassword', form.values.password),
    hasSent: sent !== undefined,
  };
}
