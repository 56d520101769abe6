import { Button, makeStyles } from '@fluentui/react-components';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { User } from '../../../../../core/schemas/user.ts';
import { readStoredSetting, userSettingSchema } from '../../../../../core/schemas/user-setting.ts';
import { coded } from '../../../../../core/text/coded.ts';
import { useSelf, useSelfActions } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { PasswordField, SelectField, SwitchField, TextField } from '../../../components/form/field.tsx';
import { Form } from '../../../components/form/form.tsx';
import { MoneyField } from '../../../components/form/money-field.tsx';
import { changedValues, useSchemaForm } from '../../../components/form/use-schema-form.ts';
import { SectionCard } from '../../../components/section-card.tsx';

const useStyles = makeStyles({ button: { alignSelf: 'flex-start' } });

const { webhook_url, webhook_secret, notification_email } = userSettingSchema.shape;

const formSchema = z
  .object({
    notify_type: z.enum(['email', 'webhook']),
    /** An emptied field: whatever the installation says. */
    threshold: z.union([z.nan(), z.number().positive()], { error: 'account:notification.thresholdWrong' }),
    webhook_url,
    webhook_secret,
    notification_email,
    notify_task_finished: z.boolean(),
    accept_unset_model_ratio_model: z.boolean(),
  })
  .refine((fields) => fields.notify_type !== 'webhook' || fields.webhook_url !== '', {
    path: ['webhook_url'],
    message: coded('input.webhookNeeded'),
  });

/** How to be told that the balance is low or that a job has ended, and what may be called without a price. */
export function NotificationCard() {
  const { t } = useTranslation('account');
  const reading = useSelf();
  const { data: self } = reading;
  return (
    <SectionCard title={t('notification.title')} purpose={t('notification.purpose')}>
      <UntilLoaded reading={reading} />
      {self && <NotificationForm key={self.setting} self={self} />}
    </SectionCard>
  );
}

function NotificationForm({ self }: { self: User }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const notify = useNotify();
  const { changeSetting } = useSelfActions();
  const { quota_warning_threshold: stored, ...setting } = readStoredSetting(self.setting);
  const form = useSchemaForm(formSchema, { ...setting, webhook_secret: '', threshold: stored ?? Number.NaN });
  const type = useWatch({ control: form.control, name: 'notify_type' });

  async function save(output: z.output<typeof formSchema>): Promise<void> {
    if (Object.keys(changedValues(form, output)).length === 0) return notify.warning(t('shell:form.unchanged'));
    const { threshold: wanted, ...fields } = output;
    await changeSetting({ ...fields, ...(!Number.isNaN(wanted) && { quota_warning_threshold: wanted }) });
    notify.success(t('notification.done'));
    form.resetField('webhook_secret');
  }

  return (
    <Form form={form} onSubmit={save}>
      <SelectField
        name="notify_type"
        label={t('notification.type')}
        choices={[
          { value: 'email', text: t('notification.email') },
          { value: 'webhook', text: t('notification.webhook') },
        ]}
      />
      {type === 'webhook' ? (
        <>
          <TextField
            name="webhook_url"
            type="url"
            label={t('notification.url')}
            placeholder="https://example.com/hook"
            isRequired
          />
          <PasswordField
            name="webhook_secret"
            label={t('notification.secret')}
            hint={t('notification.secretHint')}
            autoComplete="off"
          />
        </>
      ) : (
        <TextField
          name="notification_email"
          type="email"
          label={t('notification.address')}
          hint={t('notification.addressHint')}
          placeholder={self.email}
        />
      )}
      <MoneyField name="threshold" label={t('notification.threshold')} hint={t('notification.thresholdHint')} />
      <SwitchField
        name="notify_task_finished"
        label={t('notification.taskFinished')}
        hint={t('notification.taskFinishedHint')}
      />
      <SwitchField name="accept_unset_model_ratio_model" label={t('notification.acceptUnset')} />
      <Button
        type="submit"
        appearance={form.formState.isDirty ? 'primary' : 'secondary'}
        className={styles.button}
        disabledFocusable={form.formState.isSubmitting}
      >
        {t('notification.save')}
      </Button>
    </Form>
  );
}
