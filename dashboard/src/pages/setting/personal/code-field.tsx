import { Field, Input } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotify } from '../../../components/feedback/notify.tsx';

export type CodeForm = ReturnType<typeof useCodeForm>;

/** One code that is typed and sent. */
export function useCodeForm(onSubmit: (code: string) => Promise<void>) {
  const { t } = useTranslation('account');
  const notify = useNotify();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function send(): Promise<void> {
    if (code.trim() === '') return setProblem(t('twoFactor.codeMissing'));
    if (isSending) return;
    setSending(true);
    try {
      await onSubmit(code.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      notify.error(error);
    } finally {
      setSending(false);
    }
  }

  return {
    code,
    problem,
    isSending,
    change(text: string): void {
      setCode(text);
      setProblem(undefined);
    },
    submit(event: FormEvent): void {
      event.preventDefault();
      void send();
    },
  };
}

export function CodeField({ form, hint }: { form: CodeForm; hint: string }) {
  const { t } = useTranslation('account');
  return (
    <Field
      label={t('twoFactor.code')}
      hint={hint}
      required
      validationState={form.problem === undefined ? 'none' : 'error'}
      validationMessage={form.problem}
    >
      <Input
        value={form.code}
        inputMode="text"
        autoComplete="one-time-code"
        maxLength={32}
        onChange={(_event, { value }) => form.change(value)}
      />
    </Field>
  );
}
