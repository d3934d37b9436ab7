import { ActionIcon, Button, NativeSelect, TextInput, SegmentedControl } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { EditableRequest, RecordedCall } from '../../../preload/contract/calls.ts';
import { editedMethods, longestEdited, mostEditedHeaders } from '../../../preload/contract/names.ts';
import { secretName } from '../../answers/redacted.tsx';
import { useApp } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { CloseButton } from '../../components/close-button.tsx';
import { CloseIcon, PlusIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { callFormatters } from '../../format.ts';
import { language, t } from '../../i18n.ts';
import { ActionFailure, CallHeading, CancelReplay, CopyMenu } from './call-actions.tsx';
import { backToCall, dismissFailure, isSending, startReplay, useCalls } from './calls-store.ts';
import classes from './edit-request.module.css';
import {
  type BodyType,
  bodyTypeOf,
  bodyTypes,
  changesOf,
  type DraftChanges,
  type DraftHeader,
  draftOf,
  filledHeaders,
  nextKey,
  type RequestDraft,
  requestOf,
  secretNamesOf,
  withBodyType,
} from './request-draft.ts';

/** Edits and sends a recorded request. It has the names of secrets; their values stay in main. */
export function EditRequest({ call, editable }: { call: RecordedCall; editable: EditableRequest }) {
  const { settings } = useApp();
  const sending = useCalls(isSending);
  const failure = useCalls((state) => state.failure);
  // Fixed while the request is edited, since its text contains the names in the language of its start.
  const [names] = useState(() => secretNamesOf(editable, secretName));
  const [original] = useState(() => draftOf(editable, names));
  const [draft, setDraft] = useState(original);
  const changes = changesOf(draft, original);
  const change = (part: Partial<RequestDraft>) => setDraft({ ...draft, ...part });

  const error = failure === 'original-gone' ? undefined : failure;
  const wrongHeader = error?.kind === 'invalid-header' ? filledHeaders(draft)[error.row]?.key : undefined;
  const isPathWrong = error?.kind === 'not-replayable' && error.problem === 'unsafe-path';

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    startReplay(call, requestOf(draft, editable, names));
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.scroll}>
        <header className={classes.head}>
          <CallHeading className="flush grow slim normal heading quiet">
            {t('edit.title')}{' '}
            <span className={classes.from}>{t('edit.from', { time: callFormatters().clock(call.startedAt) })}</span>
          </CallHeading>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => {
              setDraft(original);
              dismissFailure();
            }}
          >
            {t('edit.undo')}
          </Button>
          <CloseButton name={t('edit.close')} onClick={backToCall} />
        </header>
        <div className={classes.fields}>
          <div className={classes.address}>
            <NativeSelect
              aria-label={t('edit.method')}
              classNames={{ input: 'mono' }}
              data-changed={changes.method}
              data={[...new Set([editable.method, ...editedMethods])]}
              value={draft.method}
              onChange={(event) => change({ method: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('edit.path')}
              classNames={{ input: 'size13 mono' }}
              data-changed={changes.path}
              error={isPathWrong}
              value={draft.path}
              maxLength={longestEdited}
              onChange={(event) => change({ path: event.currentTarget.value })}
              spellCheck={false}
            />
          </div>
          <p className="flush hint">
            <UntrustedText text={t('edit.only', { address: editable.baseUrl.replace(/^https?:\/\//, '') })} />
          </p>
          <Headers draft={draft} changes={changes} wrong={wrongHeader} onChange={change} />
          <Body draft={draft} changes={changes} onChange={change} />
          {names.size > 0 && (
            <p className="flush hint">
              {t('edit.filled', { count: names.size, names: new Intl.ListFormat(language()).format(names.keys()) })}
            </p>
          )}
        </div>
      </div>
      <footer className={classes.foot}>
        <span className={classes.pace}>{t('edit.pace', { count: settings.callsPerSecond })}</span>
        <CopyMenu id={call.id} request={() => requestOf(draft, editable, names)} />
        <CancelReplay />
        <Button type="submit" aria-busy={sending} aria-disabled={sending}>
          {t(sending ? 'replay.sending' : 'replay.send')}
        </Button>
      </footer>
      <ActionFailure />
    </form>
  );
}

interface PartProps {
  draft: RequestDraft;
  changes: DraftChanges;
  onChange: (part: Partial<RequestDraft>) => void;
}

const ChangeCount = ({ count }: { count: number }) => count > 0 && <Chip>{t('edit.changes', { count })}</Chip>;

interface HeadersProps extends PartProps {
  /** Key of the header that main rejected. */
  wrong: number | undefined;
}

function Headers({ draft, changes, wrong, onChange }: HeadersProps) {
  const headingId = useId();
  const [newest, setNewest] = useState<number>();
  const { headers } = draft;
  const isFull = headers.length >= mostEditedHeaders;

  function add() {
    if (isFull) return;
    const key = nextKey(draft);
    setNewest(key);
    onChange({ headers: [...headers, { key, name: '', value: '' }] });
  }

  return (
    <section className="grid slim gap6" aria-labelledby={headingId}>
      <div className={classes.partHead}>
        <h3 id={headingId} className="flush text strong">
          {t('calls.headers')}
        </h3>
        <ChangeCount count={changes.headerCount} />
        <span className="grow" />
        <Button
          data-home
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<PlusIcon />}
          aria-disabled={isFull}
          onClick={add}
        >
          {t('edit.addHeader')}
        </Button>
      </div>
      {headers.map((header) => (
        <Header
          key={header.key}
          header={header}
          takesFocus={header.key === newest}
          isChanged={changes.headers.has(header.key)}
          isWrong={header.key === wrong}
          onChange={(part) =>
            onChange({ headers: headers.map((each) => (each.key === header.key ? { ...each, ...part } : each)) })
          }
          onRemove={() => onChange({ headers: headers.filter(({ key }) => key !== header.key) })}
        />
      ))}
    </section>
  );
}

interface HeaderProps {
  header: DraftHeader;
  takesFocus: boolean;
  isChanged: boolean;
  isWrong: boolean;
  onChange: (part: Partial<DraftHeader>) => void;
  onRemove: () => void;
}

const plainText = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;
const focusOnMount = (input: HTMLInputElement | null): void => input?.focus();

function Header({ header, takesFocus, isChanged, isWrong, onChange, onRemove }: HeaderProps) {
  const name = header.name.trim() || t('edit.newHeader');
  const remove = t('extraHeaders.remove', { name });
  return (
    <div className={classes.header}>
      <TextInput
        {...(takesFocus && { ref: focusOnMount })}
        aria-label={t('edit.headerName')}
        classNames={{ input: 'size13 mono' }}
        data-changed={isChanged}
        error={isWrong}
        maxLength={1000}
        value={header.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        {...plainText}
      />
      <TextInput
        aria-label={t('edit.headerValue', { name })}
        classNames={{ input: 'size13 mono' }}
        error={isWrong}
        maxLength={longestEdited}
        value={header.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
        {...plainText}
      />
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={remove} title={remove} onClick={onRemove}>
        <CloseIcon />
      </ActionIcon>
    </div>
  );
}

const types: readonly BodyType[] = ['json', 'form', 'text'];

function Body({ draft, changes, onChange }: PartProps) {
  const headingId = useId();
  const lines = draft.body.split('\n');
  return (
    <section className="grid slim gap6" aria-labelledby={headingId}>
      <div className={classes.partHead}>
        <h3 id={headingId} className="flush text strong">
          {t('calls.body')}
        </h3>
        <ChangeCount count={changes.lineCount} />
        <span className="grow" />
        <SegmentedControl<BodyType | ''>
          aria-label={t('edit.bodyAs')}
          data={types.map((value) => ({
            value,
            label: <span title={bodyTypes[value]}>{t(`edit.bodyTypes.${value}`)}</span>,
          }))}
          value={bodyTypeOf(draft) ?? ''}
          onChange={(type) => type !== '' && onChange(withBodyType(draft, type))}
        />
      </div>
      <div className={classes.body}>
        {/* Bars behind the text, one for each of its lines. */}
        <div className={classes.lines} aria-hidden="true">
          {lines.map((_line, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- A line is its place.
            <span key={at} data-changed={changes.lines.has(at)} />
          ))}
        </div>
        <textarea
          className={classes.text}
          aria-label={t('calls.body')}
          rows={Math.max(3, lines.length)}
          wrap="off"
          maxLength={longestEdited}
          value={draft.body}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
          spellCheck={false}
        />
      </div>
    </section>
  );
}
