import { Button, makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { selfUpdateSchema } from '../../../../../core/schemas/account.ts';
import type { User } from '../../../../../core/schemas/user.ts';
import { useSelf, useSelfActions } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { TextField } from '../../../components/form/field.tsx';
import { Form } from '../../../components/form/form.tsx';
import { changedValues, useSchemaForm } from '../../../components/form/use-schema-form.ts';
import { SectionCard } from '../../../components/section-card.tsx';

const useStyles = makeStyles({ button: { alignSelf: 'flex-start' } });

const { username, display_name } = selfUpdateSchema.shape;
const formSchema = z.object({ username, display_name });

/** The own names. */
export function ProfileCard() {
  const { t } = useTranslation('account');
  const reading = useSelf();
  const { data: self } = reading;
  return (
    <SectionCard title={t('profile.title')}>
      <UntilLoaded reading={reading} />
      {self && <ProfileForm key={`${self.username} ${self.display_name}`} self={self} />}
    </SectionCard>
  );
}

function ProfileForm({ self }: { self: User }) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const notify = useNotify();
  const { update } = useSelfActions();
  const form = useSchemaForm(formSchema, { username: self.username, display_name: self.display_name });

  async function save(output: z.output<typeof formSchema>): Promise<void> {
    const changed = changedValues(form, output);
    if (Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
    await update(changed);
    notify.success(t('profile.done'));
  }

  return (
    <Form form={form} onSubmit={save}>
      <TextField
        name="username"
        label={t('profile.username')}
        hint={t('profile.usernameHint')}
        autoComplete="username"
        isRequired
      />
      <TextField name="display_name" label={t('profile.displayName')} autoComplete="nickname" />
      <Button
        type="submit"
        appearance={form.formState.isDirty ? 'primary' : 'secondary'}
        className={styles.button}
        disabledFocusable={form.formState.isSubmitting}
      >
        {t('profile.save')}
      </Button>
    </Form>
  );
}
