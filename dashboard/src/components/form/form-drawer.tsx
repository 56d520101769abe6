import {
  Button,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  OverlayDrawer,
  tokens,
} from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons/svg/dismiss';
import { type ReactNode, useEffect } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { toastsAbove } from '../feedback/toast-place.ts';
import { Form } from './form.tsx';
import { hasTypedEntries } from './typed-entry.ts';
import { useAskToLeave } from './use-leave-guard.ts';
import { useOtherSubmit } from './use-other-submit.ts';
import type { SchemaForm } from './use-schema-form.ts';

export interface FormDrawerProps<Input extends FieldValues, Output> {
  title: string;
  form: SchemaForm<Input, Output>;
  onSubmit: (output: Output) => Promise<void>;
  onClose: () => void;
  /** On the button; `save` when left out. */
  action?: string;
  /** A second way to submit, beside the default one. */
  otherAction?: { text: string; onSubmit: (output: Output) => Promise<void> };
  size?: 'medium' | 'narrow';
  /** False while there is nothing to submit yet: only leaving is offered. */
  isReady?: boolean;
  children: ReactNode;
}

const useStyles = makeStyles({
  footer: { borderTop: `1px solid ${tokens.colorNeutralStroke2}`, justifyContent: 'flex-end' },
  // A name without a blank goes on below instead of leaving the drawer.
  title: { overflowWrap: 'anywhere' },
  body: { paddingTop: tokens.spacingVerticalS, paddingBottom: tokens.spacingVerticalXL },
  medium: { width: '600px', maxWidth: '100vw' }, // the accounts spec, section 9
  narrow: { width: '560px', maxWidth: '100vw' },
});

/** A form at the side of its list. Render it while it is open; closing it asks when something was changed. */
export function FormDrawer<Input extends FieldValues, Output>(props: FormDrawerProps<Input, Output>) {
  const { title, form, onSubmit, onClose, action, otherAction, size = 'medium', isReady = true, children } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { id, submit, submitOther, chooseDefault } = useOtherSubmit(onSubmit, otherAction?.onSubmit);
  const askToLeave = useAskToLeave();
  const { isDirty, isSubmitting } = form.formState;
  useEffect(() => focusFirstField(id), [id]);

  async function close(): Promise<void> {
    if ((!isDirty && !hasTypedEntries()) || (await askToLeave())) onClose();
  }

  return (
    <OverlayDrawer
      open
      position="end"
      className={styles[size]}
      aria-label={title}
      onOpenChange={(_event, { open }) => open || void close()}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          action={
            <Button
              appearance="subtle"
              icon={<Dismiss20Regular />}
              aria-label={t('action.close')}
              onClick={() => void close()}
            />
          }
        >
          <span className={styles.title}>{title}</span>
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody className={styles.body}>
        <Form id={id} form={form} onSubmit={submit}>
          {children}
        </Form>
      </DrawerBody>
      <DrawerFooter ref={toastsAbove} className={styles.footer}>
        <Button onClick={() => void close()}>{t('action.cancel')}</Button>
        {isReady && otherAction && (
          <Button disabledFocusable={isSubmitting} onClick={submitOther}>
            {otherAction.text}
          </Button>
        )}
        {isReady && (
          <Button type="submit" form={id} appearance="primary" disabledFocusable={isSubmitting} onClick={chooseDefault}>
            {action ?? t('action.save')}
          </Button>
        )}
      </DrawerFooter>
    </OverlayDrawer>
  );
}

/** After the drawer has taken the focus, which goes to its first button. */
function focusFirstField(formId: string): () => void {
  const timer = setTimeout(() =>
    document.getElementById(formId)?.querySelector<HTMLElement>('input, textarea')?.focus(),
  );
  return () => clearTimeout(timer);
}
