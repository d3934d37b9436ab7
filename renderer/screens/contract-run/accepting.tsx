import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { longestReason } from '../../../preload/contract/run-limits.ts';
import { Question } from '../../components/question.tsx';
import { useTexts } from '../../texts.tsx';
import { acceptanceOf } from './acceptance.ts';
import { AcceptanceNote } from './acceptance-note.tsx';
import classes from './evidence.module.css';
import { useReport } from './report-context.ts';

/** Accepts a broken rule or a finding, or lets it count again. Its first button keeps its place and the focus. */
export function Accepting({ fault, title }: { fault: string; title: string }) {
  const { t } = useTexts();
  const { acceptances, onAccept, onWithdraw } = useReport();
  const [asking, setAsking] = useState(false);
  const acceptance = acceptanceOf(acceptances, fault);
  const holds = acceptance?.state === 'holds';
  const hasEnded = acceptance?.state === 'ended';
  return (
    <div className={classes.part}>
      {acceptance && <AcceptanceNote acceptance={acceptance} />}
      <div className={classes.accepting}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t(holds ? 'contract.accepted.withdrawOf' : 'contract.accepted.acceptOf', { title })}
          onClick={() => (holds ? onWithdraw(fault) : setAsking(true))}
        >
          {t(holds ? 'contract.accepted.withdraw' : 'contract.accepted.accept')}
        </Button>
        {hasEnded && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-label={t('contract.accepted.withdrawOf', { title })}
            onClick={() => onWithdraw(fault)}
          >
            {t('contract.accepted.withdraw')}
          </Button>
        )}
      </div>
      {asking && (
        <AcceptQuestion
          title={title}
          onKeep={() => setAsking(false)}
          onAccept={(reason, until) => {
            setAsking(false);
            onAccept(fault, reason, until);
          }}
        />
      )}
    </div>
  );
}

interface AcceptQuestionProps {
  title: string;
  onKeep: () => void;
  onAccept: (reason: string, until: string | undefined) => void;
}

/** Asks why something is accepted, and for how long. */
function AcceptQuestion({ title, onKeep, onAccept }: AcceptQuestionProps) {
  const { t } = useTexts();
  const formId = useId();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const [isTried, setIsTried] = useState(false);

  // A year of five digits has more characters.
  const isPast = until !== '' && (until < today || until.length !== today.length);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setIsTried(true);
    if (reason.trim() !== '' && !isPast) onAccept(reason.trim(), until === '' ? undefined : until);
  }
  return (
    <Question
      title={t('contract.accepted.question')}
      about={title}
      help={t('contract.accepted.help')}
      onKeep={onKeep}
      answers={
        <>
          <Button variant="default" onClick={onKeep}>
            {t('contract.accepted.keep')}
          </Button>
          <Button type="submit" form={formId}>
            {t('contract.accepted.acceptNow')}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.form} onSubmit={submit} noValidate>
        <Textarea
          label={t('contract.accepted.reason')}
          description={t('contract.accepted.reasonHelp')}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          required
          withAsterisk={false}
          maxLength={longestReason}
          value={reason}
          error={isTried && reason.trim() === '' && t('contract.accepted.reasonMissing')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          className={classes.day}
          label={t('contract.accepted.lastDay')}
          description={t('contract.accepted.lastDayHelp')}
          min={today}
          max="9999-12-31"
          value={until}
          error={isTried && isPast && t('contract.accepted.lastDayPast')}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </form>
    </Question>
  );
}
