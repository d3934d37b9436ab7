import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { FoundInterface, ImportResult } from '../../../preload/contract/interface.ts';
import { CloseButton } from '../../components/close-button.tsx';
import { ErrorText } from '../../components/error-message.tsx';
import { DoneIcon } from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { plainText } from '../../components/plain-text.ts';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { FoundParts } from './found/found-parts.tsx';
import { partOf, type PartName } from './found/part-marks.ts';
import { type TriedAt, TryIt } from './found/try-it.tsx';
import { droppedNames } from './interface-draft.ts';
import classes from './interface-fold.module.css';
import { faultText, proofText } from './interface-text.ts';
import { type Import, useImportContext } from './use-import.ts';

interface ImportPanelProps {
  /** Called with the description to use. */
  onUse: (text: string) => void;
  /** Whether the import is the main purpose of the page. */
  isPrimary?: boolean;
  isBusy?: boolean;
  /** The connection and variables of a trial. */
  tried: TriedAt;
  /** More fields or notes, below the parts. */
  children?: ReactNode;
}

/**
 * Imports a command, a file or a description, and shows what was found, what was omitted, and what is a guess. It has
 * no effect until it is used.
 */
export function ImportPanel({ onUse, isPrimary = false, isBusy = false, tried, children }: ImportPanelProps) {
  const id = useId();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const imported = useImportContext();
  const { source, setSource, edited, matches, used } = imported;
  const isText = source?.from === 'text';
  useEffect(() => (isText ? textRef.current : headingRef.current)?.focus(), [isText]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from every control in it.
    <section
      className={classes.panel}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        // Otherwise the form around it would be saved without these edits.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        if (event.key !== 'Escape') return;
        // Otherwise the page would go back to its list.
        event.preventDefault();
        setSource(undefined);
      }}
    >
      <div className="row wrap apart gap8">
        <h3 id={id} ref={headingRef} tabIndex={-1} className={classes.legend}>
          <UntrustedText text={titleOf(imported)} />
        </h3>
        <CloseButton name={t('interface.close')} onClick={() => setSource(undefined)} />
      </div>
      {isText && (
        <Textarea
          ref={textRef}
          label={t('interface.text')}
          description={t('interface.textHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          classNames={{ input: 'size13 mono' }}
          rows={4}
          value={source.text}
          onChange={(event) => setSource({ from: 'text', text: event.currentTarget.value })}
          error={isWrong(imported) && <Wrong />}
          errorProps={{ component: 'div', role: 'alert' }}
          {...plainText}
        />
      )}
      {!isText && isWrong(imported) && (
        <div role="alert" className={classes.wrong}>
          <Wrong />
        </div>
      )}
      <Omissions />
      {matches.length > 1 && used && <MatchChoices />}
      {edited && <FoundParts edited={edited} />}
      {children}
      {edited && <TryIt edited={edited} at={tried} />}
      <MissingParts />
      <Outcome />
      <Actions {...{ onUse, isPrimary, isBusy }} />
    </section>
  );
}

/** The name of the file, or the format of the text. */
function titleOf({ source, found }: Import): string {
  if (source?.from === 'saved') return t('interface.edit');
  if (source?.from === 'file' && source.name !== undefined && found)
    return t('interface.foundIn', { name: source.name });
  if (found) return t(`interface.from.${found.format}`);
  return t(source?.from === 'text' ? 'interface.fromText' : 'interface.fromFile');
}

const isWrong = ({ faults, error, finding }: Import): boolean =>
  faults.length > 0 || error !== undefined || (finding !== undefined && finding.kind !== 'found');

/** Why nothing can be used, in one sentence per fault. */
function Wrong() {
  const { faults, error, finding } = useImportContext();
  if (error) return <ErrorText error={error} during="server" />;
  if (finding && finding.kind !== 'found') return <span className="block anywhere">{refusalText(finding)}</span>;
  if (faults.length === 0) return undefined;
  return (
    <span className="grid gap4">
      {faults.map((fault) => (
        <span key={JSON.stringify(fault)} className="block anywhere">
          {faultText(fault)}
        </span>
      ))}
    </span>
  );
}

function refusalText(finding: Exclude<ImportResult, { kind: 'found' }>): string {
  if (finding.kind === 'curl-refused') return t(`interface.refused.curl.${finding.why}`);
  if (finding.kind === 'too-large') {
    return t('interface.refused.too-large', { megabytes: finding.mostBytes / 1_000_000 });
  }
  if (finding.kind === 'unread-format') return t('interface.refused.unread-format', { name: finding.name });
  if (finding.kind !== 'nothing-found') return t(`interface.refused.${finding.kind}`);
  return finding.requests === 0
    ? t('interface.refused.no-requests')
    : t('interface.refused.nothing-found', { number: finding.requests });
}

/** The parts of a text that were not read, and the values that were omitted because they look secret. */
function Omissions() {
  const { finding, found, used } = useImportContext();
  const notes = finding && 'notes' in finding ? (finding.notes ?? []) : [];
  const names = found ? secretNames(found) : [];
  const hasHeaders = found && droppedNames(found).some(({ isHeader }) => isHeader);
  return (
    <>
      {notes.map(({ kind, detail = '' }) => (
        <p key={`${kind} ${detail}`} className="flush hint anywhere">
          <UntrustedText text={t(`interface.note.${kind}`, { detail })} />
        </p>
      ))}
      {names.length > 0 && (
        <p className="flush hint anywhere">
          <UntrustedText text={t('interface.left.said', { names: names.join(', ') })} />{' '}
          {used && hasHeaders && t('interface.left.headers')}
        </p>
      )}
    </>
  );
}

function secretNames(found: FoundInterface): string[] {
  const names = droppedNames(found).map(({ name }) => (name === 'address' ? t('interface.left.address') : name));
  // A curl command and a HAR file contain a login with its password.
  const hasPassword = (found.format === 'curl' || found.format === 'har') && found.draft.calls.login !== undefined;
  return [...(hasPassword ? [t('interface.left.password')] : []), ...names];
}

/** Choice between shipped descriptions with the same login. */
function MatchChoices() {
  const { matches, used, choose } = useImportContext();
  const group = useId();
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>{t('interface.which')}</legend>
      <div className={classes.options}>
        {matches.map((each) => (
          <label key={each.id} className={classes.option}>
            <input type="radio" name={group} checked={each.id === used?.id} onChange={() => choose(each.id)} />
            <span className="strong">{each.name}</span>
            <span className={classes.proof}>{proofText(each)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Links to the missing parts without which the description cannot be used. */
function MissingParts() {
  const { edited, editedFaults } = useImportContext();
  const ref = useRef<HTMLParagraphElement>(null);
  const names = [...new Set(editedFaults.map(({ at }) => partOf(at)))].filter((part) => part !== undefined);
  if (!edited || names.length === 0) return undefined;
  function focusPart(part: PartName) {
    const panel = ref.current?.closest('section');
    // There are no rows while the import is edited as JSON.
    const row = panel?.querySelector(`[data-part='${part}']`) ?? panel;
    row?.querySelector<HTMLElement>('[role=group] :is(input, select, button), textarea')?.focus();
  }
  return (
    <p ref={ref} className="flush row wrap gap8 ends text soft">
      {t('interface.parts.needed')}
      {names.map((part) => (
        <button key={part} type="button" className={linkClasses.link} data-size="small" onClick={() => focusPart(part)}>
          {t(`interface.parts.of.${part}`)}
        </button>
      ))}
    </p>
  );
}

/** The name without the variant after its comma. */
const shortName = (name: string): string => name.split(',', 1)[0] ?? name;

function Outcome() {
  const { used, matches, isCertain, found, reading, isReading, edited } = useImportContext();
  const [first] = matches;
  const isDescription = reading !== undefined && !edited && !found;
  return (
    <output className={classes.found}>
      {isReading && t('interface.reading')}
      {((used && isCertain) || isDescription) && <DoneIcon />}
      {used && (
        <UntrustedText
          text={t(isCertain ? 'interface.isLogin' : 'interface.couldBe', { name: shortName(used.name) })}
        />
      )}
      {!used && !isCertain && first && (
        <UntrustedText text={t('interface.couldAlsoBe', { name: shortName(first.name) })} />
      )}
      {isDescription && <UntrustedText text={t('interface.read', { name: reading.interface.name })} />}
      {found && !used && !edited?.works && t('interface.parts.until')}
    </output>
  );
}

/** Uses the description. A text with a match in the shipped ones can be switched to its own requests. */
function Actions({ onUse, isPrimary, isBusy }: Pick<ImportPanelProps, 'onUse' | 'isPrimary' | 'isBusy'>) {
  const { used, matches, isCertain, usable, found, edited, choose } = useImportContext();
  const [first] = matches;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The result is below the pasted text, and may be out of view.
    if (found) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  const other = first && t(isCertain ? 'interface.backTo' : 'interface.see', { name: shortName(first.name) });
  return (
    <div ref={ref} className="row wrap gap8 ends">
      {first && (
        <Button variant="subtle" color="gray" onClick={() => choose(used ? 'draft' : first.id)}>
          {used ? t('interface.useOnly') : other}
        </Button>
      )}
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        aria-busy={isBusy}
        aria-disabled={usable === undefined}
        onClick={() => usable !== undefined && onUse(usable)}
      >
        {used
          ? t('interface.useNamed', { name: shortName(used.name) })
          : t(edited ? 'interface.useDraft' : 'interface.use')}
      </Button>
    </div>
  );
}
