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

/** Those that a server's texts are about by their names. */
const ofServers = ['name', 'username', 'email', 'password', 'cpassword'] as const;
export type Field = (typeof ofServers)[number];
export type AccountValues = Record<Field, string>;

/** The problems that this side can be certain of. The server says everything else. */
type LocalProblem = Field | 'differs' | 'several';

function LocalText({ problem }: { problem: LocalProblem }) {
  // The form holds this element, and React renders nothing again whose element is the same.
  useCurrentLanguage();
  return <Wrong>{t(`local.${problem}`)}</Wrong>;
}

/** Returns a text for each field that is wrong whatever the server may say. */
function localErrors(values: AccountValues, fields: readonly Field[]) {
  const problems = fields.flatMap((field): [Field, LocalProblem][] => {
    if (values[field] === '') return [[field, field]];
    if (field === 'email' && isSeveralEmails(values.email)) return [[field, 'several']];
    return field === 'cpassword' && values.cpassword !== values.password ? [[field, 'differs']] : [];
  });
  return Object.fromEntries(problems.map(([field, problem]) => [field, <LocalText key={field} problem={problem} />]));
}

/** Shows what is wrong with a field: with a sign, so that it is not said by colour alone. */
const Wrong = ({ children }: { children: ReactNode }) => (
  <span className={classes.wrong}>
    <ErrorIcon />
    <span>{children}</span>
  </span>
);

/** Says that an email is not what was typed. */
const cleanedProps = () => ({
  description: <output>{t('field.emailCleaned')}</output>,
  inputWrapperOrder: ['label', 'input', 'description', 'error'] satisfies (
    | 'label'
    | 'input'
    | 'description'
    | 'error'
  )[],
});

/** Quotes what the server said of a field: one text in a line, several as a list. */
function ServerTexts({ texts }: { texts: readonly string[] }) {
  const [first = '', ...others] = texts.map(shorten);
  return (
    <Wrong>
      {others.length === 0 ? (
        <bdi>{t('error.serverSays', { text: first })}</bdi>
      ) : (
        <>
          {t('error.serverSaysAll')}
          {[first, ...others].map((text) => (
            // The error is a paragraph, which may hold no list.
            <bdi key={text} className={classes.texts}>
              {t('error.quoted', { text })}
            </bdi>
          ))}
        </>
      )}
    </Wrong>
  );
}

/** Parts the server's texts into those for fields on the screen and those that must stand elsewhere. */
function splitFieldErrors(error: AppError, shown: readonly Field[]) {
  if (error.kind === 'unauthenticated' && error.field && error.message !== undefined && shown.includes(error.field))
    return { byField: [{ field: error.field, texts: [error.message] }], more: [] };
  if (error.kind !== 'validation') return { byField: [], more: [] };
  const present = ofServers.flatMap((field) => {
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
  /** The fields, in the order of the screen. */
  fields: readonly Field[];
  initialValues: Partial<AccountValues>;
  send: (values: AccountValues, remember: boolean) => Promise<Result<unknown>>;
  onValuesChange: (values: AccountValues) => void;
}

/** The errors are no alerts: the first wrong field takes the focus and is read with its error, which would be said twice. */
const ofEveryField = { required: true, classNames: { root: classes.field }, errorProps: {} } as const;

/** Selects what was refused, so that the next key replaces it. */
function typeAgain(field: HTMLElement | null): void {
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

function useChoices() {
  const [secretsVisible, setSecretsVisible] = useState(false);
  const [remember, setRemember] = useState(true);
  return { secretsVisible, toggleSecrets: () => setSecretsVisible((visible) => !visible), remember, setRemember };
}

/** A form that is left answers the question with no that the system still asks. */
function useNoOnLeaving(): void {
  useEffect(
    () => () => {
      if (currentAppState()?.asking === true) void api.session.cancel();
    },
    [],
  );
}

/** Does what log in and create account have in common: local checks, one submit at a time, errors and the focus. */
export function useAccountForm(options: AccountFormOptions) {
  const { fields, initialValues, send, onValuesChange } = options;
  useNoOnLeaving();
  const { failure, ...attempt } = useAction();
  const wait = useRetryAfter(failure);
  const choices = useChoices();
  const [sent, setSent] = useState<{ values: AccountValues; isCleaned: boolean }>();

  const form = useForm<AccountValues>({
    initialValues: { name: '', username: '', email: '', password: '', cpassword: '', ...initialValues },
    onValuesChange,
    validate: (values) => localErrors(values, fields),
  });

  const { byField, more } = failure ? splitFieldErrors(failure.error, fields) : { byField: [], more: [] };

  function focusFirst(wrong: (field: Field) => boolean): void {
    const first = fields.find(wrong);
    if (first) moveFocus(form.getInputNode(first));
  }

  const hasSummary = byField.length === 0 || more.length > 0;
  // What was refused is typed again at once. Who hears the window hears the notice instead.
  const isTypedAgain = failure?.error.kind === 'unauthenticated' && !isReadAloud();
  const focusFailure = useEffectEvent(() => {
    if (hasSummary && isTypedAgain) typeAgain(form.getInputNode('password'));
    else if (!hasSummary) focusFirst((field) => byField.some((one) => one.field === field));
  });
  useEffect(() => {
    if (failure) focusFailure();
  }, [failure]);

  const said = {
    more,
    counted: wait !== undefined,
    wrongFields: byField.length,
    takesFocus: !isTypedAgain,
  };

  const submit = form.onSubmit(
    (values) => {
      if ((wait && wait.left > 0) || attempt.pending) return;
      const toSend = { ...values, email: cleanEmail(values.email) };
      if (toSend.email !== values.email) form.setFieldValue('email', toSend.email);
      setSent({ values: toSend, isCleaned: toSend.email !== values.email });
      void attempt.run(() => send(toSend, choices.remember));
    },
    (errors) => {
      attempt.dismiss();
      focusFirst((field) => field in errors);
    },
  );

  return {
    submit,
    sending: attempt.pending,
    wait,
    /** What the summary says. It is undefined where the texts under the fields say everything, and once a wait is over. */
    alert: failure && hasSummary && wait?.left !== 0 ? { error: failure.error, ...said } : undefined,
    ...choices,
    input: (field: Field) => ({
      ...ofEveryField,
      ...form.getInputProps(field),
      name: field,
      // A server's text is about the value that it was sent, so it goes away when that value is changed.
      error: form.errors[field] ?? (sent?.values[field] === form.values[field] ? textsOf(byField, field) : undefined),
      ...(field === 'email' && sent?.isCleaned && sent.values.email === form.values.email && cleanedProps()),
    }),
    value: (field: Field) => form.values[field],
    focus: (field: Field) => form.getInputNode(field)?.focus(),
    /** Puts the cursor where something is to be typed. */
    focusFirstEmpty: () => form.getInputNode(fields.find((field) => form.values[field] === '') ?? fields[0]!)?.focus(),
    fill: (values: AccountValues) => form.setValues(values),
    repeatPassword: () => form.setFieldValue('cpassword', form.values.password),
    hasSent: sent !== undefined,
  };
}
