import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BuiltInData } from '../../../preload/contract/local-servers.ts';
import type { SeedName } from '../../../preload/contract/names.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { ChoiceCards } from './choice-cards.tsx';
import { SeedField, useSeedForm } from './number-fields.tsx';

/** Replaces all accounts, and undoes that. */
export function DataTab({ onChanged }: { onChanged: () => void }) {
  const { data, error, setData } = useQuery(api.builtIn.data);
  const { run, pending, failure } = useAction();
  /** The replacement to confirm, since it removes accounts. */
  const [replacement, setReplacement] = useState<{ set: SeedName; seed: number }>();
  const number = data?.accounts ?? 0;

  async function act(call: () => Promise<Result<BuiltInData>>, done: (accounts: number) => string): Promise<void> {
    await run(call, (after) => {
      setData(after);
      onChanged();
      return () => done(after.accounts);
    });
    setReplacement(undefined);
  }

  const reset = (people: { set: SeedName; seed: number }) =>
    act(
      () => api.builtIn.reset(people),
      (count) => t('builtIn.data.replaced', { number: count }),
    );

  return (
    <>
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      {replacement && (
        <ConfirmDialog
          title={t('builtIn.data.ask')}
          help={t('builtIn.data.sure', { number })}
          cancel={t('builtIn.data.keep')}
          confirm={t('builtIn.data.replaceNow')}
          sending={pending}
          onCancel={() => setReplacement(undefined)}
          onConfirm={() => void reset(replacement)}
        />
      )}
      {(data ?? error) && (
        <ReplaceForm
          data={data}
          pending={pending}
          failure={failure && <ErrorMessage error={failure.error} during="server" />}
          onReplace={(people) => {
            // Without a question if nothing would be lost.
            if (number === 0) void reset(people);
            else setReplacement(people);
          }}
          onUndo={() => void act(api.builtIn.undo, (count) => t('builtIn.data.undone', { number: count }))}
        />
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
  onReplace: (people: { set: SeedName; seed: number }) => void;
  onUndo: () => void;
}

/** Replaces all accounts by a generated set, or undoes that. */
function ReplaceForm({ data, pending, failure, onReplace, onUndo }: ReplaceFormProps) {
  const [set, setSet] = useState<SeedName>('three');
  const { form, submit } = useSeedForm(1, (seed) => onReplace({ set, seed }));
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
