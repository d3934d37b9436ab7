import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { longestReason } from '../../../preload/contract/names.ts';
import { QuestionDialog } from '../../components/question-dialog.tsx';
import { acceptanceOf } from './acceptance.ts';
import classes from './evidence.module.css';
import { useReport } from './report-context.ts';
import type { ShownAcceptance } from '../../../preload/contract/report.ts';
import documentClasses from './document.module.css';
import { t } from '../../i18n.ts';

/** Accepts a broken rule or a finding, or lets it count again. Its first button keeps its place and the focus. */
export function Accepting({ fault, title }: { fault: string; title: string }) {
  const { acceptances, onAccept, onWithdraw } = useReport();
  const [asking, setAsking] = useState(false);
  const acceptance = acceptanceOf(acceptances, fault);
  const holds = acceptance !== undefined;
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
      </div>
      {asking && (
        <AcceptQuestion
          title={title}
          onKeep={() => setAsking(false)}
          onAccept={(reason) => {
            setAsking(false);
            onAccept(fault, reason);
          }}
        />
      )}
    </div>
  );
}

interface AcceptQuestionProps {
  title: string;
  onKeep: () => void;
  onAccept: (reason: string) => void;
}

function AcceptQuestion({ title, onKeep, onAccept }: AcceptQuestionProps) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setIsTried(true);
    if (reason.trim() !== '') onAccept(reason.trim());
  }
  return (
    <QuestionDialog
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
      <form id={formId} className="grid gap16" onSubmit={submit} noValidate>
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
      </form>
    </QuestionDialog>
  );
}

export function AcceptanceNote({ acceptance: { reason } }: { acceptance: ShownAcceptance }) {
  return (
    <span className={documentClasses.accepted}>
      {t('contract.accepted.because')} <bdi>{reason}</bdi>
    </span>
  );
}
