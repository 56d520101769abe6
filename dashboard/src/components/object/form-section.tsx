import { Button, makeStyles, tokens } from '@fluentui/react-components';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Form } from '../form/form.tsx';
import type { FormDrawerProps } from '../form/form-drawer.tsx';
import { useOtherSubmit } from '../form/use-other-submit.ts';
import { SectionCard } from '../section-card.tsx';

const useStyles = makeStyles({
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: '840px', minWidth: 0 },
  footer: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: tokens.spacingHorizontalS },
});

/** The form of a drawer as a tab of the object's own page. */
export function FormSection<Input extends FieldValues, Output>(
  props: Omit<FormDrawerProps<Input, Output>, 'onClose' | 'size' | 'isReady'>,
) {
  const { title, form, onSubmit, action, otherAction, children } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { id, submit, submitOther, chooseDefault } = useOtherSubmit(onSubmit, otherAction?.onSubmit);
  const { isSubmitting } = form.formState;
  return (
    <SectionCard title={title}>
      <div className={styles.body}>
        <Form id={id} form={form} onSubmit={submit}>
          {children}
        </Form>
        <div className={styles.footer}>
          {otherAction && (
            <Button disabledFocusable={isSubmitting} onClick={submitOther}>
              {otherAction.text}
            </Button>
          )}
          <Button type="submit" form={id} appearance="primary" disabledFocusable={isSubmitting} onClick={chooseDefault}>
            {action ?? t('action.save')}
          </Button>
        </div>
      </div>
    </SectionCard>
  );
}
