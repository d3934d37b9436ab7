import { Button, Text } from '@mantine/core';
import type { CallFilter } from '../../../../preload/contract/calls.ts';
import type { Trial, TrialCall, TrialProposal } from '../../../../preload/contract/trial.ts';
import { callFormatters } from '../../../format.ts';
import { api } from '../../../api.ts';
import { ErrorText } from '../../../components/error-message.tsx';
import { DoneIcon, ErrorIcon, InfoIcon } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { navigate } from '../../../route.ts';
import { partOf } from './part-marks.ts';
import classes from './try-it.module.css';
import { t } from '../../../i18n.ts';

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
