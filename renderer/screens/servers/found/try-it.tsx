import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { InterfaceGuess, InterfaceReading } from '../../../../preload/contract/connection.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { ErrorMessage, ErrorText } from '../../../components/error-message.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { SecretInput } from '../../../components/secret-input.tsx';
import { faultText } from '../interface-text.ts';
import type { OpenImport } from '../use-import.ts';
import { readObject } from './description.ts';
import { openGuesses, partOf } from './part-marks.ts';
import classes from './try-it.module.css';
import { t } from '../../../i18n.ts';
import type { CallFilter } from '../../../../preload/contract/calls.ts';
import type { Trial, TrialAccount, TrialCall, TrialProposal, WantedTrial } from '../../../../preload/contract/trial.ts';
import { callFormatters } from '../../../format.ts';
import { api } from '../../../api.ts';
import { DoneIcon, ErrorIcon, InfoIcon } from '../../../components/icons.tsx';
import { navigate } from '../../../route.ts';
import { workingCalls } from '../../../../preload/contract/proven-parts.ts';
import { useAction } from '../../../use-action.ts';

interface TryItProps {
  open: OpenImport;
  /** The description as it was read last. */
  reading: Extract<InterfaceReading, { readable: true }> | undefined;
  /** Whether it can be used as it is now. */
  isUsable: boolean;
  at: TriedAt;
}

/** Logs in by what was found, with an account that is given or a new one, and says how each call went. */
export function TryIt({ open, reading, isUsable, at }: TryItProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  // What was typed stays where a path is being changed and cannot be read meanwhile.
  const [known, setKnown] = useState(reading);
  if (reading && reading !== known) setKnown(reading);
  const { registrations = [], byUsername = false } = known?.interface ?? {};
  const [isMadeUp, setMadeUp] = useState(false);
  const [who, setWho] = useState('');
  const [password, setPassword] = useState('');
  const production = at.production || open.production;
  const { run, cancel, sending, failure, trial, wasTried } = useTrial(
    { text: open.text, address: open.address, guesses: openGuesses({ ...open, now: readObject(open.text) ?? {} }) },
    { ...at, production },
    open.setWorks,
  );
  const makesUp = isMadeUp && registrations.length > 0;
  const canTry = isUsable && !sending && open.address !== '' && (makesUp || (who.trim() !== '' && password !== ''));
  function press() {
    if (!canTry) return;
    const typed = { is: 'typed', email: who.trim(), ...(byUsername && { username: who.trim() }), password } as const;
    void run(makesUp ? { is: 'made-up' } : typed);
  }
  if (!known) return undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter tries it from each of its fields.
    <section
      className={classes.card}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) press();
      }}
    >
      <div className={classes.head}>
        <h4 id={id} className="flush normal">
          {t('interface.trial.title')}
        </h4>
        <span className={classes.host}>
          <UntrustedText
            text={trial?.created === undefined ? open.address : t('interface.trial.created', { email: trial.created })}
          />
        </span>
        {sending && (
          <Button variant="subtle" color="gray" size="xs" onClick={cancel}>
            {t('app.cancel')}
          </Button>
        )}
        <Button ref={buttonRef} variant="default" size="xs" aria-busy={sending} aria-disabled={!canTry} onClick={press}>
          {t(sending ? 'interface.trial.trying' : wasTried ? 'interface.trial.again' : 'interface.trial.try')}
        </Button>
      </div>
      <Account
        {...{ makesUp, byUsername, who, password }}
        canMakeUp={registrations.length > 0}
        onMakeUp={setMadeUp}
        onWho={setWho}
        onPassword={setPassword}
      />
      {failure && <Failure error={failure} />}
      <output>{trial && <Verdict works={trial.works} whose={trial.whose} />}</output>
      {trial && (
        <TrialResult
          trial={trial}
          onUse={(text) => {
            open.setText(text);
            // The button that was pressed goes with the proposals.
            buttonRef.current?.focus();
          }}
        />
      )}
    </section>
  );
}

/** Says why nothing was tried, and which values are missing for it. */
function Failure({ error }: { error: AppError }) {
  return (
    <div className={classes.failure}>
      <ErrorMessage error={error} during="login" />
      {error.kind === 'invalid-interface' &&
        error.faults.map((each) => (
          <p key={each.name} className="text">
            {faultText(each)}
          </p>
        ))}
    </div>
  );
}

interface AccountProps {
  makesUp: boolean;
  canMakeUp: boolean;
  byUsername: boolean;
  who: string;
  password: string;
  onMakeUp: (makesUp: boolean) => void;
  onWho: (who: string) => void;
  onPassword: (password: string) => void;
}

/** Asks for an account, or whether one is to be made. */
function Account({ makesUp, canMakeUp, byUsername, who, password, ...on }: AccountProps) {
  const { onMakeUp, onWho, onPassword } = on;
  return (
    <div className={classes.account}>
      {canMakeUp && (
        <NativeSelect
          label={t('interface.trial.account')}
          data={[
            { value: 'typed', label: t('interface.trial.existing') },
            { value: 'made-up', label: t('interface.trial.madeUp') },
          ]}
          value={makesUp ? 'made-up' : 'typed'}
          onChange={(event) => onMakeUp(event.currentTarget.value === 'made-up')}
        />
      )}
      {!makesUp && (
        <>
          <TextInput
            label={t(byUsername ? 'field.username' : 'field.email')}
            maxLength={300}
            value={who}
            onChange={(event) => onWho(event.currentTarget.value)}
            {...plainText}
          />
          <SecretInput
            label={t('field.password')}
            visible={false}
            autoComplete="off"
            maxLength={8000}
            value={password}
            onChange={(event) => onPassword(event.currentTarget.value)}
          />
        </>
      )}
    </div>
  );
}

function Verdict({ works, whose }: { works: boolean; whose: string | undefined }) {
  return (
    <span className={classes.verdict}>
      {works ? t('interface.trial.works', { whose: whose ?? '' }) : t('interface.trial.fails')}
    </span>
  );
}

/** Lists the calls of a trial as they went, and what would mend the description, one press each. */
export function TrialResult({ trial, onUse }: { trial: Trial; onUse: (text: string) => void }) {
  return (
    <>
      <ol className={classes.calls} aria-label={t('interface.trial.calls')}>
        {trial.calls.map((call, index) => (
          // A call may be made twice, such as the profile after a renewal.
          // oxlint-disable-next-line react/no-array-index-key
          <Call key={index} call={call} />
        ))}
      </ol>
      {trial.proposals.map((proposal) => (
        <Proposal key={proposal.text} proposal={proposal} onUse={onUse} />
      ))}
    </>
  );
}

const anyCall: CallFilter = { search: '', outcome: 'all', contractRuns: 'without', pinnedOnly: false };

function Call({ call }: { call: TrialCall }) {
  const { callId, error } = call;
  async function show(id: string) {
    const newest = await api.calls.list({ filter: anyCall, offset: 0 });
    navigate({ room: 'calls', call: newest.ok ? newest.value.calls.find((each) => each.id === id) : undefined });
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

/** Says of a form that it has a token of its page, which no description can know. */
function PageToken({ member, status }: { member: string; status: number | undefined }) {
  return (
    <>
      <Text size="sm" fw={600}>
        <UntrustedText text={t('interface.trial.pageToken.says', { member, status: status ?? '–' })} />
      </Text>
      <p className="flush">{t('interface.trial.pageToken.try')}</p>
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

/** What is tried beside the description: where, and how it is reached. */
export type TriedAt = Pick<WantedTrial, 'id' | 'enteredConnection' | 'production'> & {
  variables: { name: string; value: string }[];
};

/**
 * Tries a description at its server, once a press. What came of it belongs to the text that was tried.
 * @param tried the description, where it is tried, and what of it is still as the import guessed it
 * @param onWorks told of a text by which a login worked
 */
export function useTrial(
  tried: { text: string; address: string; guesses: InterfaceGuess[] },
  at: TriedAt,
  onWorks: (text: string, calls: readonly string[]) => void,
) {
  const { text, address, guesses } = tried;
  const { variables, ...reach } = at;
  const attempt = useAction();
  const [done, setDone] = useState<{ of: string; trial: Trial }>();
  const [failed, setFailed] = useState<readonly string[]>([]);
  // Who leaves the panel waits for nothing more.
  useEffect(() => () => void api.interfaces.cancelTry(), []);

  async function run(account: TrialAccount) {
    const entered = { ...reach, address, enteredInterface: { text, variables, guesses } };
    const result = await attempt.run(() => api.interfaces.try({ ...entered, account }));
    if (!result?.ok) return;
    setDone({ of: text, trial: result.value });
    if (result.value.works) onWorks(text, workingCalls(result.value));
    else setFailed((before) => [...before, text]);
  }

  return {
    run,
    cancel: () => void api.interfaces.cancelTry(),
    sending: attempt.pending,
    failure: attempt.failure?.error,
    trial: done?.of === text ? withoutFailed(done.trial, failed) : undefined,
    wasTried: done !== undefined,
  };
}

/** A trial that proposes nothing again that was tried and failed. */
const withoutFailed = (trial: Trial, failed: readonly string[]): Trial => ({
  ...trial,
  proposals: trial.proposals.filter((each) => !failed.includes(each.text)),
});
