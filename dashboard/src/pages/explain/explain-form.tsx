import { Button, Field, makeStyles, Select, Switch, Textarea, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { explainedProtocols } from '../../../../core/schemas/explained-protocol.ts';
import type { ExplainQuestion } from '../../api/explain.ts';
import { useGroupNames } from '../../api/group.ts';
import { priceListOptions } from '../../api/pricing.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { ObjectPicker, type PickedObject } from './object-picker.tsx';

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

/** What the server takes when a question names neither a token nor a group. */
const defaultGroup = 'default';

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
  const [group, setGroup] = useState(query.get('group') || defaultGroup);
  const [token, setToken] = useState<PickedObject>();
  const [channel, setChannel] = useState<PickedObject>();
  const groups = useGroupNames().data ?? [];
  const [protocol, setProtocol] = useState<string>('openai-chat');
  const [stream, setStream] = useState(false);
  const [body, setBody] = useState('');
  const [isAsked, setAsked] = useState(false);
  const names = prices?.data.map(({ model_name }) => model_name) ?? [];
  const choices = names.map((name) => ({ value: name, text: name }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (isBusy || model === '') return;
    onSubmit({
      model,
      protocol,
      stream,
      // A token has a group of its own.
      ...(token ? { token_id: token.id } : { group }),
      ...(channel && { channel_id: channel.id }),
      ...(body.trim() !== '' && { body }),
    });
  }

  return (
    <SectionCard title={t('form.title')}>
      <form noValidate className={styles.form} onSubmit={submit}>
        <div className={styles.fields}>
          <Field
            label={t('form.model')}
            required
            {...(isAsked && model === '' && { validationMessage: t('shell:form.required') })}
          >
            <SearchCombobox
              choices={choices}
              chosen={model === '' ? [] : [model]}
              text={model}
              // A model that no channel serves may be asked for, too.
              find={(typed) => [
                ...choices.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase())),
                ...(names.includes(typed) ? [] : [{ value: typed, text: typed }]),
              ]}
              onChoose={([name = '']) => setModel(name)}
            />
          </Field>
          <ObjectPicker
            kind="token"
            label={t('form.token')}
            hint={t('form.tokenHint')}
            picked={token}
            onPick={setToken}
          />
          <Field label={t('form.group')} hint={t(token ? 'form.groupOfToken' : 'form.groupHint')}>
            <SearchCombobox
              disabled={token !== undefined}
              placeholder={t('form.tokenGroup')}
              choices={groups.map((name) => ({ value: name, text: name }))}
              chosen={[group]}
              text={token ? '' : group}
              onChoose={([name = defaultGroup]) => setGroup(name)}
            />
          </Field>
          <ObjectPicker
            kind="channel"
            label={t('form.channel')}
            hint={t('form.channelHint')}
            picked={channel}
            onPick={setChannel}
          />
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
          <Button type="submit" appearance="primary" disabledFocusable={isBusy}>
            {t('form.submit')}
          </Button>
          <Switch label={t('form.stream')} checked={stream} onChange={(_event, { checked }) => setStream(checked)} />
        </div>
      </form>
    </SectionCard>
  );
}
