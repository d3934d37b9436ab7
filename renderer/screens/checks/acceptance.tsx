import { Button, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId, useState } from 'react';
import { longestReason } from '../../../preload/contract/names.ts';
import type { AcceptanceStatus } from '../../../preload/contract/report.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { QuestionDialog } from '../../components/question-dialog.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { acceptFault, useReport, withdrawAcceptance } from './checks.ts';

export const acceptedFaults = (acceptances: readonly AcceptanceStatus[]): ReadonlySet<string> =>
  new Set(acceptances.filter(({ state }) => state === 'holds').map(({ fault }) => fault));

/** Title of a fault such as `finding:plain-http`, even if no loaded report has it. */
export function faultTitle(fault: string): string {
  const words = reportTexts();
  const [kind = '', id = ''] = fault.split(':');
  const findings: Partial<Record<string, { title: string }>> = words.t('findings', { returnObjects: true });
  const cases: Partial<Record<string, string>> = words.t('cases', { returnObjects: true });
  const rule = cases[id];
  if (kind === 'rule') return rule === undefined ? fault : `${rule}: ${words.t('outcomes.failed')}`;
  return findings[id]?.title ?? fault;
}

export const AcceptanceNote = ({ acceptance: { reason } }: { acceptance: AcceptanceStatus }) => (
  <i className="block text soft">
    {t('checks.accepted.because')} <bdi>{reason}</bdi>
  </i>
);

/** Accepts a failed requirement or a finding, or withdraws that. It is one button, so that it keeps the focus. */
export function Acceptance({ fault, title }: { fault: string; title: string }) {
  const { run, acceptances } = useReport();
  const { run: runAction, failure } = useAction();
  const [isAsking, setAsking] = useState(false);
  const acceptance = acceptances.find((each) => each.fault === fault && each.state === 'holds');

  function withdraw(): void {
    void runAction(
      () => withdrawAcceptance(run.serverId, fault),
      () => () => t('checks.accepted.withdrawn', { title: faultTitle(fault) }),
    );
  }
  function accept(reason: string): void {
    setAsking(false);
    void runAction(
      () => acceptFault(run, fault, reason),
      () => () => t('checks.accepted.done', { title: faultTitle(fault) }),
    );
  }
  return (
    <div className="grid slim gap4">
      {acceptance && <AcceptanceNote acceptance={acceptance} />}
      <div>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t(acceptance ? 'checks.accepted.withdrawOf' : 'checks.accepted.acceptOf', { title })}
          onClick={() => (acceptance ? withdraw() : setAsking(true))}
        >
          {t(acceptance ? 'checks.accepted.withdraw' : 'checks.accepted.accept')}
        </Button>
      </div>
      {failure && <ErrorMessage error={failure.error} during="server" />}
      {isAsking && <AcceptDialog title={title} onCancel={() => setAsking(false)} onAccept={accept} />}
    </div>
  );
}

interface AcceptDialogProps {
  title: string;
  onCancel: () => void;
  onAccept: (reason: string) => void;
}

function AcceptDialog({ title, onCancel, onAccept }: AcceptDialogProps) {
  const formId = useId();
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: (reason) => reason.trim() === '' } });
  return (
    <QuestionDialog
      title={t('checks.accepted.question')}
      about={title}
      help={t('checks.accepted.help')}
      onCancel={onCancel}
      answers={
        <>
          <Button variant="default" onClick={onCancel}>
            {t('checks.accepted.keep')}
          </Button>
          <Button type="submit" form={formId}>
            {t('checks.accepted.acceptNow')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap16"
        onSubmit={form.onSubmit(({ reason }) => onAccept(reason.trim()))}
        noValidate
      >
        <Textarea
          {...form.getInputProps('reason')}
          label={t('checks.accepted.reason')}
          description={t('checks.accepted.reasonHelp')}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          required
          withAsterisk={false}
          maxLength={longestReason}
          error={form.errors['reason'] && t('checks.accepted.reasonMissing')}
        />
      </form>
    </QuestionDialog>
  );
}
