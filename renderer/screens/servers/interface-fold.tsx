import { Button } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type {
  InterfaceInput,
  InterfaceGuess,
  ShippedInterface,
  InterfaceSummary,
} from '../../../preload/contract/connection.ts';
import type { Server } from '../../../preload/contract/models.ts';
import type { ImportDraft } from '../../../preload/contract/import-draft.ts';
import { api } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { Fold } from '../../components/fold.tsx';
import linkClasses from '../../components/link-button.module.css';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { language, t } from '../../i18n.ts';
import { setMatchingInterfaces, useMatchingInterfaces } from '../../matching-interfaces.ts';
import { useQuery } from '../../use-query.ts';
import { guessesOf, partOf } from './found/part-marks.ts';
import { ImportButtons } from './import-buttons.tsx';
import { ImportPanel } from './import-panel.tsx';
import classes from './interface-fold.module.css';
import { proofText } from './interface-text.ts';
import { Variables } from './interface-variables.tsx';
import { SentCalls } from './sent-calls.tsx';
import { interfaceValues } from './server-values.ts';
import { unusedImport } from './servers-store.ts';
import {
  ImportContext,
  type Import,
  resumedSource,
  type Source,
  succeed,
  useImport,
  useReading,
  useUnfinished,
  valuesFor,
} from './use-import.ts';
import { useServerFormContext } from './use-server-form.ts';

/**
 * The API type of a server: Llavero's own, a shipped one, or an imported one, with its calls as they are sent. An
 * import takes effect once it is used, and everything once the form is saved.
 */
export function InterfaceFold() {
  const { form, server, isMoved, errors } = useServerFormContext();
  const { connection, production, interface: entered } = form.values;
  const address = form.values.address.trim();
  const shipped = useQuery(api.interfaces.shipped).data ?? [];
  const saved = useSavedText(server);
  const chosen = entered.text ?? saved;
  const own = useReading(chosen);
  const [source, setSource] = useState<Source>();
  const [typed, setTyped] = useState<InterfaceInput['variables']>([]);
  const imported = useImport(source, setSource, address);
  const { unfinished, drop } = useUnfinished(server?.id, imported);
  const matching = useMatchingInterfaces(address);

  const isUnused = hasContent(imported);
  useEffect(() => {
    unusedImport.set(isUnused);
    return () => unusedImport.set(false);
  }, [isUnused]);

  const kept = interfaceValues(server);
  function use(text: string) {
    setSource(undefined);
    setTyped([]);
    drop();
    const guesses = imported.edited && guessesOf(imported.edited);
    form.setFieldValue(
      'interface',
      text === saved ? kept : { text, variables: valuesFor(imported.reading, typed), guesses },
    );
    const { address: usedAddress = address || (imported.found?.address ?? ''), production: isLive = false } =
      imported.edited ?? {};
    if (usedAddress !== address)
      form.setValues({ address: usedAddress, ...(isLive && { production: true, colour: 'red' }) });
    setMatchingInterfaces(usedAddress, imported.matchingNames);
  }

  const name = chosen === '' ? t('interface.automatic') : (own.readable?.name ?? server?.interface.name);
  const reading = source ? imported.reading : own.reading;
  const isSaved = !source && chosen === saved;
  return (
    <Fold title={t('interface.title')} value={name ?? ''} isOpen={matching.length > 0 && saved === ''}>
      {source ? (
        <ImportContext value={imported}>
          <ImportPanel
            onUse={use}
            tried={{
              id: server?.id,
              enteredConnection: connection,
              production,
              variables: valuesFor(imported.reading, typed),
            }}
          >
            <Variables
              variables={imported.reading?.interface.variables ?? []}
              values={typed}
              onChange={setTyped}
              {...{ server, isMoved, errors }}
            />
          </ImportPanel>
        </ImportContext>
      ) : (
        <InterfaceChoices
          choices={interfaceChoices({ shipped, saved, chosen, shown: own.readable, server })}
          matching={matching}
          chosen={chosen}
          onChoose={(text) => form.setFieldValue('interface', text === saved ? kept : { text, variables: [] })}
        />
      )}
      {!source && own.readable && (
        <Variables
          variables={own.readable.variables}
          values={entered.variables}
          onChange={(variables) => form.setFieldValue('interface', { ...entered, variables })}
          {...{ server, isMoved, errors }}
        />
      )}
      {reading?.readable && !(source && imported.edited) && (
        <SentCalls
          reading={reading}
          shipped={source ? imported.used : shipped.find(({ text }) => text === chosen)}
          isSaved={isSaved}
          values={Object.fromEntries(entered.variables.map((each) => [each.name, each.value]))}
        />
      )}
      {unfinished && <Unfinished of={unfinished} onContinue={setSource} onDiscard={drop} />}
      {isSaved && <Guesses guesses={server?.interface.guesses ?? []} />}
      {!source && (
        <ImportButtons
          onSource={setSource}
          saved={chosen}
          guesses={chosen === saved ? server?.interface.guesses : entered.guesses}
        />
      )}
    </Fold>
  );
}

/** Whether closing an import would lose anything. A saved description has to be edited first. */
function hasContent({ source, edited }: Import): boolean {
  if (!source || source.from === 'file') return source !== undefined;
  return source.from === 'text' ? source.text.trim() !== '' : edited !== undefined && edited.text !== source.text;
}

interface UnfinishedProps {
  of: ImportDraft;
  onContinue: (source: Source) => void;
  onDiscard: () => void;
}

/** Offers to continue an import that was not finished. */
function Unfinished({ of, onContinue, onDiscard }: UnfinishedProps) {
  const { name, format } = of;
  return (
    <div className="row wrap apart gap8">
      <UntrustedText
        className="grow text"
        text={t('interface.unfinished.from', { from: name ?? t(`interface.from.${format}`) })}
      />
      <Button variant="subtle" color="gray" size="xs" onClick={onDiscard}>
        {t('interface.unfinished.discard')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onContinue(resumedSource(of))}>
        {t('interface.unfinished.continue')}
      </Button>
    </div>
  );
}

/** The guesses that are left in the saved description. */
function Guesses({ guesses }: { guesses: readonly InterfaceGuess[] }) {
  const parts = [...new Set(guesses.map(({ at }) => partOf(at)))];
  const names = parts.map((part) => t(part ? `interface.parts.of.${part}` : 'interface.parts.other'));
  if (names.length === 0) return undefined;
  const said = new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(names);
  return <p className={classes.guesses}>{t('interface.parts.open', { names: said })}</p>;
}

/** The saved description: an empty text is Llavero's own, undefined is not loaded yet. */
function useSavedText(server: Server | undefined): string | undefined {
  const { id } = server ?? {};
  const digest = server?.interface.digest;
  const { data } = useQuery<{ text?: string | undefined }>(
    async () => (id === undefined || digest === undefined ? succeed({}) : api.interfaces.textOf({ id })),
    `${id} ${digest}`,
  );
  return digest === undefined ? '' : data?.text;
}

interface Choice extends Partial<Pick<ShippedInterface, 'id' | 'proved'>> {
  text: string;
  name: string;
  /** The login request, such as `POST /login`. */
  login?: string | undefined;
}

interface ChoicesOf {
  shipped: readonly ShippedInterface[];
  saved: string | undefined;
  chosen: string | undefined;
  shown: InterfaceSummary | undefined;
  server: Server | undefined;
}

/** The choices: automatic, the shipped descriptions, and the saved or just imported one. */
function interfaceChoices({ shipped, saved, chosen, shown, server }: ChoicesOf): Choice[] {
  const ours: Choice[] = [
    { text: '', name: t('interface.automatic'), login: t('interface.automaticHint') },
    ...shipped,
  ];
  const others: Choice[] = [];
  const isKnown = (text: string) => [...ours, ...others].some((each) => each.text === text);
  if (server && saved !== undefined && !isKnown(saved)) {
    others.push({ text: saved, name: server.interface.name, login: server.interface.calls.login });
  }
  if (shown && chosen !== undefined && !isKnown(chosen)) {
    others.push({ text: chosen, name: shown.name, login: shown.calls.login });
  }
  return [...others, ...ours];
}

/** Number of choices before the list is expanded. */
const firstShown = 4;

interface InterfaceChoicesProps {
  choices: readonly Choice[];
  /** Names or ids of the choices that match the server. They come first. */
  matching: readonly string[];
  chosen: string | undefined;
  onChoose: (text: string) => void;
}

function InterfaceChoices({ choices, matching, chosen, onChoose }: InterfaceChoicesProps) {
  const group = useId();
  const [showsAll, setShowsAll] = useState(false);
  const isMatching = ({ id, name }: Choice) => id !== undefined && (matching.includes(name) || matching.includes(id));
  const sorted = [...choices.filter(isMatching), ...choices.filter((choice) => !isMatching(choice))];
  const shown = sorted.filter(({ text }, index) => showsAll || index < firstShown || text === chosen);
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>{t('interface.how')}</legend>
      <div className={classes.options}>
        {shown.map((choice) => (
          <label key={choice.text} className={classes.option}>
            <input type="radio" name={group} checked={choice.text === chosen} onChange={() => onChoose(choice.text)} />
            <span className={classes.name}>
              <span className="strong">
                <UntrustedText text={choice.name} />
              </span>
              {isMatching(choice) && <Chip tone="good">{t('interface.fits')}</Chip>}
            </span>
            {choice.id === undefined ? (
              <bdi className={classes.login}>{choice.login}</bdi>
            ) : (
              <span className={classes.proof}>{proofText({ id: choice.id, proved: choice.proved })}</span>
            )}
          </label>
        ))}
      </div>
      {choices.length > firstShown && (
        <button
          type="button"
          className={linkClasses.link}
          data-size="small"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t('interface.fewer') : t('interface.all', { number: choices.length })}
        </button>
      )}
    </fieldset>
  );
}
