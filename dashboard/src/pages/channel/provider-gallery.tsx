import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelType } from '../../../../core/schemas/channel-type-description.ts';
import { orderedChannelTypes } from '../../../../core/schemas/channel-type-order.ts';
import { useLanguage, useTypeName } from './channel-type.ts';
import { ProviderLetter } from './provider-letter.tsx';

const useStyles = makeStyles({
  gallery: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: tokens.spacingVerticalM },
  tiles: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(160px, 1fr))',
    gap: tokens.spacingHorizontalS,
    width: '100%',
    '@media (max-width: 600px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
  tile: {
    justifyContent: 'flex-start',
    gap: tokens.spacingHorizontalS,
    minHeight: '48px',
    textAlign: 'start',
    fontWeight: tokens.fontWeightRegular,
  },
});

/** So many stand before the rest is asked for. */
const common = 12;

/** Which vendor: the common ones as tiles, all others one press away. */
export function ProviderGallery({ label, onPick }: { label: string; onPick: (type: number) => void }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const language = useLanguage();
  const typeName = useTypeName();
  const [isWhole, setWhole] = useState(false);
  const types = orderedChannelTypes(language).filter(isOffered);
  return (
    <div className={styles.gallery}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame of its own */}
      <div className={styles.tiles} role="group" aria-label={label}>
        {types.slice(0, isWhole ? undefined : common).map(({ number }) => (
          <Button
            key={number}
            className={styles.tile}
            icon={<ProviderLetter type={number} />}
            onClick={() => onPick(number)}
          >
            {typeName(number)}
          </Button>
        ))}
      </div>
      {!isWhole && (
        <Button appearance="subtle" onClick={() => setWhole(true)}>
          {t('provider.more', { count: types.length - common })}
        </Button>
      )}
    </div>
  );
}

/** Not those that the vendor has switched off. */
const isOffered = ({ isRetired }: ChannelType): boolean => isRetired !== true;
