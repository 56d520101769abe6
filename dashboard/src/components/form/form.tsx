import { Link, MessageBar, MessageBarBody, MessageBarTitle, makeStyles, tokens } from '@fluentui/react-components';
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, FormProvider, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { useNotify } from '../feedback/notify.tsx';
import { FieldLabelProvider, useFieldLabels } from './field-label.ts';
import { messageText } from './message-text.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { type SchemaForm, uncheckedKey } from './use-schema-form.ts';

interface FormProps<Input extends FieldValues, Output> {
  form: SchemaForm<Input, Output>;
  /** A rejection becomes a toast; what was typed stays. */
  onSubmit: (output: Output) => Promise<void>;
  /** False where leaving loses nothing: signing in, searching. */
  isGuarded?: boolean;
  id?: string;
  children: ReactNode;
}

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
  errors: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: tokens.spacingHorizontalM },
  // Large enough to be hit with a finger, each by itself.
  link: { display: 'inline-flex', alignItems: 'center', minHeight: '24px', textAlign: 'start' },
});

/** Fields of `field.tsx` and a button. Names at the top what is still wrong, and goes to the first of it. */
export function Form<Input extends FieldValues, Output>(props: FormProps<Input, Output>) {
  const { form, onSubmit, isGuarded = true, id, children } = props;
  const styles = useStyles();
  const { t, i18n } = useTranslation('shell');
  const notify = useNotify();
  const { labels, setLabel } = useFieldLabels();
  const isSubmitting = useRef(false);
  const failure = useRef<() => void>(undefined);
  const { isDirty } = form.formState;
  useLeaveGuard({ hasChanges: () => isGuarded && isDirty, isSaving: () => isSubmitting.current });

  const submit = form.handleSubmit(async (output) => {
    // Why it was refused before is no longer true.
    failure.current?.();
    try {
      await onSubmit(output);
    } catch (error) {
      failure.current = notify.failure(
        isGuarded && isUnsure(error) ? new Error(t('form.unsure', { message: error.message })) : error,
      );
    }
  }, sayUnchecked);

  /** A second click or Enter while the first is on its way would make everything twice. */
  function submitOnce(event: FormEvent): void {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    void submit(event).finally(() => {
      isSubmitting.current = false;
    });
  }

  function sayUnchecked(errors: Record<string, { message?: unknown } | undefined>): void {
    const message = errors[uncheckedKey]?.message;
    if (message !== undefined) notify.error(messageText(String(message), i18n.language));
  }

  return (
    <FormProvider {...form}>
      <form id={id} noValidate className={styles.form} onSubmit={submitOnce} onMouseDown={keepFocus}>
        <FormSummary form={form} labels={labels} />
        <FieldLabelProvider value={setLabel}>{children}</FieldLabelProvider>
      </form>
    </FormProvider>
  );
}

/** No response of the server itself: what was sent may have arrived, and a second time would make it twice. */
const isUnsure = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || (error.status > 500 && error.requestId === ''));

/**
 * A field that is left is checked, and what is then said below it moves the button away from under the mouse: the click would be lost.
 * So a button that is pressed does not take the focus from the field; lists that open do.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button:not([role])')) event.preventDefault();
}

/** So many fields are in sight without a summary. */
const fewFields = 3;

interface FormSummaryProps<Input extends FieldValues, Output> {
  form: SchemaForm<Input, Output>;
  labels: ReadonlyMap<string, string>;
}

/** After a refused submit: the names of the fields that are wrong, in one line, each a way to its field. */
function FormSummary<Input extends FieldValues, Output>({ form, labels }: FormSummaryProps<Input, Output>) {
  const { t, i18n } = useTranslation('shell');
  const styles = useStyles();
  const { errors, submitCount } = form.formState;
  const places = [...labels.keys()];
  // In the order in which they stand in the form.
  const names = Object.keys(errors)
    .filter((name) => name !== 'root' && name !== uncheckedKey)
    .toSorted((a, b) => places.indexOf(a) - places.indexOf(b));
  const seen = useRef(0);
  const wasShown = useRef(false);
  // From a refused submit until all is right, not while the user is still filling in.
  if (submitCount !== seen.current) {
    seen.current = submitCount;
    wasShown.current = names.length > 0 && (labels.size > fewFields || names.length > 2);
  }
  useEffect(() => {
    if (names.length === 0) wasShown.current = false;
  });
  if (!wasShown.current || names.length === 0) return null;
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody className={styles.errors}>
        <MessageBarTitle>{t('form.check')}</MessageBarTitle>
        {names.map((name) => (
          <Link
            key={name}
            as="button"
            type="button"
            className={styles.link}
            onClick={() => form.setFocus(name as Path<Input>)}
          >
            {labels.get(name) ?? messageText(String(errors[name]?.message ?? ''), i18n.language)}
          </Link>
        ))}
      </MessageBarBody>
    </MessageBar>
  );
}
