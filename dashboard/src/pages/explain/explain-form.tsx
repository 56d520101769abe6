import { Button, Field, Input, makeStyles, Select, Switch, Textarea, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { explainedProtocols } from '../../../../core/schemas/explained-protocol.ts';
import type { ExplainQuestion } from '../../api/explain.ts';
import { priceListOptions } from '../../api/pricing.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { SectionCard } from '../../components/section-card.tsx';

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(220px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
    alignItems: 'start',
  },
  foot: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
});

interface ExplainFormProps {
  isBusy: boolean;
  onSubmit: (question: ExplainQuestion) => void;
}

export function ExplainForm({ isBusy, onSubmit }: ExplainFormProps) {
  const { t } = useTranslation('explain');
  const styles = useStyles();
  const [query] = useSearchParams();
  const { data: prices } = useQuery(priceListOptions);
  const [model, setModel] = useState(query.get('model') ?? '');
  const [group, setGroup] = useState(query.get('group') ?? '');
  const [protocol, setProtocol] = useState<string>('openai-chat');
  const [stream, setStream] = useState(false);
  const [body, setBody] = useState('');
  const names = prices?.data.map(({ model_name }) => model_name) ?? [];
  const choices = names.map((name) => ({ value: name, text: name }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy || model === '') return;
    onSubmit({
      model,
      protocol,
      stream,
      ...(group.trim() !== '' && { group: group.trim() }),
      ...(body.trim() !== '' && { body }),
    });
  }

  return (
    <SectionCard title={t('form.title')}>
      <form noValidate className={styles.form} onSubmit={submit}>
        <div className={styles.fields}>
          <Field label={t('form.model')} required>
            <SearchCombobox
              choices={choices}
              chosen={model === '' ? [] : [model]}
              text={model}
              // A model that no channel serves may be asked for, too.
              find={(typed) => [
                ...choices.filter(({ text }) => text.toLowerCase().includes(typed)),
                ...(names.includes(typed) ? [] : [{ value: typed, text: typed }]),
              ]}
              onChoose={([name = '']) => setModel(name)}
            />
          </Field>
          <Field label={t('form.group')} hint={t('form.groupHint')}>
            <Input value={group} maxLength={64} onChange={(_event, { value }) => setGroup(value)} />
          </Field>
          <Field label={t('form.protocol')}>
            <Select value={protocol} onChange={(_event, { value }) => setProtocol(value)}>
              {explainedProtocols.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </Field>
        </div>
        <Field label={t('form.body')} hint={t('form.bodyHint')}>
          <Textarea rows={4} resize="vertical" value={body} onChange={(_event, { value }) => setBody(value)} />
        </Field>
        <div className={styles.foot}>
          <Button type="submit" appearance="primary" disabledFocusable={isBusy || model === ''}>
            {t('form.submit')}
          </Button>
          <Switch label={t('form.stream')} checked={stream} onChange={(_event, { checked }) => setStream(checked)} />
        </div>
      </form>
    </SectionCard>
  );
}
