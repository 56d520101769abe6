import { Button, Field, Input, makeStyles, Tag, TagGroup, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { typedCommaOrBlank, typedNames, typedNamesOfAnyCase } from '../../../../core/lib/typed-list.ts';
import { useTypedEntry } from '../../components/form/typed-entry.ts';

const useStyles = makeStyles({
  tags: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS, paddingTop: tokens.spacingVerticalS },
  input: { maxWidth: '360px' },
});

interface TagFieldProps {
  name: string;
  label: string;
  hint?: string;
}

/** Words that are stored with commas between them; a word is added once, in capitals or not. */
export function TagField({ name, label, hint }: TagFieldProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { field } = useController({ name });
  const [typed, setTyped] = useState('');
  const words = String(field.value).split(',').filter(Boolean);

  function add(): boolean {
    const all = typedNamesOfAnyCase([...words, ...typedNames(typed, typedCommaOrBlank)].join(','));
    if (all.length > words.length) field.onChange(all.join(','));
    setTyped('');
    return true;
  }
  const box = useTypedEntry({ add, hasText: typed.trim() !== '' });

  return (
    <div>
      <Field label={label} hint={hint}>
        <Input
          {...box}
          ref={field.ref}
          className={styles.input}
          value={typed}
          placeholder={t('tag.placeholder')}
          onChange={(_event, { value }) => setTyped(value)}
          contentAfter={
            <Button
              appearance="transparent"
              size="small"
              icon={<Add20Regular />}
              aria-label={t('tag.add', { label })}
              onClick={add}
            />
          }
        />
      </Field>
      {words.length > 0 && (
        <TagGroup
          className={styles.tags}
          aria-label={label}
          size="small"
          onDismiss={(_event, { value }) => field.onChange(words.filter((word) => word !== value).join(','))}
        >
          {words.map((word) => (
            <Tag
              key={word}
              value={word}
              shape="circular"
              dismissible
              dismissIcon={{ 'aria-label': t('shell:action.remove') }}
            >
              {word}
            </Tag>
          ))}
        </TagGroup>
      )}
    </div>
  );
}
