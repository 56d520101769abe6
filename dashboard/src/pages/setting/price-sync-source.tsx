import { Button, Field, Input, makeStyles, Select, tokens } from '@fluentui/react-components';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sourceNames } from '../../../../core/schemas/price-source.ts';
import { type DiffScope, diffScopes } from '../../../../core/schemas/price-sync.ts';
import type { PriceSource } from '../../api/price-sync.ts';
import { useSettings } from './use-settings.ts';

const useStyles = makeStyles({
  source: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'flex-end' },
  field: { flex: '1 1 200px', minWidth: 0, '@media (max-width: 600px)': { flexBasis: '100%' } },
  select: { minWidth: 0, '& select': { minWidth: 0, textOverflow: 'ellipsis' } },
  address: { flex: '2 1 240px', minWidth: 0, '@media (max-width: 600px)': { flexBasis: '100%' } },
  compare: { flexShrink: 0 },
  hidden: { display: 'none' },
});

interface PriceSyncSourceProps {
  isBusy: boolean;
  onCompare: (input: { source: PriceSource; scope: DiffScope }) => void;
}

const kinds = [...sourceNames, 'address', 'file'] as const;
type Kind = (typeof kinds)[number];

/** Which list is compared with, and which models of it. */
export function PriceSyncSource({ isBusy, onCompare }: PriceSyncSourceProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { detail } = useSettings();
  const saved = detail('PriceSyncSource')?.value || 'packaged';
  const isNamed = sourceNames.some((name) => name === saved);
  const [kind, setKind] = useState<Kind>(isNamed ? (saved as Kind) : 'address');
  const [address, setAddress] = useState(isNamed ? '' : saved);
  const [file, setFile] = useState<PriceSource>();
  const [scope, setScope] = useState<DiffScope>('known');
  const picker = useRef<HTMLInputElement>(null);

  async function takeFile({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [picked] = target.files ?? [];
    if (picked) setFile({ source: picked.name, content: await picked.text() });
    // The same file may be picked again after it was edited.
    target.value = '';
  }

  const chosen = kind === 'file' ? file : { source: kind === 'address' ? address.trim() : kind };
  return (
    <div className={styles.source}>
      <Field className={styles.field} label={t('sync.source')}>
        <Select className={styles.select} value={kind} onChange={(_event, { value }) => setKind(value as Kind)}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`sync.sourceName.${one.replace('.', '-')}`)}
            </option>
          ))}
        </Select>
      </Field>
      {kind === 'address' && (
        <Field className={styles.address} label={t('sync.address')}>
          <Input
            type="url"
            value={address}
            placeholder="https://prices.example.com/api/pricing"
            onChange={(_event, { value }) => setAddress(value)}
          />
        </Field>
      )}
      {kind === 'file' && (
        <>
          <Button onClick={() => picker.current?.click()}>{file ? file.source : t('sync.pickFile')}</Button>
          <input
            ref={picker}
            className={styles.hidden}
            type="file"
            accept=".json,application/json"
            aria-label={t('sync.pickFile')}
            onChange={(event) => void takeFile(event)}
          />
        </>
      )}
      <Field className={styles.field} label={t('sync.scope')}>
        <Select className={styles.select} value={scope} onChange={(_event, { value }) => setScope(value as DiffScope)}>
          {diffScopes.map((one) => (
            <option key={one} value={one}>
              {t(`sync.scopeName.${one}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        className={styles.compare}
        appearance="primary"
        disabledFocusable={isBusy || !chosen || chosen.source === ''}
        onClick={() => chosen && onCompare({ source: chosen, scope })}
      >
        {t('sync.compare')}
      </Button>
    </div>
  );
}
