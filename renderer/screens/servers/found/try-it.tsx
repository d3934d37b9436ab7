import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { InterfaceReading } from '../../../../preload/contract/connection.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { SecretInput } from '../../../components/secret-input.tsx';
import { useFaultWords } from '../use-fault-words.ts';
import type { OpenImport } from '../use-import.ts';
import { readObject } from './description-json.ts';
import { openGuesses } from './part-marks.ts';
import { TrialResult } from './trial-result.tsx';
import classes from './try-it.module.css';
import { type TriedAt, useTrial } from './use-trial.ts';
import { t } from '../../../i18n.ts';

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
  const say = useFaultWords();
  return (
    <div className={classes.failure}>
      <ErrorMessage error={error} during="login" />
      {error.kind === 'invalid-interface' &&
        error.faults.map((each) => (
          <p key={each.name} className="text">
            {say(each)}
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
