import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { InterfaceFinding } from '../../../preload/contract/interface.ts';
import { CloseButton } from '../../components/close-button.tsx';
import { ErrorText } from '../../components/error-message.tsx';
import { DoneIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import linkClasses from '../../components/link-button.module.css';
import { FoundParts } from './found/found-parts.tsx';
import { partOf, type PartName } from './found/part-marks.ts';
import { TryIt } from './found/try-it.tsx';
import type { TriedAt } from './found/try-it.tsx';
import classes from './interface-fold.module.css';
import { Fits, LeftOut, Notes, shortName } from './left-out.tsx';
import { plainText } from '../../components/plain-text.ts';
import { faultText } from './interface-text.ts';
import type { Given, Import } from './use-import.ts';
import { t } from '../../i18n.ts';

interface ImportPanelProps {
  given: Given;
  onText: (text: string) => void;
  reads: Import;
  /** Told of the text of the description that is to be used. */
  onUse: (text: string) => void;
  onClose: () => void;
  /** Whether using it is what the page is for. */
  isPrimary?: boolean | undefined;
  isBusy?: boolean | undefined;
  /** How the server is reached, where it is tried. */
  tried: TriedAt;
  /** What else is asked or said before it is used. */
  children?: ReactNode;
}

/**
 * Takes a command, a file or a description, and says what was found in it, what was left out, and where it is unsure.
 * Nothing of it counts before it is used.
 */
export function ImportPanel({
  given,
  onText,
  reads,
  onUse,
  onClose,
  isPrimary,
  isBusy,
  tried,
  children,
}: ImportPanelProps) {
  const headingId = useId();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const isText = given.from === 'text';
  useEffect(() => (isText ? textRef.current : headingRef.current)?.focus(), [isText]);
  const { found, open, used } = reads;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from every control in it.
    <section
      className={classes.panel}
      aria-labelledby={headingId}
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        // The form around it would be saved without what is being edited here.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        if (event.key !== 'Escape') return;
        // The page behind it would go back to its list.
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes.head}>
        <h3 id={headingId} ref={headingRef} tabIndex={-1} className={classes.legend}>
          <UntrustedText text={titleOf(given, reads)} />
        </h3>
        <CloseButton name={t('interface.close')} onClick={onClose} />
      </div>
      {isText && (
        <Textarea
          ref={textRef}
          label={t('interface.text')}
          description={t('interface.textHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          classNames={{ input: 'size13 mono' }}
          rows={4}
          value={given.text}
          onChange={(event) => onText(event.currentTarget.value)}
          error={isWrong(reads) && <Wrong reads={reads} />}
          errorProps={{ component: 'div', role: 'alert' }}
          {...plainText}
        />
      )}
      {!isText && isWrong(reads) && (
        <div role="alert" className={classes.wrong}>
          <Wrong reads={reads} />
        </div>
      )}
      <Notes finding={reads.finding} />
      {found && <LeftOut found={found} isShipped={used !== undefined} />}
      {reads.fits.length > 1 && used && <Fits reads={reads} />}
      {open && <FoundParts open={open} faults={reads.openFaults} />}
      {children}
      {open && <TryIt open={open} reading={reads.reading} isUsable={reads.usable !== undefined} at={tried} />}
      <Needed reads={reads} />
      <Foot {...{ reads, onUse, isPrimary, isBusy }} />
    </section>
  );
}

/** Names the parts for which it cannot be used yet, and leads to each. */
function Needed({ reads: { open, openFaults } }: { reads: Import }) {
  const ref = useRef<HTMLParagraphElement>(null);
  const names = [...new Set(openFaults.map(({ at }) => partOf(at)))].filter((part) => part !== undefined);
  if (!open || names.length === 0) return undefined;
  function lead(part: PartName) {
    const panel = ref.current?.closest('section');
    // Where all of it is edited as JSON there are no rows.
    const row = panel?.querySelector(`[data-part='${part}']`) ?? panel;
    row?.querySelector<HTMLElement>('[role=group] :is(input, select, button), textarea')?.focus();
  }
  return (
    <p ref={ref} className={classes.needed}>
      {t('interface.parts.needed')}
      {names.map((part) => (
        <button key={part} type="button" className={linkClasses.link} data-size="small" onClick={() => lead(part)}>
          {t(`interface.parts.of.${part}`)}
        </button>
      ))}
    </p>
  );
}

/** Says where it comes from: the name of a file, or what a text is. */
function titleOf(given: Given, { found }: Import): string {
  if (given.from === 'saved') return t('interface.edit');
  if (given.from === 'file' && given.name !== undefined && found) return t('interface.foundIn', { name: given.name });
  if (found) return t(`interface.from.${found.format}`);
  return t(given.from === 'text' ? 'interface.fromText' : 'interface.fromFile');
}

const isWrong = ({ faults, error, finding }: Import): boolean =>
  faults.length > 0 || error !== undefined || (finding !== undefined && finding.kind !== 'found');

/** Says in one sentence for each thing why nothing can be used. */
function Wrong({ reads }: { reads: Import }) {
  const { faults, error, finding } = reads;
  if (error) return <ErrorText error={error} during="server" />;
  if (finding && finding.kind !== 'found') return <span className={classes.fault}>{sayRefusal(finding)}</span>;
  if (faults.length === 0) return undefined;
  return (
    <span className="grid gap4">
      {faults.map((fault) => (
        <span key={JSON.stringify(fault)} className={classes.fault}>
          {faultText(fault)}
        </span>
      ))}
    </span>
  );
}

function sayRefusal(finding: Exclude<InterfaceFinding, { kind: 'found' }>): string {
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

/** Says what it is, and offers to use it; the calls of the text alone are looked at before they can be used. */
function Foot({ reads, onUse, isPrimary, isBusy }: Pick<ImportPanelProps, 'reads' | 'onUse' | 'isPrimary' | 'isBusy'>) {
  const { used, fits, isCertain, usable, found, reading, isReading } = reads;
  const [first] = fits;
  const isDescription = reading !== undefined && !reads.open && !found;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was found stands below what was pasted, and may be out of sight.
    if (found) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  const use = used
    ? t('interface.useNamed', { name: shortName(used.name) })
    : t(reads.open ? 'interface.useDraft' : 'interface.use');
  return (
    <>
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
        {found && !used && !reads.open?.works && t('interface.parts.until')}
      </output>
      <div ref={ref} className={classes.foot}>
        {first && (
          <Button variant="subtle" color="gray" onClick={() => reads.choose(used ? 'draft' : first.id)}>
            {used
              ? t('interface.useOnly')
              : t(isCertain ? 'interface.backTo' : 'interface.see', { name: shortName(first.name) })}
          </Button>
        )}
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          aria-busy={isBusy}
          aria-disabled={usable === undefined}
          onClick={() => usable !== undefined && onUse(usable)}
        >
          {use}
        </Button>
      </div>
    </>
  );
}
