import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BuiltInData } from '../../../preload/contract/local-servers.ts';
import type { SeedName } from '../../../preload/contract/names.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { ChoiceCards } from './choice-cards.tsx';
import { DataTable } from './data-table.tsx';
import { SeedField, useSeedForm } from './number-fields.tsx';

/** An action that loses something, and so is confirmed first. */
interface Question {
  verb: 'replace' | 'restore' | 'remove';
  help: () => string;
  onConfirm: () => Promise<void>;
}

/** Replaces all accounts, undoes that, and manages snapshots. */
export function DataTab({ onChanged }: { onChanged: () => void }) {
  const { data, error, setData } = useQuery(api.builtIn.data);
  const { run, pending, failure } = useAction();
  const [question, setQuestion] = useState<Question>();
  /** The id of the control that was clicked last, which shows the error. */
  const [pressed, setPressed] = useState('');

  async function act(call: () => Promise<Result<BuiltInData>>, done: (accounts: number) => string): Promise<void> {
    await run(call, (after) => {
      // Batched with the removal of a snapshot's row, so that the focus moves to the next row.
      setQuestion(undefined);
      setData(after);
      onChanged();
      return () => done(after.accounts);
    });
    setQuestion(undefined);
  }

  function replace(set: SeedName, seed: number): void {
    setPressed('accounts');
    const reset = () =>
      act(
        () => api.builtIn.reset({ set, seed }),
        (number) => t('builtIn.data.replaced', { number }),
      );
    const number = data?.accounts ?? 0;
    // Without a question if nothing would be lost.
    if (number === 0) void reset();
    else setQuestion({ verb: 'replace', help: () => t('builtIn.data.sure', { number }), onConfirm: reset });
  }

  function ask(verb: 'restore' | 'remove', { id, atMs }: BuiltInData['snapshots'][number]): void {
    setPressed(id);
    const of = () => ({ time: formatters().moment(atMs), number: data?.accounts ?? 0 });
    setQuestion(
      verb === 'restore'
        ? {
            verb,
            help: () => t('builtIn.data.sureRestore', of()),
            onConfirm: () =>
              act(
                () => api.builtIn.restore({ id }),
                (number) => t('builtIn.data.restored', { number }),
              ),
          }
        : {
            verb,
            help: () => t('builtIn.data.sureRemove', of()),
            onConfirm: () =>
              act(
                () => api.builtIn.removeSnapshot({ id }),
                () => t('builtIn.data.removed'),
              ),
          },
    );
  }

  const failureOf = (by: string) => failure && pressed === by && <ErrorMessage error={failure.error} during="server" />;
  return (
    <>
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      {question && (
        <ConfirmDialog
          title={t(`builtIn.data.ask.${question.verb}`)}
          help={question.help()}
          cancel={t('builtIn.data.keep')}
          confirm={t(`builtIn.data.${question.verb}Now`)}
          sending={pending}
          onCancel={() => setQuestion(undefined)}
          onConfirm={() => void question.onConfirm()}
        />
      )}
      {(data ?? error) && (
        <>
          <ReplaceForm
            data={data}
            pending={pending}
            failure={failureOf('accounts')}
            onReplace={replace}
            onUndo={() => {
              setPressed('accounts');
              void act(api.builtIn.undo, (number) => t('builtIn.data.undone', { number }));
            }}
          />
          <Card title={t('builtIn.data.snapshots')} padding="none">
            <div className="grid gap12 padded">
              <p className="flush hint">{t('builtIn.data.snapshotsHelp')}</p>
              <div>
                <Button
                  data-home
                  variant="default"
                  size="xs"
                  aria-busy={pending}
                  onClick={() => {
                    setPressed('snapshots');
                    void act(api.builtIn.snapshot, () => t('builtIn.data.made'));
                  }}
                >
                  {t('builtIn.data.make')}
                </Button>
              </div>
              {failureOf('snapshots')}
            </div>
            <div className="line-above">
              <DataTable
                label={t('builtIn.data.snapshots')}
                empty={data && t('builtIn.data.noSnapshots')}
                hidesHead
                rows={data?.snapshots ?? []}
                idOf={({ id }) => id}
                renderBelow={({ id }) => failureOf(id)}
                columns={[
                  { head: t('builtIn.request.time'), kind: 'fixed', render: ({ atMs }) => formatters().moment(atMs) },
                  {
                    head: t('builtIn.tabs.people'),
                    kind: 'fixed',
                    render: ({ accounts }) => t('builtIn.data.holds', { number: accounts }),
                  },
                  {
                    head: t('builtIn.actions'),
                    kind: 'actions',
                    render: (snapshot, tabIndex) =>
                      (['restore', 'remove'] as const).map((verb) => (
                        <Button
                          key={verb}
                          variant="default"
                          size="compact-sm"
                          tabIndex={tabIndex}
                          aria-label={t(`builtIn.data.${verb}This`, { time: formatters().moment(snapshot.atMs) })}
                          onClick={() => ask(verb, snapshot)}
                        >
                          {t(`builtIn.data.${verb}`)}
                        </Button>
                      )),
                  },
                ]}
              />
            </div>
          </Card>
        </>
      )}
    </>
  );
}

const sets = ['empty', 'three', 'many', 'awkward'] as const satisfies readonly SeedName[];

interface ReplaceFormProps {
  /** Undefined if it could not be loaded. */
  data: BuiltInData | undefined;
  pending: boolean;
  failure: ReactNode;
  onReplace: (set: SeedName, seed: number) => void;
  onUndo: () => void;
}

/** Replaces all accounts by a generated set, or undoes that. */
function ReplaceForm({ data, pending, failure, onReplace, onUndo }: ReplaceFormProps) {
  const [set, setSet] = useState<SeedName>('three');
  const { form, submit } = useSeedForm(1, (seed) => onReplace(set, seed));
  const canUndo = data?.canUndo ?? false;
  return (
    <Card title={t('builtIn.data.sets')} aside={data && t('builtIn.data.accounts', { number: data.accounts })}>
      <form onSubmit={submit} noValidate className="grid slim gap16">
        <ChoiceCards
          label={t('builtIn.data.sets')}
          choices={sets.map((name) => ({
            name,
            title: t(`builtIn.data.set.${name}.name`),
            hint: t(`builtIn.data.set.${name}.help`),
          }))}
          chosen={set}
          onChoose={setSet}
        />
        <p className="flush hint">{t('builtIn.data.setsHelp')}</p>
        <SeedField form={form} label={t('builtIn.data.seed')} description={t('builtIn.data.seedHelp')} />
        <div className="wrapping gap8">
          <Button type="submit" variant="outline" color="red" aria-busy={pending}>
            {t('builtIn.data.replace')}
          </Button>
          <Button
            variant="default"
            aria-describedby="built-in-undo"
            aria-disabled={!canUndo}
            onClick={() => canUndo && onUndo()}
          >
            {t('builtIn.data.undo')}
          </Button>
        </div>
        <p className="flush hint" id="built-in-undo">
          {t(canUndo ? 'builtIn.data.undoHelp' : 'builtIn.data.nothingToUndo')}
        </p>
        {failure}
      </form>
    </Card>
  );
}
