import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import fieldClasses from '../../components/field.module.css';
import { plainText } from '../../components/plain-text.ts';
import { navigate, type Route } from '../../route.ts';
import { isServer, setTested } from '../../tested-servers.ts';
import { useAction } from '../../use-action.ts';
import { t, useCurrentLanguage } from '../../i18n.ts';

/**
 * Tests the address of a server, and continues to its form, or shows what was found. The user may override the test.
 */
export function AddressForm({ entry }: { entry: 'own' | 'test' }) {
  const { asking } = useApp();
  const { run, pending, failure, dismiss } = useAction();
  const [unsureResult, setUnsureResult] = useState<ConnectionReport>();
  const form = useForm({
    initialValues: { address: '' },
    validate: { address: missingError },
    onValuesChange() {
      setUnsureResult(undefined);
      dismiss();
    },
  });
  const focusField = () => form.getInputNode('address')?.focus();
  const focusResult = useEffectEvent(focusField);
  useEffect(() => {
    if (failure ?? unsureResult) focusResult();
  }, [failure, unsureResult]);

  async function enter(found: ConnectionReport) {
    const chosen = await api.servers.chooseAddress(form.values);
    if (!chosen.ok) return chosen;
    navigate(entry === 'own' ? { page: 'account' } : routeAfter(found));
    return api.settings.change({ welcomed: true, ...(entry === 'test' && { workbench: true }) });
  }

  const submit = form.onSubmit(
    (values) =>
      void run<unknown>(async () => {
        setUnsureResult(undefined);
        const tested = await api.servers.test(values);
        if (!tested.ok) return tested;
        setTested(tested.value);
        if (isServer(tested.value)) return enter(tested.value);
        setUnsureResult(tested.value);
        return tested;
      }),
    focusField,
  );

  return (
    <form onSubmit={submit} noValidate className="grid gap8">
      <TextInput
        classNames={{ root: fieldClasses.field ?? '' }}
        label={t(entry === 'own' ? 'welcome.address' : 'welcome.test.address')}
        placeholder="accounts.example.test"
        inputMode="url"
        {...plainText}
        errorProps={{ component: 'div', role: 'alert' }}
        {...form.getInputProps('address')}
        error={
          form.errors['address'] ??
          (failure ? (
            <ErrorText error={failure.error} during="server" />
          ) : (
            unsureResult && <UnsureText report={unsureResult} entry={entry} />
          ))
        }
      />
      <div className="row apart gap8">
        <output className="text soft">{pending && t(asking ? 'app.asking' : 'app.waiting')}</output>
        {pending && !asking && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => void api.servers.cancelTest()}>
            {t('app.cancel')}
          </Button>
        )}
      </div>
      <Button type="submit" variant={entry === 'own' ? 'filled' : 'default'} h={40} fullWidth aria-busy={pending}>
        {t(`welcome.${entry}.do`)}
      </Button>
      {unsureResult && (
        <Button variant="default" h={40} fullWidth onClick={() => void run(() => enter(unsureResult))}>
          {t('welcome.anyway')}
        </Button>
      )}
    </form>
  );
}

const missingError = (address: string) => address.trim() === '' && <Missing />;

function Missing() {
  // The form stores this element, so React does not re-render it by itself.
  useCurrentLanguage();
  return t('welcome.missing');
}

/** A tester continues to a new check, or to what was found instead of a server. */
const routeAfter = (tested: ConnectionReport): Route =>
  isServer(tested) ? { page: 'checks', starting: true, tested } : { page: 'servers', tested };

/** What was found instead of a server of the interface; for a tester, with other possibilities. */
function UnsureText({ report, entry }: { report: ConnectionReport; entry: 'own' | 'test' }) {
  if (!report.reached) return <ErrorText error={report.error} during="server" />;
  const text = t(`server.answered.${report.answered}`);
  return entry === 'test' && mayHaveOtherPaths.has(report.answered) ? `${text} ${t('welcome.test.otherPaths')}` : text;
}

/** Responses of servers to a missing path. */
const mayHaveOtherPaths: ReadonlySet<string> = new Set(['path-missing', 'web-page', 'something-else']);
