import { Button, makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { displayNameSchema, type User } from '../../../../../core/schemas/user.ts';
import { useSelf, useSelfActions } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { TextField } from '../../../components/form/field.tsx';
import { Form } from '../../../components/form/form.tsx';
import { changedValues, useSchemaForm } from '../../../components/form/use-schema-form.ts';
import { SectionCard } from '../../../components/section-card.tsx';

const useStyles = makeStyles({ button: { alignSelf: 'flex-start' } });

/** A longer name that an outside sign-in gave stays; the server looks at a new one. It leaves what is empty as it is, so the form says so. */
const formSchema = z.object({ username: z.string().trim().min(1).max(64), display_name: displayNameSchema });
const namedSchema = formSchema.refine(({ display_name }) => display_name !== '', {
  path: ['display_name'],
  message: 'shell:form.required',
});

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
  const hasDisplayName = self.display_name !== '';
  const form = useSchemaForm(hasDisplayName ? namedSchema : formSchema, {
    username: self.username,
    display_name: self.display_name,
  });

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
      <TextField
        name="display_name"
        label={t('profile.displayName')}
        autoComplete="nickname"
        isRequired={hasDisplayName}
      />
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
