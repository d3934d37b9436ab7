import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId, useState } from 'react';
import type { CallFilter } from '../../../../preload/contract/calls.ts';
import { workingCalls } from '../../../../preload/contract/proven-parts.ts';
import type { Trial, TrialCall, TrialProposal, TrialRequest } from '../../../../preload/contract/trial.ts';
import { api } from '../../../api.ts';
import { ErrorMessage, ErrorText } from '../../../components/error-message.tsx';
import { DoneIcon, ErrorIcon, InfoIcon } from '../../../components/icons.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { SecretInput } from '../../../components/secret-input.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { callFormatters } from '../../../format.ts';
import { t } from '../../../i18n.ts';
import { navigate } from '../../../route.ts';
import { useAction } from '../../../use-action.ts';
import { faultText } from '../interface-text.ts';
import { useImportContext } from '../use-import.ts';
import type { EditedImport } from '../interface-draft.ts';
import { readObject } from './description.ts';
import { openGuesses, partOf } from './part-marks.ts';
import classes from './try-it.module.css';

/** The server, its connection and the variables of a trial. */
export type TriedAt = Pick<TrialRequest, 'id' | 'enteredConnection' | 'production'> & {
  variables: { name: string; value: string }[];
};

const cancel = (): void => void api.interfaces.cancelTrial();

/** A trial of the imported calls, with a typed or a new account, and the result of each call. */
export function TryIt({ edited, at }: { edited: EditedImport; at: TriedAt }) {
  const id = useId();
  const { reading, usable } = useImportContext();
  // Keeps what was typed while an edited path makes the description invalid.
  const [known, setKnown] = useState(reading);
  if (reading && reading !== known) setKnown(reading);
  const { registrations = [], byUsername = false } = known?.interface ?? {};
  const { values, getInputProps } = useForm({ initialValues: { account: 'typed', who: '', password: '' } });
  const { run, pending, failure } = useAction();
  const [done, setDone] = useState<{ of: string; trial: Trial }>();
  const [failedTexts, setFailedTexts] = useState<readonly string[]>([]);
  // Leaving the panel cancels the trial.
  useEffect(() => cancel, []);

  const { text, address, production, setText, setWorks } = edited;
  const makesUp = values.account === 'made-up' && registrations.length > 0;
  const who = values.who.trim();
  const hasAccount = makesUp || (who !== '' && values.password !== '');
  const canTry = usable !== undefined && !pending && address !== '' && hasAccount;
  // A result is shown only for the text that was tried.
  const trial = done?.of === text ? done.trial : undefined;

  function tryIt() {
    if (!canTry) return;
    const { variables, ...reach } = at;
    const guesses = openGuesses({ ...edited, now: readObject(text) ?? {} });
    const typed = { is: 'typed', email: who, ...(byUsername && { username: who }), password: values.password } as const;
    void run(
      () =>
        api.interfaces.runTrial({
          ...reach,
          production: at.production || production,
          address,
          enteredInterface: { text, variables, guesses },
          account: makesUp ? { is: 'made-up' } : typed,
        }),
      (result) => {
        setDone({ of: text, trial: result });
        if (result.works) setWorks(text, workingCalls(result));
        else setFailedTexts((before) => [...before, text]);
      },
    );
  }

  if (!known) return undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter tries it from each of its fields.
    <section
      className="outlined round10 clip surface"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) tryIt();
      }}
    >
      <div className={classes.head}>
        <h4 id={id} className="flush normal">
          {t('interface.trial.title')}
        </h4>
        <span className={classes.host}>
          <UntrustedText
            text={trial?.created === undefined ? address : t('interface.trial.created', { email: trial.created })}
          />
        </span>
        {pending && (
          <Button variant="subtle" color="gray" size="xs" onClick={cancel}>
            {t('app.cancel')}
          </Button>
        )}
        <Button data-home variant="default" size="xs" aria-busy={pending} aria-disabled={!canTry} onClick={tryIt}>
          {t(pending ? 'interface.trial.trying' : done ? 'interface.trial.again' : 'interface.trial.try')}
        </Button>
      </div>
      <div className={classes.account}>
        {registrations.length > 0 && (
          <NativeSelect
            label={t('interface.trial.account')}
            data={[
              { value: 'typed', label: t('interface.trial.existing') },
              { value: 'made-up', label: t('interface.trial.madeUp') },
            ]}
            {...getInputProps('account')}
            value={makesUp ? 'made-up' : 'typed'}
          />
        )}
        {!makesUp && (
          <>
            <TextInput
              label={t(byUsername ? 'field.username' : 'field.email')}
              maxLength={300}
              {...getInputProps('who')}
              {...plainText}
            />
            <SecretInput
              label={t('field.password')}
              visible={false}
              autoComplete="off"
              maxLength={8000}
              {...getInputProps('password')}
            />
          </>
        )}
      </div>
      {failure && (
        <div className={classes.failure}>
          <ErrorMessage error={failure.error} during="login" />
          {failure.error.kind === 'invalid-interface' &&
            failure.error.faults.map((fault) => (
              <p key={fault.name} className="text">
                {faultText(fault)}
              </p>
            ))}
        </div>
      )}
      <output>
        {trial && (
          <span className={classes.verdict}>
            {trial.works ? t('interface.trial.works', { whose: trial.whose ?? '' }) : t('interface.trial.fails')}
          </span>
        )}
      </output>
      {trial && (
        <ol className={classes.calls} aria-label={t('interface.trial.calls')}>
          {trial.calls.map((call, index) => (
            // A call may occur twice, such as the profile after a renewal.
            // oxlint-disable-next-line react/no-array-index-key
            <Call key={index} call={call} />
          ))}
        </ol>
      )}
      {/* A proposal that failed is not made again. */}
      {trial?.proposals
        .filter((each) => !failedTexts.includes(each.text))
        .map((proposal) => (
          <Proposal key={proposal.text} proposal={proposal} onUse={setText} />
        ))}
    </section>
  );
}

const anyCall: CallFilter = { search: '', outcome: 'all', checks: 'without', pinnedOnly: false };

function Call({ call }: { call: TrialCall }) {
  const { callId, error } = call;
  async function show(id: string) {
    const newest = await api.calls.list({ filter: anyCall, offset: 0 });
    navigate({ page: 'calls', call: newest.ok ? newest.value.calls.find((each) => each.id === id) : undefined });
  }
  const name = call.call === 'csrf' ? t('interface.parts.of.csrf') : t(`interface.parts.of.${call.call}`);
  const line = (
    <>
      {error ? <ErrorIcon /> : <DoneIcon />}
      <span className={error ? 'strong' : ''}>{name}</span>
      <span className={classes.method}>{call.method}</span>
      <bdi className={classes.path}>{call.path}</bdi>
      <span className={classes.status}>{call.status ?? '–'}</span>
      <span className={classes.ms}>{callFormatters().duration(call.ms)}</span>
    </>
  );
  return (
    <li data-bad={error !== undefined}>
      {callId === undefined ? (
        <div className={classes.call}>{line}</div>
      ) : (
        <button type="button" className={classes.call} onClick={() => void show(callId)}>
          {line}
        </button>
      )}
      {error && (
        <div className={classes.error}>
          {call.pageToken === undefined ? (
            <ErrorText error={error} during={`trial-${call.call}`} />
          ) : (
            <PageToken member={call.pageToken} status={call.status} />
          )}
        </div>
      )}
    </li>
  );
}

/** The login form has a token of its page (CSRF), which no description can contain. */
function PageToken({ member, status }: { member: string; status: number | undefined }) {
  return (
    <>
      <Text size="sm" fw={600}>
        <UntrustedText text={t('interface.trial.pageToken.message', { member, status: status ?? '–' })} />
      </Text>
      <p className="flush">{t('interface.trial.pageToken.advice')}</p>
    </>
  );
}

function Proposal({
  proposal: { at, value, evidence, text },
  onUse,
}: {
  proposal: TrialProposal;
  onUse: (text: string) => void;
}) {
  const part = partOf(at);
  return (
    <div className={classes.proposal}>
      <InfoIcon />
      <span className="grow anywhere">
        <UntrustedText
          text={t('interface.trial.proposal', { part: part ? t(`interface.parts.of.${part}`) : at, value })}
        />{' '}
        {evidence !== undefined && <UntrustedText className="mono hint" text={evidence} />}
      </span>
      <Button variant="default" size="xs" onClick={() => onUse(text)}>
        {t('interface.trial.use')}
      </Button>
    </div>
  );
}
