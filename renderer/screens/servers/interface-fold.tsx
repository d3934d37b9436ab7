import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type {
  EnteredInterface,
  InterfaceFault,
  InterfaceGuess,
  ShippedInterface,
  ShownInterface,
} from '../../../preload/contract/connection.ts';
import type { Server } from '../../../preload/contract/models.ts';
import type { UnfinishedImport } from '../../../preload/contract/unfinished-import.ts';
import { api } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { Fold } from '../../components/fold.tsx';
import linkClasses from '../../components/link-button.module.css';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { setMatchingInterfaces, useMatchingInterfaces } from '../../matching-interfaces.ts';
import { useQuery } from '../../use-query.ts';
import { ImportButtons } from './import-buttons.tsx';
import { guessesOf } from './found/marked-parts.ts';
import { partOf } from './found/part-marks.ts';
import type { TriedAt } from './found/use-trial.ts';
import { ImportPanel } from './import-panel.tsx';
import { Variables } from './interface-variables.tsx';
import classes from './interface-fold.module.css';
import { useProof } from './proof.ts';
import { SentCalls } from './sent-calls.tsx';
import { enteredInterfaceOf } from './server-drafts.ts';
import { type Given, type Import, useImport, valuesFor } from './use-import.ts';
import { givenAgain, useUnfinished } from './use-unfinished.ts';
import { known, useReading } from './use-interface-reading.ts';
import { language, t } from '../../i18n.ts';

interface InterfaceFoldProps {
  server: Server | undefined;
  /** What the field of the address has. */
  address: string;
  onAddress: (address: string, production: boolean) => void;
  entered: EnteredInterface;
  onChange: (entered: EnteredInterface) => void;
  /** How the server is reached, as the form has it now. */
  reach: Pick<TriedAt, 'enteredConnection' | 'production'>;
  /** Whether the address is another one than the saved secrets belong to. */
  isMoved: boolean;
  /** What main could not use of the values. */
  faults: readonly InterfaceFault[];
  /** Told whether something was given that is not used yet. */
  onUnused: (isUnused: boolean) => void;
}

/**
 * Shows how a server speaks: Llavero's own way, one that comes with it, or one of a text or a file, with the calls as they
 * are sent. What is found counts once it is used, and everything once the form is saved.
 */
export function InterfaceFold(props: InterfaceFoldProps) {
  const { server, address, entered, onChange, isMoved, faults, reach } = props;
  const shipped = useQuery(api.interfaces.shipped).data ?? [];
  const saved = useSavedText(server);
  const chosen = entered.text ?? saved;
  const own = useReading(chosen);
  const [given, setGiven] = useState<Given>();
  const [typed, setTyped] = useState<EnteredInterface['variables']>([]);
  const reads = useImport(given, address.trim());
  const { unfinished, drop } = useUnfinished(server?.id, given, reads);
  const fitting = useMatchingInterfaces(address.trim());
  const buttonsRef = useFocusBack(given !== undefined);

  useTold(hasContent(given, reads), props.onUnused);
  const kept = enteredInterfaceOf(server);
  function use(text: string) {
    setGiven(undefined);
    setTyped([]);
    drop();
    const guesses = reads.open && guessesOf(reads.open);
    onChange(text === saved ? kept : { text, variables: valuesFor(reads.reading, typed), guesses });
    const now = address.trim();
    const { address: chosenAddress = now || (reads.found?.address ?? ''), production = false } = reads.open ?? {};
    if (chosenAddress !== now) props.onAddress(chosenAddress, production);
    setMatchingInterfaces(chosenAddress, reads.fitting);
  }

  const { variables = [] } = reads.reading?.interface ?? {};
  const name = chosen === '' ? t('interface.automatic') : (own.readable?.name ?? server?.interface.name);
  const reading = given ? reads.reading : own.reading;
  return (
    <Fold title={t('interface.title')} value={name ?? ''} isOpen={fitting.length > 0 && saved === ''}>
      {given ? (
        <ImportPanel
          given={given}
          onText={(text) => setGiven({ from: 'text', text })}
          reads={reads}
          onUse={use}
          onClose={() => setGiven(undefined)}
          tried={{ id: server?.id, ...reach, variables: valuesFor(reads.reading, typed) }}
        >
          <Variables
            {...{ variables, server, isMoved, faults }}
            entered={{ variables: typed }}
            onChange={(changed) => setTyped(changed.variables)}
          />
        </ImportPanel>
      ) : (
        <Ways
          ways={waysOf({ shipped, saved, chosen, shown: own.readable, server })}
          fitting={fitting}
          chosen={chosen}
          onChoose={(text) => onChange(text === saved ? kept : { text, variables: [] })}
        />
      )}
      {!given && own.readable && (
        <Variables {...{ variables: own.readable.variables, server, entered, onChange, isMoved, faults }} />
      )}
      {reading?.readable && !(given && reads.open) && (
        <SentCalls
          reading={reading}
          shipped={given ? reads.used : shipped.find(({ text }) => text === chosen)}
          isSaved={!given && chosen === saved}
          values={Object.fromEntries(entered.variables.map((each) => [each.name, each.value]))}
        />
      )}
      {unfinished && <Unfinished of={unfinished} onContinue={setGiven} onDiscard={drop} />}
      {!given && chosen === saved && <Guesses guesses={server?.interface.guesses ?? []} />}
      {!given && (
        <ImportButtons
          ref={buttonsRef}
          onGiven={setGiven}
          saved={chosen}
          guesses={chosen === saved ? server?.interface.guesses : entered.guesses}
        />
      )}
    </Fold>
  );
}

/** Whether there is anything in what is given that would be lost: a saved description is as it was until it is edited. */
function hasContent(given: Given | undefined, { open }: Import): boolean {
  if (!given || given.from === 'file') return given !== undefined;
  return given.from === 'text' ? given.text.trim() !== '' : open !== undefined && open.text !== given.text;
}

/** Tells whether something is given and not used yet, and that it is not once this is gone. */
function useTold(isUnused: boolean, onUnused: InterfaceFoldProps['onUnused']) {
  useEffect(() => {
    onUnused(isUnused);
    return () => onUnused(false);
  }, [isUnused, onUnused]);
}

/** Gives the focus back to what opened the panel, once that has gone with it. */
function useFocusBack(isOpen: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) ref.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return ref;
}

interface UnfinishedProps {
  of: UnfinishedImport;
  onContinue: (given: Given) => void;
  onDiscard: () => void;
}

/** Offers what was found before and not used. */
function Unfinished({ of, onContinue, onDiscard }: UnfinishedProps) {
  const { name, format } = of;
  return (
    <div className={classes.head}>
      <UntrustedText
        className="grow text"
        text={t('interface.unfinished.from', { from: name ?? t(`interface.from.${format}`) })}
      />
      <Button variant="subtle" color="gray" size="xs" onClick={onDiscard}>
        {t('interface.unfinished.discard')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onContinue(givenAgain(of))}>
        {t('interface.unfinished.continue')}
      </Button>
    </div>
  );
}

/** Says what is still a guess of the description that a server has. */
function Guesses({ guesses }: { guesses: readonly InterfaceGuess[] }) {
  const parts = [...new Set(guesses.map(({ at }) => partOf(at)))];
  const names = parts.map((part) => t(part ? `interface.parts.of.${part}` : 'interface.parts.other'));
  if (names.length === 0) return undefined;
  const said = new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(names);
  return <p className={classes.guesses}>{t('interface.parts.open', { names: said })}</p>;
}

/** Returns the description of a server as it was given: an empty text is Llavero's own, undefined is not known yet. */
function useSavedText(server: Server | undefined): string | undefined {
  const { id } = server ?? {};
  const digest = server?.interface.digest;
  const { data } = useQuery<{ text?: string | undefined }>(
    async () => (id === undefined || digest === undefined ? known({}) : api.interfaces.textOf({ id })),
    `${id} ${digest}`,
  );
  return digest === undefined ? '' : data?.text;
}

interface Way extends Partial<Pick<ShippedInterface, 'id' | 'proved'>> {
  text: string;
  name: string;
  /** The call that logs in by it. */
  login?: string | undefined;
}

interface WaysOf {
  shipped: readonly ShippedInterface[];
  saved: string | undefined;
  chosen: string | undefined;
  shown: ShownInterface | undefined;
  server: Server | undefined;
}

/** Returns what a person may choose from: nothing, what ships, and what the server has or was just given. */
function waysOf({ shipped, saved, chosen, shown, server }: WaysOf): Way[] {
  const ours: Way[] = [{ text: '', name: t('interface.automatic'), login: t('interface.automaticHint') }, ...shipped];
  const others: Way[] = [];
  const isKnown = (text: string) => [...ours, ...others].some((each) => each.text === text);
  if (server && saved !== undefined && !isKnown(saved)) {
    others.push({ text: saved, name: server.interface.name, login: server.interface.calls.login });
  }
  if (shown && chosen !== undefined && !isKnown(chosen)) {
    others.push({ text: chosen, name: shown.name, login: shown.calls.login });
  }
  return [...others, ...ours];
}

/** So many ways are shown before all are asked for. */
const firstShown = 4;

interface WaysProps {
  ways: readonly Way[];
  /** Those that fit the server, by what they are called or by their names. They come first. */
  fitting: readonly string[];
  chosen: string | undefined;
  onChoose: (text: string) => void;
}

function Ways({ ways, fitting, chosen, onChoose }: WaysProps) {
  const sayProof = useProof();
  const group = useId();
  const [showsAll, setShowsAll] = useState(false);
  const fits = ({ id, name }: Way) => id !== undefined && (fitting.includes(name) || fitting.includes(id));
  const sorted = [...ways.filter(fits), ...ways.filter((way) => !fits(way))];
  const shown = sorted.filter(({ text }, index) => showsAll || index < firstShown || text === chosen);
  return (
    <fieldset className={classes.ways}>
      <legend className={classes.legend}>{t('interface.how')}</legend>
      <div className={classes.options}>
        {shown.map((way) => (
          <label key={way.text} className={classes.option}>
            <input type="radio" name={group} checked={way.text === chosen} onChange={() => onChoose(way.text)} />
            <span className={classes.name}>
              <span className="strong">
                <UntrustedText text={way.name} />
              </span>
              {fits(way) && <Chip tone="good">{t('interface.fits')}</Chip>}
            </span>
            {way.id === undefined ? (
              <bdi className={classes.login}>{way.login}</bdi>
            ) : (
              <span className={classes.proof}>{sayProof({ id: way.id, proved: way.proved })}</span>
            )}
          </label>
        ))}
      </div>
      {ways.length > firstShown && (
        <button
          type="button"
          className={linkClasses.link}
          data-size="small"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t('interface.fewer') : t('interface.all', { number: ways.length })}
        </button>
      )}
    </fieldset>
  );
}
