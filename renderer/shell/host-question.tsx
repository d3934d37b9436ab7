import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId } from 'react';
import { api, useServer } from '../api.ts';
import { ProductionLabel } from '../components/chip.tsx';
import { QuestionDialog } from '../components/question-dialog.tsx';
import { UntrustedText, BreakableText } from '../components/untrusted-text.tsx';
import { serverName } from '../server-name.ts';
import { type ProductionQuestion, productionQuestion } from '../production-question.ts';
import { useAction } from '../use-action.ts';
import { plainText } from '../components/plain-text.ts';
import { useErrorText } from '../use-error-text.ts';
import { t } from '../i18n.ts';

/** Asks for the host of a production server, and sends it to main. */
export function HostQuestion({ question }: { question: ProductionQuestion }) {
  const errorText = useErrorText();
  const { serverId, host, act, canSkip } = question;
  const formId = useId();
  const { run, pending, failure, dismiss } = useAction();
  const form = useForm({ initialValues: { host: '' }, onValuesChange: dismiss });
  const server = useServer(serverId);
  const wrong = failure && errorText(failure.error, 'server');
  const keep = () => productionQuestion.answer('cancelled');

  const submit = form.onSubmit((typed) => {
    void run(
      () => api.servers.confirmProduction({ id: serverId, host: typed.host }),
      () => productionQuestion.answer('confirmed'),
    );
  });

  return (
    <QuestionDialog
      title={t(`production.${act}.title`)}
      about={
        <>
          <ProductionLabel>{t('server.production')}</ProductionLabel>
          <UntrustedText text={serverName(server)} />
        </>
      }
      help={
        <>
          {t('production.typeHost')}{' '}
          <code>
            <BreakableText text={host} />
          </code>
        </>
      }
      onCancel={keep}
      answers={
        <>
          <Button variant="subtle" color="gray" onClick={keep}>
            {t(`production.${act}.no`)}
          </Button>
          {canSkip && (
            <Button variant="default" onClick={() => productionQuestion.answer('declined')}>
              {t('production.decline')}
            </Button>
          )}
          {/* Main validates the host: submitting another one shows the error. */}
          <Button
            type="submit"
            form={formId}
            variant="outline"
            color="red"
            aria-busy={pending}
            aria-disabled={form.values.host !== host}
          >
            {t(`production.${act}.yes`)}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextInput
          data-autofocus
          size="md"
          label={t('production.host')}
          {...form.getInputProps('host')}
          error={wrong && `${wrong.message} ${wrong.advice}`}
          styles={{ label: { fontSize: 13 }, input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
          {...plainText}
        />
      </form>
    </QuestionDialog>
  );
}
